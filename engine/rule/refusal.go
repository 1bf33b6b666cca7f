package rule

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

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
	// Value is the name that was wrong, as the caller sent it: it goes back to him, so
	// nothing else may stand here. May be empty.
	Value string
	// Nearest is the nearest valid name where a name was unknown; may be empty.
	Nearest string
	// Called is what people call the nearest, where it is somebody with a name; may be empty.
	Called string
	// Detail says what was expected and what came; the zero Detail where the reason
	// says it all.
	Detail Detail
}

// Say adds the detail: the key of its text, below "wrong.", and what the text asks for.
func (r *Refusal) Say(key string, params ...Param) *Refusal { return r.Tell(Say(key, params...)) }

// Tell adds a detail that was made elsewhere.
func (r *Refusal) Tell(d Detail) *Refusal {
	r.Detail = d
	return r
}

// Error says the reason, and where it has them the rule, the field and the detail.
func (r *Refusal) Error() string {
	var b strings.Builder
	b.WriteString(r.Reason)
	for _, s := range []string{r.Rule, r.Field, r.Detail.String()} {
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

// longestValue is the longest name that a refusal repeats; no name of ours is longer.
const longestValue = 64

// Name adds the name that is wrong, as the caller sent it. One that can be no name
// is not repeated.
func (r *Refusal) Name(name string) *Refusal {
	if len(name) <= longestValue && utf8.ValidString(name) && !strings.ContainsFunc(name, unicode.IsControl) {
		r.Value = name
	}
	return r
}

// Suggest adds the name that is wrong and the nearest of the valid ones. A name
// that is among them is wrong for another reason, and nothing else is meant.
func (r *Refusal) Suggest(name string, valid []string) *Refusal {
	if !slices.Contains(valid, name) {
		r.Nearest = Nearest(name, valid)
	}
	return r.Name(name)
}

// Quote is what somebody sent, for a log: in quotes, and shortened if it is long.
func Quote(text string) string { return strconv.Quote(shorten(text)) }

// legible is what somebody sent, to stand in a text: shortened if it is long, and
// with what has no sign of its own escaped.
func legible(text string) string {
	quoted := strconv.Quote(shorten(text))
	return strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(quoted[1 : len(quoted)-1])
}

// longestSent is how many characters of what somebody sent a detail repeats.
const longestSent = 64

func shorten(text string) string {
	if runes := []rune(text); len(runes) > longestSent {
		return string(runes[:longestSent]) + "…"
	}
	return text
}

// valueName is an enum value's name without its prefix.
func valueName(e protoreflect.Enum, prefix string) string {
	v := e.Descriptor().Values().ByNumber(e.Number())
	if v == nil {
		panic("rule: undeclared value of " + string(e.Descriptor().FullName()))
	}
	return strings.TrimPrefix(string(v.Name()), prefix)
}
