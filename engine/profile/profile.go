// Package profile is about what a sheet says of a person and no rule reads: the
// entries of its profile, and the notes of its player. It knows no ruleset.
package profile

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hantei/hantei/engine/rule"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// The most that a sheet takes, in characters where it is a text. The contract says the
// same.
const (
	// MaxEntries is the most entries of a profile.
	MaxEntries = 100
	// MaxLabel and MaxText are the longest label and text of an entry.
	MaxLabel = 80
	MaxText  = 400
	// MaxNotes is the longest that notes can be.
	MaxNotes = 20000
	// MaxSpeciality is the longest speciality of a stat.
	MaxSpeciality = 40
)

// Check refuses a profile and notes that people could not read, or that are too
// large: INVALID_FIELD with sheet.profile or sheet.notes. Entries are one line each.
func Check(entries []*tablev1.ProfileEntry, notes string) *rule.Refusal {
	const field = "sheet.profile"
	if len(entries) > MaxEntries {
		return refuse(field).Say("repeated.max_items", rule.Number("max_items", MaxEntries))
	}
	for _, e := range entries {
		switch {
		case strings.TrimSpace(e.GetLabel()) == "":
			return refuse(field + ".label").Say("required")
		case utf8.RuneCountInString(e.Label) > MaxLabel:
			return refuse(field+".label").Say("string.max_len", rule.Number("max_len", MaxLabel)).Name(e.Label)
		case strings.ContainsFunc(e.Label, Unprintable):
			return refuse(field + ".label").Say("pattern.line")
		case strings.TrimSpace(e.Text) == "":
			return refuse(field + ".text").Say("required").Name(e.Label)
		case utf8.RuneCountInString(e.Text) > MaxText:
			return refuse(field+".text").Say("string.max_len", rule.Number("max_len", MaxText)).Name(e.Label)
		case strings.ContainsFunc(e.Text, Unprintable):
			return refuse(field + ".text").Say("pattern.line").Name(e.Label)
		}
	}
	switch {
	case utf8.RuneCountInString(notes) > MaxNotes:
		return refuse("sheet.notes").Say("string.max_len", rule.Number("max_len", MaxNotes))
	case strings.ContainsFunc(notes, unreadable):
		return refuse("sheet.notes").Say("control")
	}
	return nil
}

// CheckSpecialities refuses specialities of stats that people could not read:
// INVALID_FIELD with sheet.stats.speciality.
func CheckSpecialities(stats []*tablev1.StatInput) *rule.Refusal {
	const field = "sheet.stats.speciality"
	for _, s := range stats {
		switch {
		case utf8.RuneCountInString(s.GetSpeciality()) > MaxSpeciality:
			return refuse(field).Say("string.max_len", rule.Number("max_len", MaxSpeciality)).Name(s.Key)
		case strings.ContainsFunc(s.GetSpeciality(), Unprintable):
			return refuse(field).Say("pattern.line").Name(s.GetKey())
		}
	}
	return nil
}

func refuse(field string) *rule.Refusal {
	return rule.Core(tablev1.Reason_REASON_INVALID_FIELD, field)
}

// Unprintable are control characters and those that turn the text around them: what
// people write in one line has none of them.
func Unprintable(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r) ||
		r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069'
}

// unreadable is Unprintable for texts of several lines.
func unreadable(r rune) bool { return r != '\n' && r != '\r' && r != '\t' && Unprintable(r) }
