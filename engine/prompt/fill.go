// Package prompt has what offers and prompts share: filling inputs in, finding
// windows and slots, and knowing when a question need not be asked.
package prompt

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/hantei/hantei/engine/rule"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// Fill returns a copy of m, an action or an answer, with the values written where
// the inputs say. It refuses a value that no input asks for, one that is missing,
// and one that the input does not list.
func Fill[M proto.Message](m M, inputs []*tablev1.Input, values []*tablev1.Value) (M, *rule.Refusal) {
	out := proto.Clone(m).(M)
	for i, v := range values {
		if value(values[:i], v.Name) != nil {
			return out, wrong(v.Name).Say("input_twice")
		}
		if input(inputs, v.Name) == nil {
			names := make([]string, len(inputs))
			for i, in := range inputs {
				names[i] = in.Name
			}
			return out, wrong(v.Name).Say("no_input", rule.Names("names", names...)).Suggest(v.Name, names)
		}
	}
	for _, in := range inputs {
		given := value(values, in.Name)
		if n := int32(len(given)); n < in.MinCount || n > in.MaxCount {
			return out, count(in, n)
		}
		if len(given) == 0 {
			continue
		}
		if r := fill(out.ProtoReflect(), in, given); r != nil {
			return out, r
		}
	}
	return out, nil
}

// count refuses more or fewer values than an input takes.
func count(in *tablev1.Input, given int32) *rule.Refusal {
	r := wrong(in.Name)
	switch {
	case given > in.MaxCount:
		return r.Say("repeated.max_items", rule.Number("max_items", in.MaxCount))
	case given == 0:
		return r.Say("required")
	}
	return r.Say("repeated.min_items", rule.Number("min_items", in.MinCount))
}

// length refuses a text that is too short or too long.
func length(in *tablev1.Input) *rule.Refusal {
	if in.Max <= 0 {
		return wrong(in.Name).Say("string.min_len", rule.Number("min_len", in.Min))
	}
	return wrong(in.Name).Say("string.min_len", rule.Number("min_len", in.Min), rule.Number("max_len", in.Max))
}

// fewChoices is how many choices a refusal lists.
const fewChoices = 12

// among refuses what is none of the choices, and says which there are if they are few.
// It never lists characters: which of them the seat may know of is not known here.
func among(in *tablev1.Input, text string) *rule.Refusal {
	sent, r := rule.Sent("sent", text), wrong(in.Name)
	switch {
	case in.Kind == tablev1.InputKind_INPUT_KIND_CHARACTER:
		r.Say("choose_character", sent)
	case len(in.Choices) > fewChoices:
		r.Say("choose_one", rule.Number("count", len(in.Choices)), sent)
	default:
		r.Say("choose_among", rule.Names("names", in.Choices...), sent)
	}
	return r.Suggest(text, in.Choices)
}

// wrong refuses an input.
func wrong(input string) *rule.Refusal {
	return rule.Core(tablev1.Reason_REASON_INVALID_FIELD, "values."+input)
}

func input(inputs []*tablev1.Input, name string) *tablev1.Input {
	for _, in := range inputs {
		if in.Name == name {
			return in
		}
	}
	return nil
}

func value(values []*tablev1.Value, name string) []string {
	for _, v := range values {
		if v.Name == name {
			return v.Values
		}
	}
	return nil
}

// fill writes one input's values at its path.
func fill(m protoreflect.Message, in *tablev1.Input, given []string) *rule.Refusal {
	names := strings.Split(in.Path, ".")
	for _, n := range names[:len(names)-1] {
		m = m.Mutable(m.Descriptor().Fields().ByName(protoreflect.Name(n))).Message()
	}
	f := m.Descriptor().Fields().ByName(protoreflect.Name(names[len(names)-1]))
	if f == nil {
		panic("prompt: input with a path that leads nowhere: " + in.Path)
	}
	if in.Kind == tablev1.InputKind_INPUT_KIND_PATH {
		return fillPath(m.Mutable(f).List(), in, given)
	}
	for _, text := range given {
		v, r := parse(in, f, text)
		if r != nil {
			return r
		}
		if f.IsList() {
			m.Mutable(f).List().Append(v)
		} else {
			m.Set(f, v)
		}
	}
	return nil
}

