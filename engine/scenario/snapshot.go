package scenario

import (
	"encoding/hex"
	"slices"
	"strings"

	"github.com/hantei/hantei/engine/prompt"
	"github.com/hantei/hantei/engine/table"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// Snapshot is a state as paths with values, as scenario files write them. It has
// no part in the state, which may be written to afterwards. Prompts, agenda,
// clocks and options are not in it.
type Snapshot struct {
	objects []object // sorted by path
}

// object is what comes and goes as a whole: a status, a wound, the encounter. A
// piece of the details that is not repeated is always there.
type object struct {
	path string
	rows []valueRow
}

// valueRow is one value of an object.
type valueRow struct {
	path  string
	value Value
	set   bool
	gone  Value // what it is when it is not set
}

func (r valueRow) now() Value {
	if r.set {
		return r.value
	}
	return r.gone
}

// Snap takes a snapshot of a state.
func Snap(s *tablev1.State) *Snapshot {
	var out Snapshot
	for _, c := range s.Characters {
		out.character(c)
	}
	if e := s.Encounter; e != nil {
		o := object{path: "encounter"}
		o.number("round", e.Round)
		o.add("step", Word(e.Step), e.Step != "", Word(""))
		o.words("turn", e.Turn)
		o.words("order", e.Order)
		o.words("roster", e.Roster)
		o.add("notes", Word(e.Notes), e.Notes != "", Word(""))
		out.objects = append(out.objects, o)
	}
	out.dungeon(s.Dungeon)
	out.object(Table, func(*object) {}) // always there, also before it has details
	out.details(Table, s.Details)
	slices.SortFunc(out.objects, func(a, b object) int { return strings.Compare(a.path, b.path) })
	return &out
}

// add adds a value; an empty name is the value of the object itself.
func (o *object) add(name string, v Value, set bool, gone Value) {
	path := o.path
	if name != "" {
		path += "." + name
	}
	o.rows = append(o.rows, valueRow{path: path, value: v, set: set, gone: gone})
}

func (o *object) number(name string, n int32) { o.add(name, Number(n), n != 0, Number(0)) }

func (o *object) words(name string, words []string) {
	o.add(name, Words(words...), len(words) > 0, Words())
}

// optional adds a number that may be absent.
func (o *object) optional(name string, n *int32) {
	if n == nil {
		o.add(name, Value{}, false, Value{})
		return
	}
	o.add(name, Number(*n), true, Value{})
}

func (o *object) duration(d *typev1.Duration) {
	o.number("from", d.GetFrom())
	o.number("until", d.GetUntil())
	// Rounds go without saying.
	other := d.GetClock() > typev1.Clock_CLOCK_ROUND
	o.add("clock", Word(enumWord(d.GetClock().Descriptor(), d.GetClock().Number())), other, Word("round"))
}

func (s *Snapshot) object(path string, fill func(*object)) {
	o := object{path: path}
	fill(&o)
	s.objects = append(s.objects, o)
}

func (s *Snapshot) character(c *tablev1.Character) {
	s.object(c.Id, func(o *object) { o.add("", Word("true"), true, Value{}) })
	s.object(c.Id+".review", func(o *object) {
		o.add("", Word(enumWord(c.Review.Descriptor(), c.Review.Number())), c.Review != 0, Value{})
	})
	if sq := c.GetPosition().GetSquare(); sq != nil {
		s.object(c.Id+".position", func(o *object) { o.add("", Word(prompt.SquareText(sq)), true, Value{}) })
	}
	for _, st := range c.Stats {
		s.object(c.Id+"."+st.Key, func(o *object) {
			o.optional("", st.Value)
			o.optional("base", st.Base)
		})
	}
	for _, r := range c.Resources {
		s.object(c.Id+"."+r.Key, func(o *object) {
			o.optional("", r.Value)
			o.optional("max", r.Max)
		})
	}
	for _, st := range c.Statuses {
		s.object(c.Id+".status."+st.Key, func(o *object) {
			o.add("", Word("true"), true, Value{})
			o.words("causes", st.Causes)
			o.duration(st.Duration)
		})
	}
	for _, m := range c.Modifiers {
		s.object(c.Id+".modifier."+m.Id, func(o *object) {
			o.optional("", m.Value)
			o.number("uses", m.Uses)
			o.duration(m.Duration)
		})
	}
	s.details(c.Id, c.Details)
}

// details takes the ruleset's own pieces of a sheet or of the table, whatever they are.
func (s *Snapshot) details(of string, d *tablev1.Details) {
	if d == nil {
		return
	}
	outer := d.ProtoReflect()
	ruleset := outer.WhichOneof(outer.Descriptor().Oneofs().Get(0))
	if ruleset == nil {
		return
	}
	all := outer.Get(ruleset).Message()
	for _, f := range fieldsOf(all.Descriptor()) {
		path := of + ".details." + string(f.Name())
		if !f.IsList() {
			s.object(path, func(o *object) { o.fields("", all.Get(f).Message(), 0, false) })
			continue
		}
		l := all.Get(f).List()
		for i := range l.Len() {
			piece := l.Get(i).Message()
			key := piece.Get(f.Message().Fields().ByNumber(1)).String()
			s.object(path+"."+key, func(o *object) {
				// A piece that has nothing but its key is there all the same.
				o.add("", Word("true"), true, Value{})
				o.fields("", piece, 0, true)
			})
		}
	}
}

// deepest is how deep messages nest in a piece: a bound for types that contain themselves.
const deepest = 4

// fields adds the fields of a message that is a piece, or lies in one. The key
// of a repeated piece is in its path, and who may see a value is no value.
func (o *object) fields(prefix string, m protoreflect.Message, depth int, keyed bool) {
	for _, f := range fieldsOf(m.Descriptor()) {
		name := prefix + string(f.Name())
		switch {
		case keyed && f.Number() == 1, isAudience(f):
		case f.IsList():
			v := Words()
			for i := range m.Get(f).List().Len() {
				v.Words = append(v.Words, fieldWord(f, m.Get(f).List().Get(i)))
			}
			o.add(name, v, len(v.Words) > 0, Words())
		case f.Message() != nil && f.Message().FullName() == squareName:
			o.add(name, Word(fieldWord(f, m.Get(f))), m.Has(f), Value{})
		case f.Message() != nil:
			if depth < deepest {
				o.fields(name+".", m.Get(f).Message(), depth+1, false)
			}
		default:
			gone := Value{}
			if !f.HasPresence() {
				gone = Word(fieldWord(f, f.Default()))
			}
			o.add(name, Word(fieldWord(f, m.Get(f))), m.Has(f), gone)
		}
	}
}

var squareName = (&typev1.Square{}).ProtoReflect().Descriptor().FullName()

func isAudience(f protoreflect.FieldDescriptor) bool {
	return f.Enum() != nil && f.Enum().FullName() == typev1.Audience(0).Descriptor().FullName()
}

// fieldWord is one value of a field as a word.
func fieldWord(f protoreflect.FieldDescriptor, v protoreflect.Value) string {
	switch {
	case f.Enum() != nil && v.Enum() == 0:
		return ""
	case f.Enum() != nil:
		return enumWord(f.Enum(), v.Enum())
	case f.Message() == nil:
		return v.String()
	}
	if s, ok := v.Message().Interface().(*typev1.Square); ok {
		return prompt.SquareText(s)
	}
	return messageWord(v.Message())
}

// messageWord is a message that is repeated within a piece as a word: what it has, field
// by field, as "herb 2". Of one with more in it than plain values it is the bytes, which
// differ where the messages do.
func messageWord(m protoreflect.Message) string {
	fields := m.Descriptor().Fields()
	words := make([]string, fields.Len())
	for i := range words {
		f := fields.Get(i)
		if f.IsList() || f.IsMap() || f.Message() != nil && f.Message().FullName() != squareName {
			return hex.EncodeToString(table.Canonical(m.Interface()))
		}
		words[i] = "-"
		if m.Has(f) {
			words[i] = fieldWord(f, m.Get(f))
		}
	}
	return strings.Join(words, " ")
}

// find returns the object of a path.
func (s *Snapshot) find(path string) (object, bool) {
	i, ok := slices.BinarySearchFunc(s.objects, path, func(o object, p string) int { return strings.Compare(o.path, p) })
	if !ok {
		return object{}, false
	}
	return s.objects[i], true
}

// Value returns what stands at a path. It is false where nothing does.
func (s *Snapshot) Value(path string) (Value, bool) {
	for _, o := range s.objects {
		if path != o.path && !strings.HasPrefix(path, o.path+".") {
			continue
		}
		for _, r := range o.rows {
			if r.path == path {
				return r.now(), true
			}
		}
	}
	return Value{}, false
}

// Paths lists every path, sorted by object.
func (s *Snapshot) Paths() []string {
	var out []string
	for _, o := range s.objects {
		for _, r := range o.rows {
			out = append(out, r.path)
		}
	}
	return out
}
