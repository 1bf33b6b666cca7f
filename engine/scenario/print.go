package scenario

import (
	"fmt"
	"io"
	"strings"

	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

// Print writes how a file went: each command with what came of it, each failure
// where it happened, and whether the file passes. Nothing is hidden.
// For people as a table reads it, there is the package transcript.
func Print(w io.Writer, r *Report) error {
	t := &transcript{}
	t.line(0, "%s  %s", r.File.ID, r.File.Name)
	t.failures(r.Rules)
	for _, c := range r.Cases {
		t.caseOf(c)
	}
	t.line(0, "%s %s", verdict(r.Passed()), r.File.ID)
	_, err := io.WriteString(w, t.String())
	return err
}

func verdict(passed bool) string {
	if passed {
		return "PASS"
	}
	return "FAIL"
}

type transcript struct{ strings.Builder }

func (t *transcript) line(indent int, format string, args ...any) {
	t.WriteString(strings.Repeat("  ", indent))
	fmt.Fprintf(t, format, args...)
	t.WriteByte('\n')
}

func (t *transcript) caseOf(c *CaseReport) {
	if c.Case.Name != "" {
		t.line(1, "%s  case %s", verdict(c.Passed()), c.Case.Name)
	}
	t.failures(c.Failures)
	for i, e := range c.Entries {
		t.entry(i+1, e)
	}
	if left := len(c.Case.Play) - len(c.Entries); left > 0 {
		t.line(1, "(%d more not played)", left)
	}
}

func (t *transcript) entry(number int, e *EntryReport) {
	if len(e.Moments) == 0 {
		t.line(1, "%d. (line %d)", number, e.Entry.Line)
	}
	for i, m := range e.Moments {
		label := "   >"
		if i == 0 {
			label = fmt.Sprintf("%d. ", number)
		}
		who := m.Who
		if who != "" {
			who += ": "
		}
		t.line(1, "%s%s%s (line %d)", label, who, m.What, m.Line)
		if m.Refusal != nil {
			t.line(3, "refused: %v", m.Refusal)
		}
		for _, ev := range m.Events {
			t.event(ev)
		}
	}
	t.failures(e.Failures)
}

func (t *transcript) failures(all []*Error) {
	for _, f := range all {
		t.line(3, "FAIL %v", f)
	}
}

func (t *transcript) event(e *tablev1.Event) {
	text := e.Name
	if e.Rule != "" {
		text += " [" + e.Rule + "]"
	}
	if e.Actor != "" {
		text += " " + e.Actor
	}
	if len(e.Targets) > 0 {
		targets := make([]string, len(e.Targets))
		for i, id := range e.Targets {
			targets[i] = whoever(id)
		}
		text += " -> " + strings.Join(targets, ", ")
	}
	for _, f := range e.Facts {
		text += " " + fact(f)
	}
	t.line(3, "%s", text)
	for _, d := range e.Dice {
		t.line(4, "%s", throwText(d))
	}
	for _, l := range e.Trace {
		t.line(4, "| %s", traceText(l))
	}
}

// fact is "final=6", or "hp(thug)=7" where it is not the actor's.
func fact(f *typev1.Fact) string {
	if f.Of != "" {
		return f.Key + "(" + f.Of + ")=" + factValue(f).short()
	}
	return f.Key + "=" + factValue(f).short()
}

// short is the value without the brackets of a list of one.
func (v Value) short() string {
	if len(v.Words) == 1 {
		return v.Words[0]
	}
	return v.String()
}

// throwText is a throw in scenario notation, ready to be copied into a file, with
// what it was for.
func throwText(d *typev1.Die) string {
	sum := int32(0)
	faces := make([]string, len(d.Faces))
	for i, f := range d.Faces {
		sum += f
		faces[i] = fmt.Sprint(f)
	}
	text := fmt.Sprintf("%dD%d=%d", len(d.Faces), d.Sides, sum)
	if len(d.Faces) > 1 {
		text += "(" + strings.Join(faces, ",") + ")"
	}
	text += "  " + d.Label
	if d.Of != "" {
		text += " of " + d.Of
	}
	return text
}

func traceTexts(lines []*typev1.TraceLine) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = traceText(l)
	}
	return out
}

// traceText is a line of the working of a value: "plus10: add 10 = 75 [COC-CHK-05]".
func traceText(l *typev1.TraceLine) string {
	op := "" // the value that the others work on
	switch l.Op {
	case typev1.ModifierOp_MODIFIER_OP_ADD:
		op = "add "
	case typev1.ModifierOp_MODIFIER_OP_MULTIPLY:
		op = "times "
	case typev1.ModifierOp_MODIFIER_OP_DIVIDE:
		op = "divided by "
	case typev1.ModifierOp_MODIFIER_OP_FLOOR:
		op = "at least "
	case typev1.ModifierOp_MODIFIER_OP_CAP:
		op = "at most "
	}
	text := l.Label
	if l.Value != nil {
		text += fmt.Sprintf(": %s%d", op, *l.Value)
	}
	if l.Result != nil {
		text += fmt.Sprintf(" = %d", *l.Result)
	}
	if l.Rule != "" {
		text += " [" + l.Rule + "]"
	}
	if l.Suppressed {
		text += " (no effect)"
	}
	return text
}
