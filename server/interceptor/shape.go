package interceptor

import (
	"slices"
	"strings"

	shapes "buf.build/gen/go/bufbuild/protovalidate/protocolbuffers/go/buf/validate"
	"buf.build/go/protovalidate"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/hantei/hantei/server/language"
)

// patterns are the patterns of the protos by the text that says in people's words
// what fits.
var patterns = map[string]string{
	"^[a-z0-9][a-z0-9_-]{0,23}$":    "pattern.id",
	"^([a-z0-9][a-z0-9_-]{0,23})?$": "pattern.id",
	"^[a-z0-9_-]{0,24}$":            "pattern.side",
	"^[A-Za-z0-9_-]{0,64}$":         "pattern.etag",
	"^[^[:cntrl:]]*$":               "pattern.line",
}

// describe says where a request is wrong, and how. The validator speaks of
// oneofs, which no client can write, of enums as numbers, and of patterns.
func describe(request protoreflect.MessageDescriptor, v *protovalidate.Violation) wrongField {
	field, rule := protovalidate.FieldPathString(v.Proto.GetField()), v.Proto.GetRuleId()
	fd, oneof := meant(request, v.Proto.GetField().GetElements())
	switch {
	case fd != nil:
		return wrongField{field, broken(fd, rule)}
	case oneof != nil:
		members := make([]string, oneof.Fields().Len())
		for i := range members {
			members[i] = string(oneof.Fields().Get(i).Name())
		}
		field = strings.TrimSuffix(field, string(oneof.Name())) + members[0]
		return wrongField{field, wrong{"oneof", map[string]string{"names": strings.Join(members, ", ")}}}
	default:
		return wrongField{field, otherShape(rule)}
	}
}

// broken says what breaks a rule of a field.
func broken(fd protoreflect.FieldDescriptor, rule string) wrong {
	values := valuesOf(fd, rule)
	what := rule
	switch {
	case rule == "string.pattern":
		what = patterns[values["pattern"]]
	case strings.HasPrefix(rule, "enum."):
		what = "enum"
		values = map[string]string{"names": strings.Join(namesFor(fd), ", ")}
	}
	if !language.Texts().Has("wrong." + what) {
		return otherShape(rule)
	}
	return wrong{what, values}
}

// otherShape is for a rule that has no text of its own.
func otherShape(rule string) wrong { return wrong{"shape", map[string]string{"rule": rule}} }

// valuesOf are the values of all rules of the kind of one, such as max_len of
// string.min_len too.
func valuesOf(fd protoreflect.FieldDescriptor, rule string) map[string]string {
	values := map[string]string{}
	kind, _, _ := strings.Cut(rule, ".")
	rules := rulesOf(fd, kind != "repeated").ProtoReflect()
	set := rules.Descriptor().Fields().ByTextName(kind)
	if set == nil || set.Message() == nil || !rules.Has(set) {
		return values
	}
	rules.Get(set).Message().Range(func(r protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		if r.Message() == nil && !r.IsList() {
			values[string(r.Name())] = v.String()
		}
		return true
	})
	return values
}

// rulesOf are the rules of a field, or, of a list, of one entry.
func rulesOf(fd protoreflect.FieldDescriptor, entry bool) *shapes.FieldRules {
	rules, err := protovalidate.ResolveFieldRules(fd)
	if err != nil {
		return nil
	}
	if entry && fd.IsList() {
		return rules.GetRepeated().GetItems()
	}
	return rules
}

// namesFor are the values that an enum may have.
func namesFor(fd protoreflect.FieldDescriptor) []string {
	e := rulesOf(fd, true).GetEnum()
	var names []string
	for i := range fd.Enum().Values().Len() {
		value := fd.Enum().Values().Get(i)
		n := int32(value.Number())
		if (len(e.GetIn()) == 0 || slices.Contains(e.GetIn(), n)) && !slices.Contains(e.GetNotIn(), n) && (!e.HasConst() || e.GetConst() == n) {
			names = append(names, string(value.Name()))
		}
	}
	return names
}

// meant is the field at the end of a path, or the oneof, whose name stands there
// like a field's; neither if the path leads nowhere.
func meant(m protoreflect.MessageDescriptor, path []*shapes.FieldPathElement) (protoreflect.FieldDescriptor, protoreflect.OneofDescriptor) {
	for i, e := range path {
		name := protoreflect.Name(e.GetFieldName())
		fd := m.Fields().ByName(name)
		switch {
		case i == len(path)-1 && fd != nil:
			return fd, nil
		case i == len(path)-1:
			return nil, m.Oneofs().ByName(name)
		case fd == nil || fd.Message() == nil:
			return nil, nil
		}
		m = fd.Message()
	}
	return nil, nil
}