func fillPath(l protoreflect.List, in *tablev1.Input, given []string) *rule.Refusal {
	for _, text := range given {
		for _, word := range strings.Fields(text) {
			s, ok := Square(word)
			if !ok {
				return wrong(in.Name).Say("path_form", rule.Sent("sent", word))
			}
			l.Append(protoreflect.ValueOfMessage(s.ProtoReflect()))
		}
	}
	return nil
}

func parse(in *tablev1.Input, f protoreflect.FieldDescriptor, text string) (protoreflect.Value, *rule.Refusal) {
	none := protoreflect.Value{}
	if len(in.Choices) > 0 && !contains(in.Choices, text) {
		return none, among(in, text)
	}
	switch in.Kind {
	case tablev1.InputKind_INPUT_KIND_NUMBER:
		n, err := strconv.ParseInt(text, 10, 32)
		if err != nil || len(in.Choices) == 0 && (int32(n) < in.Min || int32(n) > in.Max) {
			return none, wrong(in.Name).Say("int32.gte_lte", rule.Number("gte", in.Min), rule.Number("lte", in.Max))
		}
		return protoreflect.ValueOfInt32(int32(n)), nil
	case tablev1.InputKind_INPUT_KIND_UINT64:
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			return none, wrong(in.Name).Say("uint64", rule.Sent("sent", text))
		}
		return protoreflect.ValueOfString(strconv.FormatUint(n, 10)), nil
	case tablev1.InputKind_INPUT_KIND_BOOL:
		if text != "true" && text != "false" {
			return none, wrong(in.Name).Say("not_bool")
		}
		return protoreflect.ValueOfBool(text == "true"), nil
	case tablev1.InputKind_INPUT_KIND_SQUARE:
		s, ok := Square(text)
		if !ok {
			return none, wrong(in.Name).Say("square_form", rule.Sent("sent", text))
		}
		return protoreflect.ValueOfMessage(s.ProtoReflect()), nil
	case tablev1.InputKind_INPUT_KIND_TEXT:
		if n := int32(utf8.RuneCountInString(text)); n < in.Min || in.Max > 0 && n > in.Max {
			return none, length(in)
		}
		return protoreflect.ValueOfString(text), nil
	}
	if f.Kind() == protoreflect.EnumKind {
		return enum(in, f, text)
	}
	return protoreflect.ValueOfString(text), nil
}

// enum finds the value whose name ends in the word: "dodge" is DEFENCE_KIND_DODGE.
func enum(in *tablev1.Input, f protoreflect.FieldDescriptor, text string) (protoreflect.Value, *rule.Refusal) {
	values := f.Enum().Values()
	prefix := strings.TrimSuffix(string(values.Get(0).Name()), "UNSPECIFIED")
	v := values.ByName(protoreflect.Name(prefix + strings.ToUpper(text)))
	if v == nil || v.Number() == 0 {
		return protoreflect.Value{}, wrong(in.Name).
			Say("choose_among", rule.Names("names", enumWords(values, prefix)...), rule.Sent("sent", text))
	}
	return protoreflect.ValueOfEnum(v.Number()), nil
}

// enumWords are the values of an enum as inputs take them.
func enumWords(values protoreflect.EnumValueDescriptors, prefix string) []string {
	var out []string
	for i := range values.Len() {
		if v := values.Get(i); v.Number() != 0 {
			out = append(out, strings.ToLower(strings.TrimPrefix(string(v.Name()), prefix)))
		}
	}
	return out
}

// Square reads "x,y" or "x,y,floor".
func Square(text string) (*typev1.Square, bool) {
	words := strings.Split(text, ",")
	if len(words) != 2 && len(words) != 3 {
		return nil, false
	}
	var n [3]int32
	for i, w := range words {
		v, err := strconv.ParseInt(w, 10, 32)
		if err != nil {
			return nil, false
		}
		n[i] = int32(v)
	}
	return &typev1.Square{X: n[0], Y: n[1], Floor: n[2]}, true
}

// SquareText is what Square reads: "x,y", or "x,y,floor" above or below the floor
// where play began.
func SquareText(s *typev1.Square) string {
	text := strconv.Itoa(int(s.GetX())) + "," + strconv.Itoa(int(s.GetY()))
	if s.GetFloor() != 0 {
		text += "," + strconv.Itoa(int(s.GetFloor()))
	}
	return text
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}
