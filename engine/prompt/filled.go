package prompt

import (
	"strings"

	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// Filled is Fill the other way: the values with which the inputs make filled of m.
// It is false where they cannot. Which values an input lists is not looked at.
func Filled[M proto.Message](m M, inputs []*tablev1.Input, filled M) ([]*tablev1.Value, bool) {
	left, bare := proto.Clone(filled).(M), proto.Clone(m).(M)
	var out []*tablev1.Value
	for _, in := range inputs {
		if v := taken(left.ProtoReflect(), in); len(v) > 0 {
			out = append(out, &tablev1.Value{Name: in.Name, Values: v})
		}
		taken(bare.ProtoReflect(), in)
	}
	return out, proto.Equal(left, bare)
}

// taken takes the values out of the place of an input.
func taken(m protoreflect.Message, in *tablev1.Input) []string {
	names := strings.Split(in.Path, ".")
	for _, n := range names[:len(names)-1] {
		f := m.Descriptor().Fields().ByName(protoreflect.Name(n))
		if !m.Has(f) {
			return nil
		}
		m = m.Get(f).Message()
	}
	f := m.Descriptor().Fields().ByName(protoreflect.Name(names[len(names)-1]))
	if !m.Has(f) {
		return nil
	}
	var out []string
	if v := m.Get(f); f.IsList() {
		for i := range v.List().Len() {
			out = append(out, written(f, v.List().Get(i)))
		}
	} else {
		out = append(out, written(f, v))
	}
	m.Clear(f)
	if in.Kind == tablev1.InputKind_INPUT_KIND_PATH {
		return []string{strings.Join(out, " ")}
	}
	return out
}

// written is a value as an input takes it.
func written(f protoreflect.FieldDescriptor, v protoreflect.Value) string {
	switch {
	case f.Kind() == protoreflect.EnumKind:
		values := f.Enum().Values()
		prefix := strings.TrimSuffix(string(values.Get(0).Name()), "UNSPECIFIED")
		return strings.ToLower(strings.TrimPrefix(string(values.ByNumber(v.Enum()).Name()), prefix))
	case f.Message() != nil:
		return SquareText(v.Message().Interface().(*typev1.Square)) // no other message stands in an input's place
	}
	return v.String()
}
