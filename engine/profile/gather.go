package profile

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hantei/hantei/engine/foreign"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// Where something of another tool's sheet is kept; the catalogue has the words.
const (
	// InProfile is an entry of the profile.
	InProfile = "profile"
	// InNotes is a part of the notes.
	InNotes = "notes"
)

// Gathering makes a profile and notes of what another tool has, as far as there is
// room. What it has gathered passes Check.
type Gathering struct {
	// Entries are those of the profile.
	Entries []*tablev1.ProfileEntry

	plain, headed string // of the notes
	heading       string // under which the last line stands
}

// Notes are what has been gathered of them: what has no heading stands first.
func (g *Gathering) Notes() string { return join(g.plain, "\n\n", g.headed) }

// Entry keeps something in one line of the profile; what is longer, or has no label or
// text, goes to the notes, whole. It returns where it is, or "" if there is no room for it.
func (g *Gathering) Entry(label, text string) string {
	label, text = line(label), strings.TrimSpace(text)
	fits := label != "" && line(text) != "" && utf8.RuneCountInString(label) <= MaxLabel && utf8.RuneCountInString(text) <= MaxText
	if !fits || strings.Contains(text, "\n") || len(g.Entries) == MaxEntries {
		return g.Note(label, text)
	}
	g.Entries = append(g.Entries, &tablev1.ProfileEntry{Label: label, Text: line(text)})
	return InProfile
}

// notesLabels are what tools call notes as such: under these, they need no heading.
var notesLabels = []string{"notes", "note", "memo", "メモ", "備考", "ノート"}

// Note keeps a text in the notes, under its label as a heading. It returns where it
// is, or "" if there is no room for it: half a text is not kept.
func (g *Gathering) Note(label, text string) string {
	next := *g
	label, text = line(label), lines(text)
	switch {
	case label == "" || slices.Contains(notesLabels, foreign.Fold(label)):
		next.plain = join(g.plain, "\n", text)
	case label == g.heading:
		next.headed += "\n" + text
	default:
		next.headed = join(g.headed, "\n\n", "【"+label+"】\n"+text)
		next.heading = label
	}
	if utf8.RuneCountInString(next.Notes()) > MaxNotes {
		return ""
	}
	*g = next
	return InNotes
}

// join puts two texts together, where there are two.
func join(before, by, after string) string {
	if before == "" || after == "" {
		return before + after
	}
	return before + by + after
}

// line is a text in one line, with a blank for what has no place in it.
func line(text string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if Unprintable(r) {
			return ' '
		}
		return r
	}, text))
}

// lines are a text as it is, with a blank for what has no place in it.
func lines(text string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if unreadable(r) {
			return ' '
		}
		return r
	}, strings.ReplaceAll(text, "\r\n", "\n")))
}
