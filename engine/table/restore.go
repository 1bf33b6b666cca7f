package table

import (
	"slices"

	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"google.golang.org/protobuf/proto"
)

// Restore are the writes that make of the state now the state then, of the same
// table: characters that went come back, those that came go, and what stands
// differently on the others is written back; encounter, dungeon, clocks, agenda,
// windows and the table's details likewise, the dungeon as a whole. Windows come back in the order in which they were
// opened. Options are not among them: their defaults are the rules' to know.
//
// No two writes are of the same thing, but for windows, which keep their order among
// themselves. The writes share rows with the state then, which must not be written
// in place any more.
func Restore(now, then *tablev1.State) []*tablev1.Change {
	var out []*tablev1.Change
	for _, c := range now.Characters {
		if Character(then, c.Id) == nil {
			gone := &tablev1.CharacterChange{Character: c.Id, Removed: true}
			out = append(out, &tablev1.Change{Change: &tablev1.Change_Character{Character: gone}})
		}
	}
	for _, c := range then.Characters {
		if was := Character(now, c.Id); was != nil {
			out = append(out, Changes(was, c)...)
		} else {
			out = append(out, whole(c))
		}
	}
	if !proto.Equal(now.Encounter, then.Encounter) {
		e := &tablev1.EncounterChange{Removed: then.Encounter == nil, After: then.Encounter}
		out = append(out, &tablev1.Change{Change: &tablev1.Change_Encounter{Encounter: e}})
	}
	if !proto.Equal(now.Dungeon, then.Dungeon) {
		out = append(out, SetDungeon(then.Dungeon))
	}
	for _, r := range now.Clocks {
		if Clock(then, r.Clock) == 0 {
			out = append(out, setClock(&tablev1.ClockReading{Clock: r.Clock}))
		}
	}
	for _, r := range then.Clocks {
		if Clock(now, r.Clock) != r.Reading {
			out = append(out, setClock(r))
		}
	}
	out = append(out, reopen(now.Windows, then.Windows)...)
	if !slices.EqualFunc(now.Agenda, then.Agenda, equal) {
		out = append(out, &tablev1.Change{Change: &tablev1.Change_Agenda{Agenda: &tablev1.AgendaChange{After: then.Agenda}}})
	}
	for _, p := range tableParts(now.Details, then.Details) {
		out = append(out, &tablev1.Change{Change: &tablev1.Change_Part{Part: p}})
	}
	return out
}

// reopen are the writes that make of the windows now those then. The ones after the
// first that differs are all written anew, since a new one comes last.
func reopen(now, then []*tablev1.Window) []*tablev1.Change {
	same := 0
	for same < len(now) && same < len(then) && proto.Equal(now[same], then[same]) {
		same++
	}
	var out []*tablev1.Change
	for _, w := range now[same:] {
		out = append(out, &tablev1.Change{Change: &tablev1.Change_Window{Window: &tablev1.WindowChange{Id: w.Id, Removed: true}}})
	}
	for _, w := range then[same:] {
		out = append(out, &tablev1.Change{Change: &tablev1.Change_Window{Window: &tablev1.WindowChange{Id: w.Id, After: w}}})
	}
	return out
}

// tableParts are the changes that make of the table's details now those then, which
// may be none.
func tableParts(now, then *tablev1.Details) []*tablev1.PartChange {
	if then.GetRuleset() == nil && now.GetRuleset() != nil {
		m := now.ProtoReflect()
		then = &tablev1.Details{}
		f := chosen(m)
		then.ProtoReflect().Set(f, m.NewField(f))
	}
	return pieces(now, then)
}

func setClock(after *tablev1.ClockReading) *tablev1.Change {
	return &tablev1.Change{Change: &tablev1.Change_Clock{Clock: &tablev1.ClockChange{After: after}}}
}

func equal(a, b *tablev1.Step) bool { return proto.Equal(a, b) }

// SetDungeon writes the dungeon as a whole; nil takes it away.
func SetDungeon(after *tablev1.Dungeon) *tablev1.Change {
	d := &tablev1.DungeonChange{Removed: after == nil, After: after}
	return &tablev1.Change{Change: &tablev1.Change_Dungeon{Dungeon: d}}
}
