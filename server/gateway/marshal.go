package gateway

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"sync"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

// marshal writes a message as protojson does with EmitDefaultValues, but without
// the fields that are declared as nobody's: the projection always clears them, so
// that every row would tell of them that they are empty. protojson has no say in
// which fields it writes.
func marshal(m proto.Message) ([]byte, error) {
	b, err := appendMessage(make([]byte, 0, 1024), m.ProtoReflect())
	if err != nil {
		return nil, fmt.Errorf("JSON of %s: %w", m.ProtoReflect().Descriptor().FullName(), err)
	}
	return b, nil
}

// shown is how the fields of a type of message are written, in their order.
type shown struct {
	fields []shownField
	// own says that the type has a form of its own, which protojson knows.
	own bool
}

type shownField struct {
	fd   protoreflect.FieldDescriptor
	name string // `"name":`
	// absent is what stands for a field that is not set, with its name; empty if
	// the field is left out then.
	absent string
}

// allShown has what was found out about types, by descriptor.
var allShown sync.Map

func shownOf(d protoreflect.MessageDescriptor) *shown {
	if s, ok := allShown.Load(d); ok {
		return s.(*shown)
	}
	s := &shown{own: d.ParentFile().Package() == "google.protobuf"}
	for i := range d.Fields().Len() {
		fd := d.Fields().Get(i)
		if proto.GetExtension(fd.Options(), typev1.E_See) == typev1.Audience_AUDIENCE_NEVER {
			continue
		}
		f := shownField{fd: fd, name: `"` + fd.JSONName() + `":`}
		switch {
		case fd.IsMap():
			s.own = true // of which we have none, so that it may be slow
		case fd.IsList():
			f.absent = f.name + "[]"
		case !fd.HasPresence():
			value, err := appendValue(nil, fd.Default(), fd)
			if err != nil {
				panic(err) // a default is always written
			}
			f.absent = f.name + string(value)
		}
		s.fields = append(s.fields, f)
	}
	allShown.Store(d, s)
	return s
}

func appendMessage(b []byte, m protoreflect.Message) ([]byte, error) {
	s := shownOf(m.Descriptor())
	if s.own {
		return protojson.MarshalOptions{EmitDefaultValues: true}.MarshalAppend(b, m.Interface())
	}
	b = append(b, '{')
	empty := len(b)
	for i := range s.fields {
		f := &s.fields[i]
		set := m.Has(f.fd)
		if !set && f.absent == "" {
			continue
		}
		if len(b) > empty {
			b = append(b, ',')
		}
		if !set {
			b = append(b, f.absent...)
			continue
		}
		var err error
		if b, err = appendField(append(b, f.name...), m.Get(f.fd), f.fd); err != nil {
			return nil, err
		}
	}
	return append(b, '}'), nil
}

func appendField(b []byte, v protoreflect.Value, fd protoreflect.FieldDescriptor) ([]byte, error) {
	if !fd.IsList() {
		return appendValue(b, v, fd)
	}
	b = append(b, '[')
	for l, i := v.List(), 0; i < l.Len(); i++ {
		if i > 0 {
			b = append(b, ',')
		}
		var err error
		if b, err = appendValue(b, l.Get(i), fd); err != nil {
			return nil, err
		}
	}
	return append(b, ']'), nil
}

func appendValue(b []byte, v protoreflect.Value, fd protoreflect.FieldDescriptor) ([]byte, error) {
	switch fd.Kind() {
	case protoreflect.MessageKind:
		return appendMessage(b, v.Message())
	case protoreflect.StringKind:
		return appendText(b, v.String())
	case protoreflect.BoolKind:
		return strconv.AppendBool(b, v.Bool()), nil
	case protoreflect.Int32Kind:
		return strconv.AppendInt(b, v.Int(), 10), nil
	case protoreflect.Int64Kind: // a text: many readers have no such numbers
		return append(strconv.AppendInt(append(b, '"'), v.Int(), 10), '"'), nil
	case protoreflect.EnumKind:
		if d := fd.Enum().Values().ByNumber(v.Enum()); d != nil {
			return append(append(append(b, '"'), d.Name()...), '"'), nil
		}
		return strconv.AppendInt(b, int64(v.Enum()), 10), nil
	case protoreflect.BytesKind:
		return append(base64.StdEncoding.AppendEncode(append(b, '"'), v.Bytes()), '"'), nil
	}
	return nil, fmt.Errorf("%s is of a kind that the gateway does not write", fd.FullName())
}
