package table_test

import (
	"testing"

	"github.com/hantei/hantei/engine/table"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"
)

func stat(character, key string, value int32) *tablev1.Change {
	return &tablev1.Change{Change: &tablev1.Change_Stat{Stat: &tablev1.StatChange{
		Character: character, After: &typev1.Stat{Key: key, Value: &value},
	}}}
}

func resource(character, key string, value int32) *tablev1.Change {
	return &tablev1.Change{Change: &tablev1.Change_Resource{Resource: &tablev1.ResourceChange{
		Character: character, After: &typev1.Resource{Key: key, Value: &value},
	}}}
}

func status(character, key string, removed bool, causes ...string) *tablev1.Change {
	return &tablev1.Change{Change: &tablev1.Change_Status{Status: &tablev1.StatusChange{
		Character: character, Removed: removed, After: &typev1.Status{Key: key, Causes: causes},
	}}}
}

func modifier(character, id string, removed bool, value int32) *tablev1.Change {
	return &tablev1.Change{Change: &tablev1.Change_Modifier{Modifier: &tablev1.ModifierChange{
		Character: character, Removed: removed, After: &typev1.Modifier{Id: id, Value: &value},
	}}}
}

func position(character string, p *typev1.Position) *tablev1.Change {
	return &tablev1.Change{Change: &tablev1.Change_Position{Position: &tablev1.PositionChange{Character: character, After: p}}}
}

func review(character string, r tablev1.Review) *tablev1.Change {
	return &tablev1.Change{Change: &tablev1.Change_Review{Review: &tablev1.ReviewChange{Character: character, After: r}}}
}

func option(key, value string) *tablev1.Change {
	return &tablev1.Change{Change: &tablev1.Change_Option{Option: &tablev1.OptionChange{After: &tablev1.Option{Key: key, Value: value}}}}
}

func clock(c typev1.Clock, reading int32) *tablev1.Change {
	return &tablev1.Change{Change: &tablev1.Change_Clock{Clock: &tablev1.ClockChange{After: &tablev1.ClockReading{Clock: c, Reading: reading}}}}
}

func encounter(e *tablev1.Encounter) *tablev1.Change {
	return &tablev1.Change{Change: &tablev1.Change_Encounter{Encounter: &tablev1.EncounterChange{Removed: e == nil, After: e}}}
}

func agenda(actors ...string) *tablev1.Change {
	var steps []*tablev1.Step
	for _, a := range actors {
		steps = append(steps, &tablev1.Step{Actor: a})
	}
	return &tablev1.Change{Change: &tablev1.Change_Agenda{Agenda: &tablev1.AgendaChange{After: steps}}}
}

func window(id, name string, removed bool) *tablev1.Change {
	w := &tablev1.WindowChange{Id: id, Removed: removed}
	if !removed {
		w.After = &tablev1.Window{Id: id, Name: name}
	}
	return &tablev1.Change{Change: &tablev1.Change_Window{Window: w}}
}

func character(c *tablev1.Character) *tablev1.Change {
	return &tablev1.Change{Change: &tablev1.Change_Character{Character: &tablev1.CharacterChange{Character: c.Id, After: c}}}
}

func gone(id string) *tablev1.Change {
	return &tablev1.Change{Change: &tablev1.Change_Character{Character: &tablev1.CharacterChange{Character: id, Removed: true}}}
}

func part(character string, p *cocv1.Part, removed bool) *tablev1.Change {
	return &tablev1.Change{Change: &tablev1.Change_Part{Part: &tablev1.PartChange{
		Character: character, Removed: removed, After: &tablev1.Part{Ruleset: &tablev1.Part_Coc{Coc: p}},
	}}}
}

func wound(character string, id, amount int32) *tablev1.Change {
	return part(character, &cocv1.Part{Part: &cocv1.Part_Wounds{Wounds: &cocv1.Wound{Id: id, Amount: amount}}}, false)
}

func healed(character string, id int32) *tablev1.Change {
	return part(character, &cocv1.Part{Part: &cocv1.Part_Wounds{Wounds: &cocv1.Wound{Id: id}}}, true)
}

func weapon(character, id string, removed bool) *tablev1.Change {
	return part(character, &cocv1.Part{Part: &cocv1.Part_Weapons{Weapons: &cocv1.Weapon{Id: id, Ready: true}}}, removed)
}

func combat(character string, attacks int32) *tablev1.Change {
	return part(character, &cocv1.Part{Part: &cocv1.Part_Combat{Combat: &cocv1.Combat{AttacksMade: attacks}}}, false)
}

// state reads a state in protobuf's text form.
func state(tb testing.TB, text string) *tablev1.State {
	tb.Helper()
	s := &tablev1.State{}
	if err := prototext.Unmarshal([]byte(text), s); err != nil {
		tb.Fatal(err)
	}
	return s
}

func bytesOf(m proto.Message) string {
	b, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// apply folds changes into a table that begins with a state.
func apply(s *tablev1.State, changes ...*tablev1.Change) *table.Table {
	t := table.FromState(s)
	for _, c := range changes {
		t.Apply(c)
	}
	return t
}
