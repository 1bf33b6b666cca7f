package table

import (
	"fmt"
	"sort"

	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// part writes one piece of a sheet's details, or of the table's. The field numbers of
// a ruleset's Part are those of its Details, so one fold serves every ruleset.
func (t *Table) part(of **tablev1.Details, k *tablev1.PartChange) {
	outer := k.After.ProtoReflect()
	ruleset := chosen(outer)
	inner := outer.Get(ruleset).Message()
	field := chosen(inner)
	piece := inner.Get(field)

	if *of == nil {
		set(t, of, &tablev1.Details{})
	}
	all := (*of).ProtoReflect()
	shell := all.Descriptor().Fields().ByNumber(ruleset.Number())
	if !all.Has(shell) {
		all.Set(shell, all.NewField(shell))
		t.undo = append(t.undo, func() { all.Clear(shell) })
	}
	details := all.Get(shell).Message()
	target := details.Descriptor().Fields().ByNumber(field.Number())
	if !target.IsList() {
		t.single(details, target, piece, k.Removed)
		return
	}
	t.keyed(details.Mutable(target).List(), piece, k.Removed)
}

func (t *Table) single(m protoreflect.Message, f protoreflect.FieldDescriptor, piece protoreflect.Value, removed bool) {
	had := m.Has(f)
	old := m.Get(f)
	if removed {
		m.Clear(f)
	} else {
		m.Set(f, piece)
	}
	t.undo = append(t.undo, func() {
		if had {
			m.Set(f, old)
		} else {
			m.Clear(f)
		}
	})
}

// keyed replaces, inserts or removes a piece by its key, field 1.
func (t *Table) keyed(l protoreflect.List, piece protoreflect.Value, removed bool) {
	key := keyOf(piece)
	i := sort.Search(l.Len(), func(i int) bool { return !before(keyOf(l.Get(i)), key) })
	found := i < l.Len() && keyOf(l.Get(i)) == key
	switch {
	case found && removed:
		old := l.Get(i)
		CutPiece(l, i)
		t.undo = append(t.undo, func() { InsertPiece(l, i, old) })
	case removed:
	case found:
		old := l.Get(i)
		l.Set(i, piece)
		t.undo = append(t.undo, func() { l.Set(i, old) })
	default:
		InsertPiece(l, i, piece)
		t.undo = append(t.undo, func() { CutPiece(l, i) })
	}
}

func keyOf(piece protoreflect.Value) any {
	m := piece.Message()
	return m.Get(m.Descriptor().Fields().ByNumber(1)).Interface()
}

// chosen returns the member that is set of a message's only oneof.
func chosen(m protoreflect.Message) protoreflect.FieldDescriptor {
	f := m.WhichOneof(m.Descriptor().Oneofs().Get(0))
	if f == nil {
		panic(fmt.Sprintf("table: empty %s", m.Descriptor().FullName()))
	}
	return f
}
