package table_test

import (
	"testing"

	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
)

// What is written is told apart by whose it is, what it is, and its key.
func TestSlot(t *testing.T) {
	hp := &typev1.Resource{Key: "hp", Max: proto.Int32(12)}
	combat := rule.Wrap[*tablev1.Part](&cocv1.Combat{})
	all := []*tablev1.Change{
		{Change: &tablev1.Change_Option{Option: &tablev1.OptionChange{After: &tablev1.Option{Key: "crit"}}}},
		rule.AddCharacter(&tablev1.Character{Id: "thug"}), rule.AddCharacter(&tablev1.Character{Id: "thug-2"}),
		rule.SetReview(&tablev1.Character{Id: "thug"}, 1),
		rule.SetStat("thug", &typev1.Stat{Key: "hp"}), rule.SetResource("thug", hp, 3), rule.SetResource("officer", hp, 3),
		rule.SetStatus("thug", &typev1.Status{Key: "dead"}), rule.SetModifier("thug", &typev1.Modifier{Id: "dead"}),
		rule.SetPosition("thug", nil, 0), rule.EndEncounter(), rule.SetClock(1, 1), rule.SetClock(2, 1),
		rule.SetWindow(&tablev1.Window{Id: "w"}), {Change: &tablev1.Change_Agenda{Agenda: &tablev1.AgendaChange{}}},
		rule.SetPart("thug", combat), rule.SetPart("officer", combat), wound("thug", 1, 2), wound("thug", 2, 2),
		rule.SetPart("", rule.Wrap[*tablev1.Part](&cocv1.Scenario{})),
		rule.EndDungeon(),
		rule.SetSquare(&tablev1.DungeonSquare{Square: &typev1.Square{X: 1}}), rule.SetSquare(&tablev1.DungeonSquare{Square: &typev1.Square{Y: 1}}),
		rule.SetSquare(&tablev1.DungeonSquare{Of: "thug", Square: &typev1.Square{X: 1}}),
		rule.SetMark(&tablev1.DungeonMark{Number: 1}), rule.SetMark(&tablev1.DungeonMark{Of: "thug", Number: 1}),
		rule.SetFeature(&tablev1.DungeonFeature{Id: 1}), rule.SetFeature(&tablev1.DungeonFeature{Id: 2}),
	}
	// Every kind of change has a slot.
	kinds := (&tablev1.Change{}).ProtoReflect().Descriptor().Oneofs().Get(0).Fields()
	for i := range kinds.Len() {
		c := &tablev1.Change{}
		if m := c.ProtoReflect(); kinds.Get(i).Name() != "part" { // a piece has its own
			m.Set(kinds.Get(i), m.NewField(kinds.Get(i)))
			table.Slot(c)
		}
	}
	seen := map[string]bool{}
	for _, c := range all {
		if s := table.Slot(c); seen[s] {
			t.Errorf("%v: another change has the slot %s", c, s)
		} else {
			seen[s] = true
		}
	}
	for _, same := range [][2]*tablev1.Change{
		{rule.SetResource("thug", hp, 3), rule.SetResource("thug", hp, 4)},
		{rule.SetStatus("thug", &typev1.Status{Key: "dead"}), rule.EndStatus("thug", &typev1.Status{Key: "dead"})},
		{wound("thug", 1, 2), wound("thug", 1, 3)},
		{rule.SetDungeon(&tablev1.Dungeon{}), rule.EndDungeon()},
		{rule.SetMark(&tablev1.DungeonMark{Number: 1}), rule.EndMark(&tablev1.DungeonMark{Number: 1})},
		{rule.AddCharacter(&tablev1.Character{Id: "thug"}), rule.RemoveCharacter("thug")},
		{rule.AddCharacter(&tablev1.Character{Id: "thug"}), rule.SetKind(&tablev1.Character{Id: "thug"}, 1)},
	} {
		if a, b := table.Slot(same[0]), table.Slot(same[1]); a != b {
			t.Errorf("%s and %s write the same", a, b)
		}
	}
}
