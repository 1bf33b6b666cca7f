package scenario

import (
	"errors"
	"slices"

	"github.com/hantei/hantei/engine/rule"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// Report is how a file went.
type Report struct {
	// File that was played.
	File *File
	// Rules are the failures of the file's own list of rules: the specification does
	// not have them.
	Rules []*Error
	// Cases in the order of the file.
	Cases []*CaseReport
}

// CaseReport is how a case went.
type CaseReport struct {
	// Case that was played.
	Case *Case
	// Entries in order, up to the one that could not go on.
	Entries []*EntryReport
	// Failures outside of entries: the table could not be made.
	Failures []*Error
}

// EntryReport is how an entry went.
type EntryReport struct {
	// Entry that was played.
	Entry *Entry
	// Moments are the commands of it in order: the action, the answers, the levers.
	Moments []*Moment
	// Failures are what did not come out as the entry says.
	Failures []*Error
}

// Moment is one command.
type Moment struct {
	// Line of it; that of the entry for a default that nobody wrote down.
	Line int
	// Who acted or decided; "gm" for the GM.
	Who string
	// What in a few words: "attack {weapon: baton, target: thug}".
	What string
	// Refusal is why it was turned down; nil if it was taken.
	Refusal *rule.Refusal
	// Events that came of it.
	Events []*tablev1.Event
}

// Events are what came of the entry, in order.
func (r *EntryReport) Events() []*tablev1.Event {
	var out []*tablev1.Event
	for _, m := range r.Moments {
		out = append(out, m.Events...)
	}
	return out
}

// Passed reports whether everything came out as the file says.
func (r *Report) Passed() bool { return len(r.Failures()) == 0 }

// Passed reports whether everything came out as the case says.
func (r *CaseReport) Passed() bool { return len(r.All()) == 0 }

// All lists the failures of a case, those of its entries too.
func (r *CaseReport) All() []*Error {
	out := r.Failures[:len(r.Failures):len(r.Failures)]
	for _, e := range r.Entries {
		out = append(out, e.Failures...)
	}
	return out
}

// Failures lists all failures, those of all cases too.
func (r *Report) Failures() []*Error {
	out := slices.Clone(r.Rules)
	for _, c := range r.Cases {
		out = append(out, c.All()...)
	}
	return out
}

// Err joins the failures, or returns nil.
func (r *Report) Err() error {
	var all []error
	for _, e := range r.Failures() {
		all = append(all, e)
	}
	return errors.Join(all...)
}
