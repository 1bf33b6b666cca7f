package scenario

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/hantei/hantei/engine/rule"
)

// Error is something wrong in a scenario file, or something that did not come out
// as the file says.
type Error struct {
	// File and Line say where; Line is 0 for the file as a whole.
	File string
	Line int
	// Text says what.
	Text string
}

// Error gives "EX-COC-ATK-01-1.yaml:12: no event attack_hit".
func (e *Error) Error() string {
	if e.Line == 0 {
		return e.File + ": " + e.Text
	}
	return e.File + ":" + strconv.Itoa(e.Line) + ": " + e.Text
}

// problems gathers what is wrong in one file, so that its author is told all of
// it at once.
type problems struct {
	file  string
	found []*Error
}

func (p *problems) add(line int, format string, args ...any) {
	p.found = append(p.found, &Error{File: p.file, Line: line, Text: fmt.Sprintf(format, args...)})
}

// unknown adds a name that is not among the valid ones, with the nearest of them.
func (p *problems) unknown(line int, what, name string, valid []string) {
	p.add(line, "unknown %s %q%s", what, name, nearest(name, valid))
}

func nearest(name string, valid []string) string {
	if near := rule.Nearest(name, valid); near != "" {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	return ""
}

// err joins what was gathered, in the order of the lines, or returns nil.
func (p *problems) err() error {
	slices.SortStableFunc(p.found, func(a, b *Error) int { return a.Line - b.Line })
	all := make([]error, len(p.found))
	for i, e := range p.found {
		all[i] = e
	}
	return errors.Join(all...)
}
