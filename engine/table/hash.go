package table

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"

	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// hashDomain names the algorithm, so that another one can never be mistaken for it.
const hashDomain = "hantei/state/v1"

// Hash is the state_hash: SHA-256, in hex, over the canonical form of
// characters, encounter, clocks, agenda, the table's details and the dungeon. Seats, prompts, ids of the table and
// times are not in it, so the same play gives the same hash everywhere.
//
// Protobuf promises the same bytes only within one build; the canonical form is
// our own, and is the same in every build.
func (t *Table) Hash() string { return Hash(t.state) }

// Hash is the state_hash of a state.
func Hash(s *tablev1.State) string {
	w := writer{b: make([]byte, 0, 4096)}
	w.text(hashDomain)
	w.number(uint64(len(s.Characters)))
	for _, c := range s.Characters {
		part := sha256.Sum256(Canonical(c))
		w.b = append(w.b, part[:]...)
	}
	w.message(s.Encounter.ProtoReflect())
	w.number(uint64(len(s.Clocks)))
	for _, c := range s.Clocks {
		w.message(c.ProtoReflect())
	}
	w.number(uint64(len(s.Agenda)))
	for _, step := range s.Agenda {
		w.message(step.ProtoReflect())
	}
	switch { // a table without any has the hash that it had before there were such
	case hasPieces(s.Details):
		w.message(s.Details.ProtoReflect())
	case s.Dungeon != nil:
		w.number(0) // so that a dungeon is not taken for details
	}
	if s.Dungeon != nil {
		w.message(s.Dungeon.ProtoReflect())
	}
	sum := sha256.Sum256(w.b)
	return hex.EncodeToString(sum[:])
}

// hasPieces reports whether the table's details have a piece: of a shell that is left
// when the last one is gone nobody can tell.
func hasPieces(d *tablev1.Details) bool {
	if d == nil {
		return false
	}
	m := d.ProtoReflect()
	f := m.WhichOneof(m.Descriptor().Oneofs().Get(0))
	return f != nil && len(Canonical(m.Get(f).Message().Interface())) > 0
}

// Canonical returns a message's canonical form: its populated fields in the
// order of their numbers, each with number, length and content. Lists keep their
// order; the state keeps those sorted that have no order of their own.
func Canonical(m proto.Message) []byte {
	var w writer
	w.fields(m.ProtoReflect())
	return w.b
}

type writer struct{ b []byte }

func (w *writer) number(n uint64) { w.b = binary.AppendUvarint(w.b, n) }

func (w *writer) text(s string) {
	w.number(uint64(len(s)))
	w.b = append(w.b, s...)
}

func (w *writer) message(m protoreflect.Message) {
	if !m.IsValid() {
		w.number(0)
		return
	}
	var inner writer
	inner.fields(m)
	w.number(uint64(len(inner.b)) + 1)
	w.b = append(w.b, inner.b...)
}

func (w *writer) fields(m protoreflect.Message) {
	fields := m.Descriptor().Fields()
	if inOrder(fields) {
		for i := range fields.Len() {
			w.field(m, fields.Get(i))
		}
		return
	}
	last := protoreflect.FieldNumber(0)
	for range fields.Len() {
		next := nextField(fields, last)
		last = next.Number()
		w.field(m, next)
	}
}

func (w *writer) field(m protoreflect.Message, f protoreflect.FieldDescriptor) {
	if !m.Has(f) {
		return
	}
	w.number(uint64(f.Number()))
	v := m.Get(f)
	if !f.IsList() {
		w.value(f, v)
		return
	}
	l := v.List()
	w.number(uint64(l.Len()))
	for i := range l.Len() {
		w.value(f, l.Get(i))
	}
}

// inOrder reports whether fields are declared in the order of their numbers, as
// most messages' are. Descriptors list them as they were declared.
func inOrder(fields protoreflect.FieldDescriptors) bool {
	last := protoreflect.FieldNumber(0)
	for i := range fields.Len() {
		n := fields.Get(i).Number()
		if n < last {
			return false
		}
		last = n
	}
	return true
}

func nextField(fields protoreflect.FieldDescriptors, after protoreflect.FieldNumber) protoreflect.FieldDescriptor {
	var best protoreflect.FieldDescriptor
	for i := range fields.Len() {
		f := fields.Get(i)
		if f.Number() > after && (best == nil || f.Number() < best.Number()) {
			best = f
		}
	}
	return best
}

func (w *writer) value(f protoreflect.FieldDescriptor, v protoreflect.Value) {
	switch f.Kind() {
	case protoreflect.MessageKind:
		w.message(v.Message())
	case protoreflect.StringKind:
		w.text(v.String())
	case protoreflect.BytesKind:
		w.text(string(v.Bytes()))
	case protoreflect.BoolKind:
		if v.Bool() {
			w.number(1)
		} else {
			w.number(0)
		}
	case protoreflect.EnumKind:
		w.number(uint64(v.Enum()))
	case protoreflect.Int32Kind, protoreflect.Int64Kind:
		// Zigzag, so that small negative numbers stay short.
		n := v.Int()
		w.number(uint64(n)<<1 ^ uint64(n>>63))
	default:
		// The contract has no other kinds in the state; a schema test says so.
		panic("table: no canonical form for " + f.Kind().String() + " of " + string(f.FullName()))
	}
}
