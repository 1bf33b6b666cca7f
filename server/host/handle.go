package host

import (
	"strconv"

	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// Fields that are declared as handles hold an opaque id in the contract and the
// server's own number in the log. Only messages that can hold one are searched.

// holders are the messages of actions and answers that have a handle in them.
var holders = findHolders(
	(&tablev1.Action{}).ProtoReflect().Descriptor(),
	(&tablev1.Answer{}).ProtoReflect().Descriptor(),
)

func findHolders(roots ...protoreflect.MessageDescriptor) map[protoreflect.FullName]bool {
	seen := make(map[protoreflect.FullName]bool)
	var holds func(d protoreflect.MessageDescriptor) bool
	holds = func(d protoreflect.MessageDescriptor) bool {
		if known, ok := seen[d.FullName()]; ok {
			return known
		}
		seen[d.FullName()] = false // for a message that contains itself
		for i := range d.Fields().Len() {
			f := d.Fields().Get(i)
			if isHandle(f) || f.Message() != nil && holds(f.Message()) {
				seen[d.FullName()] = true
			}
		}
		return seen[d.FullName()]
	}
	for _, d := range roots {
		holds(d)
	}
	return seen
}

func isHandle(f protoreflect.FieldDescriptor) bool {
	return f.Kind() == protoreflect.StringKind &&
		proto.GetExtension(f.Options(), typev1.E_Handle).(typev1.Handle) == typev1.Handle_HANDLE_EVENT
}

// translate returns m with its handles replaced: m itself if there are none in
// it, a copy otherwise. field is the path of m, for refusals.
func translate[M proto.Message](m M, field string, f func(field, handle string) (string, error)) (M, error) {
	if !anyHandle(m.ProtoReflect()) {
		return m, nil
	}
	out := proto.CloneOf(m)
	err := eachHandle(out.ProtoReflect(), field, f)
	return out, err
}

func anyHandle(m protoreflect.Message) bool {
	// Shells around the message in question hold nothing but one of a oneof.
	for {
		d := m.Descriptor()
		if !holders[d.FullName()] {
			return false
		}
		if d.Oneofs().Len() != 1 || d.Oneofs().Get(0).Fields().Len() != d.Fields().Len() {
			break
		}
		f := m.WhichOneof(d.Oneofs().Get(0))
		if f == nil || f.Message() == nil {
			break
		}
		m = m.Get(f).Message()
	}
	found := false
	err := eachHandle(m, "", func(_, handle string) (string, error) {
		found = true
		return handle, nil
	})
	return found && err == nil
}

// eachHandle replaces every handle of a message by what f makes of it. An empty
// one is left alone: the rules say what they make of it.
func eachHandle(m protoreflect.Message, path string, f func(field, handle string) (string, error)) (err error) {
	if !m.IsValid() || !holders[m.Descriptor().FullName()] {
		return nil
	}
	m.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		at := path + "." + string(fd.Name())
		switch {
		case fd.IsMap():
		case isHandle(fd) && fd.IsList():
			for i := range v.List().Len() {
				var s string
				if s, err = f(at, v.List().Get(i).String()); err != nil {
					return false
				}
				v.List().Set(i, protoreflect.ValueOfString(s))
			}
		case isHandle(fd):
			old := v.String()
			var s string
			if s, err = f(at, old); err == nil && s != old {
				m.Set(fd, protoreflect.ValueOfString(s))
			}
		case fd.Message() != nil && fd.IsList():
			for i := 0; i < v.List().Len() && err == nil; i++ {
				err = eachHandle(v.List().Get(i).Message(), at, f)
			}
		case fd.Message() != nil:
			err = eachHandle(v.Message(), at, f)
		}
		return err == nil
	})
	return err
}

// sequences replaces event ids by sequence numbers, if the seat sees the events.
func sequences[M proto.Message](t *table, s *sitting, m M, field string) (M, error) {
	return translate(m, field, func(field, id string) (string, error) {
		n, ok := plain(t.host.keys.events, t.tag, id)
		if !ok {
			return "", notFound(field)
		}
		seen, err := t.seesEvent(s, n)
		if err != nil {
			return "", err
		}
		if !seen {
			return "", notFound(field)
		}
		if t.res.Undone(n) {
			return "", undone(field)
		}
		return strconv.FormatInt(n, 10), nil
	})
}

// eventIDs is the way back.
func eventIDs[M proto.Message](k *keys, t tag, m M) M {
	out, err := translate(m, "", func(_, decimal string) (string, error) {
		n, err := strconv.ParseInt(decimal, 10, 64)
		if err != nil {
			return "", nil //nolint:nilerr // what is no number was never let in: it has no id
		}
		return opaque(k.events, t, n), nil
	})
	if err != nil {
		panic(err) // the function above returns none
	}
	return out
}
