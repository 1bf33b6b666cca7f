// Package dungeon makes dungeons, reads and writes them as text, says what is
// wrong with one, and answers what follows from its data alone: round limits, the
// level of enemies, where stairs lead. It knows no characters and no play.
package dungeon
