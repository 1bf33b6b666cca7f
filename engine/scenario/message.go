package scenario

import (
	"strconv"

	"github.com/hantei/hantei/engine/prompt"
	"github.com/hantei/hantei/engine/table"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// merge writes a mapping into a message: field names as in the proto, enum values
// by their short words, squares as "x,y". What the mapping does not name stays.
// null clears a field. protojson would do for actions, but it has no lines, and
// it cannot tell a false that is written from one that is not.
func (p *problems) merge(n *node, m protoreflect.Message) {
	if n.kind != mapNode {
		p.add(n.line, "%s is made of fields: write {field: value}, not %s", m.Descriptor().Name(), n.word())
		return
	}
	var chosen []protoreflect.FieldDescriptor
	for _, kv := range n.pairs {
		f := m.Descriptor().Fields().ByName(protoreflect.Name(kv.key))
		if f == nil {
			p.unknown(kv.line, "field of "+string(m.Descriptor().Name()), kv.key, fieldNames(m.Descriptor()))
			continue
		}
		if o := f.ContainingOneof(); o != nil && !o.IsSynthetic() {
			for _, other := range chosen {
				if other.ContainingOneof() == o {
					p.add(kv.line, "%s and %s exclude each other", other.Name(), f.Name())
				}
			}
			chosen = append(chosen, f)
		}
		p.field(kv.value, m, f)
	}
}

func (p *problems) field(n *node, m protoreflect.Message, f protoreflect.FieldDescriptor) {
	switch {
	case n.kind == nullNode:
		m.Clear(f)
	case f.IsList() && n.kind == mapNode && f.Message() != nil:
		p.keyed(n, m.Mutable(f).List(), f.Message())
	case f.IsList():
		p.elements(n, m.Mutable(f).List(), f)
	case f.Message() != nil:
		p.message(n, m.Mutable(f).Message())
	default:
		if v, ok := p.scalar(n, f); ok {
			m.Set(f, v)
		}
	}
}

func (p *problems) message(n *node, m protoreflect.Message) {
	if _, isSquare := m.Interface().(*typev1.Square); isSquare && n.kind == scalarNode {
		s, ok := prompt.Square(n.text)
		if !ok {
			p.add(n.line, `%q is no square: write "x,y"`, n.text)
			return
		}
		proto.Merge(m.Interface(), s)
		return
	}
	p.merge(n, m)
}

// elements writes a list anew.
func (p *problems) elements(n *node, l protoreflect.List, f protoreflect.FieldDescriptor) {
	if n.kind != listNode {
		p.add(n.line, "%s takes a list, not %s", f.Name(), n.word())
		return
	}
	l.Truncate(0)
	for _, item := range n.items {
		if f.Message() != nil {
			e := l.NewElement()
			p.message(item, e.Message())
			l.Append(e)
		} else if v, ok := p.scalar(item, f); ok {
			l.Append(v)
		}
	}
}

// keyed merges into the pieces of a list by their key, which is field 1. A new
// piece goes where its key sorts; null takes a piece away.
func (p *problems) keyed(n *node, l protoreflect.List, d protoreflect.MessageDescriptor) {
	key := d.Fields().ByNumber(1)
	for _, kv := range n.pairs {
		v, ok := p.scalar(&node{kind: scalarNode, line: kv.line, text: kv.key, plain: true}, key)
		if !ok {
			continue
		}
		at := 0
		for at < l.Len() && keyBefore(l.Get(at).Message().Get(key), v) {
			at++
		}
		found := at < l.Len() && l.Get(at).Message().Get(key).Equal(v)
		switch {
		case kv.value.kind == nullNode:
			if found {
				table.CutPiece(l, at)
			}
			continue
		case !found:
			e := l.NewElement()
			e.Message().Set(key, v)
			ownAudience(e.Message())
			table.InsertPiece(l, at, e)
		}
		p.merge(kv.value, l.Get(at).Message())
	}
}

// ownAudience has a new piece seen by its owner: what has no audience is shown to nobody.
func ownAudience(m protoreflect.Message) {
	audience := typev1.Audience_AUDIENCE_OWNER
	for _, f := range fieldsOf(m.Descriptor()) {
		if f.Enum() != nil && f.Enum().FullName() == audience.Descriptor().FullName() {
			m.Set(f, protoreflect.ValueOfEnum(audience.Number()))
		}
	}
}

// keyBefore takes every kind of key that scalar reads.
func keyBefore(a, b protoreflect.Value) bool {
	if n, ok := a.Interface().(int32); ok {
		return int64(n) < b.Int()
	}
	return a.String() < b.String()
}

// scalar reads one value of a field that is no message.
func (p *problems) scalar(n *node, f protoreflect.FieldDescriptor) (protoreflect.Value, bool) {
	none := protoreflect.Value{}
	if n.kind != scalarNode {
		p.add(n.line, "%s takes one value, not %s", f.Name(), n.word())
		return none, false
	}
	switch f.Kind() {
	case protoreflect.StringKind:
		return protoreflect.ValueOfString(n.text), true
	case protoreflect.BoolKind:
		if n.plain && (n.text == "true" || n.text == "false") {
			return protoreflect.ValueOfBool(n.text == "true"), true
		}
		p.add(n.line, "%s is true or false, not %q", f.Name(), n.text)
	case protoreflect.Int32Kind:
		v, err := strconv.ParseInt(n.text, 10, 32)
		if err == nil && n.plain {
			return protoreflect.ValueOfInt32(int32(v)), true
		}
		p.add(n.line, "%s is a whole number, not %q", f.Name(), n.text)
	case protoreflect.EnumKind:
		if v, ok := enumNumber(f.Enum(), n.text); ok {
			return protoreflect.ValueOfEnum(v), true
		}
		p.unknown(n.line, string(f.Name()), n.text, enumWords(f.Enum()))
	default:
		p.add(n.line, "%s cannot be written in a scenario file", f.Name())
	}
	return none, false
}
