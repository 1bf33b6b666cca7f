package rule

import (
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// Refusal is a command that is turned down before the first die: nothing was
// spent, nothing is recorded. It is an error.
type Refusal struct {
	// Reason is the declared reason without its prefix, for example "DEFENCE_LOCKED".
	Reason string
	// Core is true for a reason of the core, false for one of the ruleset.
	Core bool
	// Rule is the id of the rule that refuses; empty for the core's own.
	Rule string
	// Field names the field that is wrong, as a path in the action or answer; may be empty.
	Field string
	// Nearest is the nearest valid name where a name was unknown; may be empty.
	Nearest string
	// Detail is a short addition in English for logs and developers; may be empty.
	Detail string
}

// Error says the reason, and where it has them the rule, the field and the detail.
func (r *Refusal) Error() string {
	var b strings.Builder
	b.WriteString(r.Reason)
	for _, s := range []string{r.Rule, r.Field, r.Detail} {
		if s != "" {
			b.WriteString(" ")
			b.WriteString(s)
		}
	}
	return b.String()
}

// Reason is an enum that declares reasons.
type Reason interface {
	protoreflect.Enum
	comparable
}

// Refuse makes a ruleset's refusal: the declared reason, the rule that refuses,
// and the field of the action or answer that is wrong, if there is one.
func Refuse[R Reason](reason R, id, field string) *Refusal {
	return &Refusal{Reason: valueName(reason, "REASON_"), Rule: id, Field: field}
}

// Suggest adds the nearest of the valid names to a refusal of an unknown one.
func (r *Refusal) Suggest(name string, valid []string) *Refusal {
	r.Nearest = Nearest(name, valid)
	return r
}

// valueName is an enum value's name without its prefix.
func valueName(e protoreflect.Enum, prefix string) string {
	v := e.Descriptor().Values().ByNumber(e.Number())
	if v == nil {
		panic("rule: undeclared value of " + string(e.Descriptor().FullName()))
	}
	return strings.TrimPrefix(string(v.Name()), prefix)
}

// Nearest returns the valid name with the fewest edits from name, the first of
// several, or "" if none is near: more than a third of its letters would differ.
func Nearest(name string, valid []string) string {
	best, bestEdits := "", len(name)/3+2
	for _, v := range valid {
		if n := edits(name, v, bestEdits); n < bestEdits {
			best, bestEdits = v, n
		}
	}
	return best
}

// edits is the Levenshtein distance of two short names; at least limit stands
// for all that is not nearer.
func edits(a, b string, limit int) int {
	if len(a) > 64 || len(b) > 64 {
		return limit
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			change := diagonal
			if a[i-1] != b[j-1] {
				change++
			}
			diagonal = row[j]
			row[j] = min(change, row[j]+1, row[j-1]+1)
		}
	}
	return row[len(b)]
}
