// Package table holds the state of a table and is the only writer of it: a
// change is applied, remembered, and can be taken back.
package table

import (
	"sort"

	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

// Table owns a state and the writes made to it since the last Forget. One
// goroutine uses it at a time.
//
// Rows of the state are shared with the changes that brought them and are never
// written in place, so an event stays what it was when it was emitted.
type Table struct {
	state *tablev1.State
	undo  []func() // newest last
}

// New returns a table with an empty state for a ruleset.
func New() *Table {
	return &Table{state: &tablev1.State{}}
}

// FromState returns a table that owns the state.
func FromState(s *tablev1.State) *Table {
	return &Table{state: s}
}

// State returns the state. Callers read it; only Apply writes.
func (t *Table) State() *tablev1.State { return t.state }

// Mark returns a point to which Rollback can return.
func (t *Table) Mark() int { return len(t.undo) }

// Rollback takes back every write since the mark, newest first.
func (t *Table) Rollback(mark int) {
	for i := len(t.undo) - 1; i >= mark; i-- {
		t.undo[i]()
		t.undo[i] = nil
	}
	t.undo = t.undo[:mark]
}

// Forget drops the memory of earlier writes: they cannot be taken back any more.
func (t *Table) Forget() {
	clear(t.undo)
	t.undo = t.undo[:0]
}

// Character returns the character with the id, or nil.
func (t *Table) Character(id string) *tablev1.Character { return Character(t.state, id) }

// Character returns the character with the id in a state, or nil.
func Character(s *tablev1.State, id string) *tablev1.Character {
	i := sort.Search(len(s.Characters), func(i int) bool { return s.Characters[i].Id >= id })
	if i < len(s.Characters) && s.Characters[i].Id == id {
		return s.Characters[i]
	}
	return nil
}

// Stat returns the stat with the key on a sheet, or nil.
func Stat(c *tablev1.Character, key string) *typev1.Stat {
	if i, ok := find(c.GetStats(), key, (*typev1.Stat).GetKey); ok {
		return c.Stats[i]
	}
	return nil
}

// Resource returns the resource with the key on a sheet, or nil.
func Resource(c *tablev1.Character, key string) *typev1.Resource {
	if i, ok := find(c.GetResources(), key, (*typev1.Resource).GetKey); ok {
		return c.Resources[i]
	}
	return nil
}

// Status returns the status with the key on a sheet, or nil.
func Status(c *tablev1.Character, key string) *typev1.Status {
	if i, ok := find(c.GetStatuses(), key, (*typev1.Status).GetKey); ok {
		return c.Statuses[i]
	}
	return nil
}

// Modifier returns the modifier with the id on a sheet, or nil.
func Modifier(c *tablev1.Character, id string) *typev1.Modifier {
	if i, ok := find(c.GetModifiers(), id, (*typev1.Modifier).GetId); ok {
		return c.Modifiers[i]
	}
	return nil
}

// Window returns the window with the id in a state, or nil.
func Window(s *tablev1.State, id string) *tablev1.Window {
	for _, w := range s.Windows {
		if w.Id == id {
			return w
		}
	}
	return nil
}

// Clock returns a clock's reading; 0 for one that never moved.
func Clock(s *tablev1.State, c typev1.Clock) int32 {
	for _, r := range s.Clocks {
		if r.Clock == c {
			return r.Reading
		}
	}
	return 0
}

// find looks a key up in rows sorted by it: where it is, or where it would be.
func find[R any](rows []R, key string, of func(R) string) (int, bool) {
	i := sort.Search(len(rows), func(i int) bool { return of(rows[i]) >= key })
	return i, i < len(rows) && of(rows[i]) == key
}
