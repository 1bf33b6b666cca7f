package exchange

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/hantei/hantei/engine/foreign"
)

var (
	// checkLine is a roll against something: "CCB<=75 【目星】".
	checkLine = regexp.MustCompile(`^[0-9A-Za-z()+-]*<=([^\s【《〈「\[]+)`)
	// diceLine is a throw: "1D6+{DB} 【警棒】".
	diceLine = regexp.MustCompile(`^[0-9A-Za-z{}()+*/-]*[0-9][Dd][0-9][0-9A-Za-z{}()+*/-]*`)
	// valueLine says what a name stands for in the other lines: "//目星=75".
	valueLine = regexp.MustCompile(`^//([^=]+)=(.+)$`)
)

// readPalette reads the lines for a dice bot, as far as they tell of the character:
// the others stay lines.
func readPalette(s *foreign.Sheet, lines string) {
	for line := range strings.Lines(lines) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		narrow := narrowed(line)
		if m := valueLine.FindStringSubmatchIndex(narrow); m != nil {
			s.Rows = append(s.Rows, foreign.Row{Label: part(line, narrow, m[2], m[3]), Now: foreign.Parse(narrow[m[4]:m[5]]), Roll: true})
			continue
		}
		if m := checkLine.FindStringSubmatchIndex(narrow); m != nil {
			label, value := part(line, narrow, m[1], len(narrow)), foreign.Parse(narrow[m[2]:m[3]])
			if label != "" { // what is rolled against is often made of a value
				s.Rows = append(s.Rows, foreign.Row{Label: label, Now: value, Roll: true})
				continue
			}
		} else if m := diceLine.FindStringIndex(narrow); m != nil {
			if label := part(line, narrow, m[1], len(narrow)); label != "" {
				s.Weapons = append(s.Weapons, foreign.Weapon{Name: label, Damage: narrow[:m[1]], Roll: true})
				continue
			}
		}
		s.Palette = append(s.Palette, line)
	}
}

// narrowed has the full-width signs of a line in the width of ASCII, as dice bots
// read them. It has as many runes as the line.
func narrowed(line string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= '！' && r <= '～':
			return r - '！' + '!'
		case unicode.IsSpace(r):
			return ' '
		}
		return r
	}, line)
}

// part is what a line has, as it was typed, where narrow has the bytes from and to.
func part(line, narrow string, from, to int) string {
	runes, before := []rune(line), len([]rune(narrow[:from]))
	return strings.TrimSpace(string(runes[before : before+len([]rune(narrow[from:to]))]))
}
