package trial

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hantei/hantei/engine/prompt"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// values fills inputs in with values that they list.
func (g *Game) values(inputs []*tablev1.Input) []*tablev1.Value {
	var out []*tablev1.Value
	for _, in := range inputs {
		v := &tablev1.Value{Name: in.Name}
		for range in.MinCount + g.Rand.Int32N(in.MaxCount-in.MinCount+1) {
			if left := affordable(in, v.Values); len(in.Takes) == 0 || len(left.Choices) > 0 {
				v.Values = append(v.Values, g.value(left))
			}
		}
		out = append(out, v)
	}
	return out
}

// affordable is an input with the choices that can still be taken besides these.
func affordable(in *tablev1.Input, taken []string) *tablev1.Input {
	if len(in.Takes) == 0 {
		return in
	}
	left, times := in.Budget, map[string]int32{}
	for _, value := range taken {
		left -= in.Takes[slices.Index(in.Choices, value)].Cost
		times[value]++
	}
	out := proto.CloneOf(in)
	out.Choices = nil
	for i, value := range in.Choices {
		if t := in.Takes[i]; t.Cost <= left && times[value] < t.Most {
			out.Choices = append(out.Choices, value)
		}
	}
	return out
}

func (g *Game) value(in *tablev1.Input) string {
	switch {
	case len(in.Choices) > 0:
		if led := g.used.ledAmong(in.Choices); led != "" && g.Chance(2) {
			return led
		}
		return Pick(g, in.Choices)
	case in.Kind == tablev1.InputKind_INPUT_KIND_NUMBER:
		if in.Max < in.Min {
			return fmt.Sprint(in.Min) // the offer is not possible
		}
		return fmt.Sprint(int64(in.Min) + g.Rand.Int64N(int64(in.Max)-int64(in.Min)+1))
	case in.Kind == tablev1.InputKind_INPUT_KIND_UINT64:
		return fmt.Sprint(g.Rand.Uint64())
	case in.Kind == tablev1.InputKind_INPUT_KIND_BOOL:
		return Pick(g, []string{"true", "false"})
	case in.Kind == tablev1.InputKind_INPUT_KIND_TEXT:
		return strings.Repeat("字", int(in.Min)+g.Rand.IntN(int(in.Max-in.Min)+1))
	case in.Kind == tablev1.InputKind_INPUT_KIND_SQUARE:
		if in.Reach == nil {
			return fmt.Sprintf("%d,%d", g.Rand.IntN(4), g.Rand.IntN(4))
		}
		return g.square(in.Reach.From, in.Reach.Steps)
	case in.Kind == tablev1.InputKind_INPUT_KIND_PATH:
		var path []string
		at := in.Reach.From
		for range 1 + g.Rand.IntN(int(in.Reach.Steps)) {
			next := g.square(at, 1)
			s, _ := prompt.Square(next)
			for proto.Equal(s, at) {
				next = g.square(at, 1)
				s, _ = prompt.Square(next)
			}
			path, at = append(path, next), s
		}
		return strings.Join(path, " ")
	}
	return "nobody" // nobody can be chosen: the offer is not possible
}

func (g *Game) square(from *typev1.Square, steps int32) string {
	off := func() int32 { return g.Rand.Int32N(2*steps+1) - steps }
	return fmt.Sprintf("%d,%d,%d", from.X+off(), from.Y+off(), from.Floor)
}

// combinations are all ways to fill inputs in, one value for each that takes one, if
// there are no more than so many; nil otherwise, and where values are not listed.
func combinations(inputs []*tablev1.Input, most int) [][]*tablev1.Value {
	all := [][]*tablev1.Value{nil}
	for _, in := range inputs {
		listed := in.Choices
		if len(listed) == 0 && in.Kind == tablev1.InputKind_INPUT_KIND_BOOL {
			listed = []string{"true", "false"}
		}
		if len(listed) == 0 || in.MinCount > 1 || in.MaxCount < 1 {
			return nil
		}
		var more [][]*tablev1.Value
		for _, before := range all {
			with := func(values ...string) {
				one := append(before[:len(before):len(before)], &tablev1.Value{Name: in.Name, Values: values})
				more = append(more, one)
			}
			if in.MinCount == 0 {
				with()
			}
			for _, v := range listed {
				with(v)
			}
		}
		if all = more; len(all) > most {
			return nil
		}
	}
	return all
}

// Somebody is the id of a character, mostly of one that is there.
func (g *Game) somebody() string {
	if c := g.Character(); c != nil && !g.Chance(4) {
		return c.Id
	}
	return Pick(g, []string{"", "nobody"})
}

// word is a word that a command may have: of a character, of a row, or of nothing.
func (g *Game) word() string {
	switch g.Rand.IntN(4) {
	case 0:
		if stats := g.Rules.Sheet.Stats; len(stats) > 0 {
			return Pick(g, stats).Key
		}
	case 1:
		if gear := g.Rules.Sheet.Gear; len(gear) > 0 {
			return Pick(g, gear).ID
		}
	}
	return g.somebody()
}

// mess writes anything into some fields of a message.
func (g *Game) mess(m protoreflect.Message) {
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		f := fields.Get(i)
		if !g.Chance(2) || f.IsMap() || f.ContainingOneof() != nil && g.Chance(2) {
			continue
		}
		switch {
		case f.IsList() && g.Chance(3):
			m.Clear(f)
		case f.IsList():
			l := m.Mutable(f).List()
			if f.Message() != nil {
				e := l.AppendMutable()
				g.mess(e.Message())
			} else {
				l.Append(g.scalar(f))
			}
		case f.Message() != nil && g.Chance(3):
			m.Clear(f)
		case f.Message() != nil:
			g.mess(m.Mutable(f).Message())
		default:
			m.Set(f, g.scalar(f))
		}
	}
}

// scalar is any value that the contract lets a field have.
func (g *Game) scalar(f protoreflect.FieldDescriptor) protoreflect.Value {
	switch f.Kind() {
	case protoreflect.BoolKind:
		return protoreflect.ValueOfBool(g.Chance(2))
	case protoreflect.EnumKind:
		values := f.Enum().Values()
		return protoreflect.ValueOfEnum(values.Get(1 + g.Rand.IntN(values.Len()-1)).Number())
	case protoreflect.Int32Kind:
		return protoreflect.ValueOfInt32(g.Rand.Int32N(24) - 4)
	case protoreflect.StringKind:
		return protoreflect.ValueOfString(g.word())
	}
	g.fail("a field of a kind that no command has: %s", f.FullName())
	return protoreflect.Value{}
}

// anyMessage is any member of a shell, an Action or Answer: that of this name, or any
// for "".
func (g *Game) anyMessage(shell proto.Message, name string) {
	m := shell.ProtoReflect()
	ruleset := m.Descriptor().Oneofs().Get(0).Fields().ByName(protoreflect.Name(g.Rules.Name))
	inner := m.Mutable(ruleset).Message()
	members := inner.Descriptor().Oneofs().Get(0).Fields()
	f := members.Get(g.Rand.IntN(members.Len()))
	if name != "" {
		if f = members.ByName(protoreflect.Name(name)); f == nil {
			m.Clear(ruleset) // the core's own: it has no answer
			return
		}
	}
	g.mess(inner.Mutable(f).Message())
}
