package rule

import (
	"fmt"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// depth is how many shells lie around a message: the table's and the ruleset's.
const depth = 2

// The oneofs over rulesets and over a ruleset's actions nest: an Attack lies in
// a coc.Action, and that in an Action. wrap puts a message into the shells
// around it, unwrap takes it out of them; neither knows a ruleset.

// wrap returns an M that holds m, however deep.
func wrap[M proto.Message](m proto.Message) M {
	var zero M
	outer := zero.ProtoReflect().New()
	if !place(outer, m.ProtoReflect(), depth) {
		panic(fmt.Sprintf("rule: %s does not belong into %s", m.ProtoReflect().Descriptor().FullName(), outer.Descriptor().FullName()))
	}
	return outer.Interface().(M)
}

// Wrap returns an M (an Action, Answer, Part or StepArgs of the table) that holds m.
func Wrap[M proto.Message](m proto.Message) M { return wrap[M](m) }

func place(shell, m protoreflect.Message, shells int) bool {
	members := shell.Descriptor().Oneofs().Get(0).Fields()
	for i := range members.Len() {
		f := members.Get(i)
		if f.Message() == m.Descriptor() {
			shell.Set(f, protoreflect.ValueOfMessage(m))
			return true
		}
		if shells > 1 {
			inner := shell.NewField(f).Message()
			if place(inner, m, shells-1) {
				shell.Set(f, protoreflect.ValueOfMessage(inner))
				return true
			}
		}
	}
	return false
}

// Unwrap returns the innermost message that a shell holds, and the names of the
// oneof members on the way: an *cocv1.Attack and "coc", "attack". It returns nil
// for an empty shell.
func Unwrap(shell proto.Message) (proto.Message, []string) {
	m := shell.ProtoReflect()
	path := make([]string, 0, depth)
	for range depth {
		f := m.WhichOneof(m.Descriptor().Oneofs().Get(0))
		if f == nil {
			return nil, path
		}
		path = append(path, string(f.Name()))
		m = m.Get(f).Message()
	}
	return m.Interface(), path
}
