package table

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
)

// Apply writes one change. It knows no rule: whatever became of the rules since
// an event was stored, its changes fold to the same state.
//
// It panics on a change that names a character which is not there: such a change
// cannot come from a rule that read the state, so the log is damaged.
func (t *Table) Apply(c *tablev1.Change) {
	switch k := c.Change.(type) {
	case *tablev1.Change_Option:
		put(t, &t.state.Options, k.Option.After, (*tablev1.Option).GetKey)
	case *tablev1.Change_Character:
		t.character(k.Character)
	case *tablev1.Change_Identity:
		c := t.must(k.Identity.Character)
		set(t, &c.Name, k.Identity.Name)
		set(t, &c.Side, k.Identity.Side)
		if k.Identity.Kind != 0 {
			set(t, &c.Kind, k.Identity.Kind)
		}
	case *tablev1.Change_Profile:
		set(t, &t.must(k.Profile.Character).Profile, k.Profile.After)
	case *tablev1.Change_Notes:
		set(t, &t.must(k.Notes.Character).Notes, k.Notes.After)
	case *tablev1.Change_Stat:
		put(t, &t.must(k.Stat.Character).Stats, k.Stat.After, (*typev1.Stat).GetKey)
	case *tablev1.Change_Resource:
		put(t, &t.must(k.Resource.Character).Resources, k.Resource.After, (*typev1.Resource).GetKey)
	case *tablev1.Change_Status:
		rows := &t.must(k.Status.Character).Statuses
		putOrRemove(t, rows, k.Status.After, k.Status.Removed, (*typev1.Status).GetKey)
	case *tablev1.Change_Modifier:
		rows := &t.must(k.Modifier.Character).Modifiers
		putOrRemove(t, rows, k.Modifier.After, k.Modifier.Removed, (*typev1.Modifier).GetId)
	case *tablev1.Change_Position:
		set(t, &t.must(k.Position.Character).Position, k.Position.After)
	case *tablev1.Change_Review:
		c := t.must(k.Review.Character)
		set(t, &c.Review, k.Review.After)
		set(t, &c.ApprovedOnce, k.Review.ApprovedOnce)
	case *tablev1.Change_Encounter:
		if k.Encounter.Removed {
			set(t, &t.state.Encounter, nil)
		} else {
			set(t, &t.state.Encounter, k.Encounter.After)
		}
	case *tablev1.Change_Clock:
		// A clock that has never moved has no row.
		putOrRemove(t, &t.state.Clocks, k.Clock.After, k.Clock.After.Reading == 0, clockKey)
	case *tablev1.Change_Window:
		t.window(k.Window)
	case *tablev1.Change_Agenda:
		set(t, &t.state.Agenda, k.Agenda.After)
	case *tablev1.Change_Part:
		of := &t.state.Details // the table's own
		if k.Part.Character != "" {
			of = &t.must(k.Part.Character).Details
		}
		t.part(of, k.Part)
	case *tablev1.Change_DiceEpoch:
		// What undo must not restore is no part of the state: who loads the log keeps it.
	case *tablev1.Change_Dungeon:
		t.dungeon(k.Dungeon)
	case *tablev1.Change_DungeonSquare:
		place(t, &t.explored().Squares, k.DungeonSquare.After, k.DungeonSquare.Removed, CompareSquares)
	case *tablev1.Change_DungeonMark:
		place(t, &t.explored().Marks, k.DungeonMark.After, k.DungeonMark.Removed, CompareMarks)
	case *tablev1.Change_DungeonFeature:
		place(t, &t.explored().Features, k.DungeonFeature.After, false, CompareFeatures)
	default:
		panic(fmt.Sprintf("table: unknown change %T", c.Change))
	}
}

// Begin names the ruleset and pack of an empty table.
func (t *Table) Begin(ruleset, pack string) {
	set(t, &t.state.Ruleset, ruleset)
	set(t, &t.state.Pack, pack)
}

func (t *Table) must(id string) *tablev1.Character {
	c := t.Character(id)
	if c == nil {
		panic("table: change of an unknown character " + strconv.Quote(id))
	}
	return c
}

// character adds, replaces or removes a sheet. The sheet is cloned: later
// changes write into it, and the event must not change with it.
func (t *Table) character(k *tablev1.CharacterChange) {
	after := k.After
	if k.Removed {
		after = &tablev1.Character{Id: k.Character}
	} else {
		after = proto.Clone(after).(*tablev1.Character)
	}
	putOrRemove(t, &t.state.Characters, after, k.Removed, (*tablev1.Character).GetId)
}

// window writes a window; windows keep the order in which they were opened.
func (t *Table) window(k *tablev1.WindowChange) {
	old := t.state.Windows
	i := slices.IndexFunc(old, func(w *tablev1.Window) bool { return w.Id == k.Id })
	switch {
	case k.Removed && i < 0:
		return
	case k.Removed:
		set(t, &t.state.Windows, slices.Delete(slices.Clone(old), i, i+1))
	case i < 0:
		set(t, &t.state.Windows, append(slices.Clip(old), k.After))
	default:
		next := slices.Clone(old)
		next[i] = k.After
		set(t, &t.state.Windows, next)
	}
}

// set writes a field and remembers what it was.
func set[V any](t *Table, field *V, v V) {
	old := *field
	*field = v
	t.undo = append(t.undo, func() { *field = old })
}

// put replaces the row with the same key, or inserts it in key order.
func put[R any](t *Table, rows *[]R, row R, key func(R) string) {
	i, ok := find(*rows, key(row), key)
	if ok {
		old := (*rows)[i]
		(*rows)[i] = row
		t.undo = append(t.undo, func() { (*rows)[i] = old })
		return
	}
	set(t, rows, slices.Insert(slices.Clone(*rows), i, row))
}

func putOrRemove[R any](t *Table, rows *[]R, row R, removed bool, key func(R) string) {
	if !removed {
		put(t, rows, row, key)
		return
	}
	if i, ok := find(*rows, key(row), key); ok {
		set(t, rows, slices.Delete(slices.Clone(*rows), i, i+1))
	}
}

// clockKey makes clocks sort by their number.
func clockKey(r *tablev1.ClockReading) string {
	return string(rune('0' + r.Clock))
}

// before reports whether key a stands before key b; keys of a repeated piece
// are all numbers or all words.
func before(a, b any) bool {
	switch a := a.(type) {
	case int32:
		return a < b.(int32)
	case string:
		return strings.Compare(a, b.(string)) < 0
	}
	panic(fmt.Sprintf("table: a piece with a key of type %T", a))
}
