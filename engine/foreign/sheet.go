// Package foreign holds characters as other tools write them down: labels and what
// stands beside them, before any ruleset has said what a label means, or after it
// has said what is to be shown. Formats are read and written by others; a ruleset
// maps between this and its own sheets.
package foreign

// Sheet is a character of another tool. Everything is in the order of the source.
type Sheet struct {
	// Name of the character; empty where the source has none.
	Name string
	// Rows are what has a number, or should have.
	Rows []Row
	// Weapons are what does damage, by name.
	Weapons []Weapon
	// Texts are notes and all else that is no number, nor stands where one could.
	Texts []Text
	// Palette are lines for a dice bot that are no row and no weapon, when it is read;
	// all lines, when it is written.
	Palette []string
	// Order is the number by which turns are sorted; only written.
	Order Number
	// Bot is how dice bots call the game; only written.
	Bot string
}

// Row is a label with a number.
type Row struct {
	// Group is the heading that it stands under; may be empty.
	Group string
	// Label as it is written.
	Label string
	// Now is the number.
	Now Number
	// Max is the most that it can be; unknown for what has no such thing.
	Max Number
	// Roll is true if the source does not have it as a value, but in the palette, as
	// what is rolled against: it repeats a value that may stand elsewhere.
	Roll bool
}

// Weapon is something that does damage.
type Weapon struct {
	// Name as it is written.
	Name string
	// Damage is a formula, as it is written; may be empty.
	Damage string
	// Roll is true if it stands in the palette: it may be no weapon at all.
	Roll bool
}

// Text is a label with words.
type Text struct {
	// Group is the heading that it stands under; only written.
	Group string
	// Label and Text as they are written.
	Label, Text string
	// Notes is true for free text, of any length, that may be for its player alone.
	Notes bool
}
