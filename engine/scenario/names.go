package scenario

import (
	"slices"
	"strings"

	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
)

// coreMember is the member of the oneof over rulesets that is none.
const coreMember = "core"

// vocabulary is every name that a ruleset and the core declare. A name that is
// misspelt in no_events would pass for ever: so names are looked up when a file
// is loaded.
type vocabulary struct {
	events  []string // attack_hit
	facts   []string // final
	reasons []string // ALREADY_ATTACKED
	prompts []string // defend
}

// rulesets lists the rulesets that the contract has.
func rulesets() []string {
	var out []string
	for _, f := range fieldsOf((&tablev1.Action{}).ProtoReflect().Descriptor()) {
		if f.Name() != coreMember {
			out = append(out, string(f.Name()))
		}
	}
	return out
}

// vocabularyOf gathers the names of a ruleset of the contract: the enums of its
// proto package and the core's.
func vocabularyOf(ruleset string) *vocabulary {
	v := &vocabulary{prompts: []string{"dice"}}
	for _, pkg := range []protoreflect.FullName{"hantei.table.v1", protoreflect.FullName("hantei." + ruleset + ".v1")} {
		v.events = append(v.events, lower(wordsOf(pkg, "EventName", "EVENT_NAME_"))...)
		v.facts = append(v.facts, lower(wordsOf(pkg, "FactKey", "FACT_KEY_"))...)
		v.reasons = append(v.reasons, wordsOf(pkg, "Reason", "REASON_")...)
	}
	answers := (&tablev1.Answer{}).ProtoReflect().Descriptor().Fields().ByName(protoreflect.Name(ruleset))
	if answers != nil {
		for _, f := range fieldsOf(answers.Message()) {
			v.prompts = append(v.prompts, string(f.Name()))
		}
	}
	return v
}

// wordsOf lists the values of an enum without their prefix.
func wordsOf(pkg protoreflect.FullName, enum protoreflect.Name, prefix string) []string {
	t, err := protoregistry.GlobalTypes.FindEnumByName(pkg.Append(enum))
	if err != nil {
		return nil // a ruleset without names of its own
	}
	var out []string
	values := t.Descriptor().Values()
	for i := range values.Len() {
		if v := values.Get(i); v.Number() != 0 {
			out = append(out, strings.TrimPrefix(string(v.Name()), prefix))
		}
	}
	return out
}

func lower(words []string) []string {
	for i, w := range words {
		words[i] = strings.ToLower(w)
	}
	return words
}

// coreEvent reports whether an event is one of every ruleset: prompts, loose dice.
func coreEvent(name string) bool {
	return slices.Contains(wordsOf("hantei.table.v1", "EventName", "EVENT_NAME_"), strings.ToUpper(name))
}

func fieldsOf(d protoreflect.MessageDescriptor) []protoreflect.FieldDescriptor {
	out := make([]protoreflect.FieldDescriptor, d.Fields().Len())
	for i := range out {
		out[i] = d.Fields().Get(i)
	}
	return out
}

func fieldNames(d protoreflect.MessageDescriptor) []string {
	fields := fieldsOf(d)
	out := make([]string, len(fields))
	for i, f := range fields {
		out[i] = string(f.Name())
	}
	return out
}

// enumPrefix is what the names of an enum's values begin with.
func enumPrefix(e protoreflect.EnumDescriptor) string {
	return strings.TrimSuffix(string(e.Values().Get(0).Name()), "UNSPECIFIED")
}

// enumWord is the short word of an enum's value: "broken".
func enumWord(e protoreflect.EnumDescriptor, n protoreflect.EnumNumber) string {
	v := e.Values().ByNumber(n)
	if v == nil {
		return "?"
	}
	return strings.ToLower(strings.TrimPrefix(string(v.Name()), enumPrefix(e)))
}

// enumWords lists the short words of an enum.
func enumWords(e protoreflect.EnumDescriptor) []string {
	var out []string
	for i := range e.Values().Len() {
		if n := e.Values().Get(i).Number(); n != 0 {
			out = append(out, enumWord(e, n))
		}
	}
	return out
}

// enumNumber finds a value by its short word or its full name.
func enumNumber(e protoreflect.EnumDescriptor, text string) (protoreflect.EnumNumber, bool) {
	v := e.Values().ByName(protoreflect.Name(text))
	if v == nil {
		v = e.Values().ByName(protoreflect.Name(enumPrefix(e) + strings.ToUpper(text)))
	}
	if v == nil || v.Number() == 0 {
		return 0, false
	}
	return v.Number(), true
}
