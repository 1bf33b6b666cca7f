package scenario

import (
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// whoever is a character's id, or the GM.
func whoever(id string) string {
	if id == "" {
		return GM
	}
	return id
}

// brief writes an action or answer in few words: its own name and what it says,
// without the shells around it: "attack {weapon: baton, target: thug}".
func brief(m protoreflect.Message) string {
	name := ""
	for range 2 {
		f := m.WhichOneof(m.Descriptor().Oneofs().Get(0))
		if f == nil {
			break
		}
		name, m = string(f.Name()), m.Get(f).Message()
	}
	if text := briefFields(m); text != "{}" {
		return name + " " + text
	}
	return name
}

func briefFields(m protoreflect.Message) string {
	var parts []string
	for _, f := range fieldsOf(m.Descriptor()) {
		if !m.Has(f) {
			continue
		}
		v := m.Get(f)
		text := ""
		if f.IsList() {
			var items []string
			for i := range v.List().Len() {
				items = append(items, briefValue(f, v.List().Get(i)))
			}
			text = "[" + strings.Join(items, ", ") + "]"
		} else {
			text = briefValue(f, v)
		}
		parts = append(parts, string(f.Name())+": "+text)
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

func briefValue(f protoreflect.FieldDescriptor, v protoreflect.Value) string {
	if f.Message() != nil && f.Message().FullName() != squareName {
		return briefFields(v.Message())
	}
	return fieldWord(f, v)
}

// brief writes what is decided.
func (r *Reply) brief() string {
	switch {
	case r.Action != nil:
		return brief(r.Action.ProtoReflect())
	case r.Answer != nil:
		return brief(r.Answer.ProtoReflect())
	}
	text := r.Prompt + ": " + r.Choice
	for _, v := range r.Values {
		text += " " + v.Name + "=" + strings.Join(v.Values, ",")
	}
	return text
}
