package table_test

import (
	"testing"

	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"
)

func knownSquare(of string, x, y, floor int32, terrain tablev1.Terrain) *tablev1.DungeonSquare {
	return &tablev1.DungeonSquare{Of: of, Square: &typev1.Square{X: x, Y: y, Floor: floor}, Terrain: terrain}
}

func TestDungeon(t *testing.T) {
	const wall, passage = tablev1.Terrain_TERRAIN_WALL, tablev1.Terrain_TERRAIN_PASSAGE
	for _, c := range []struct {
		name, before string
		changes      []*tablev1.Change
		after        string
	}{
		{
			"squares stand by whose knowledge it is, floor, row and column", ``,
			[]*tablev1.Change{
				rule.SetSquare(knownSquare("a", 0, 0, 1, wall)), rule.SetSquare(knownSquare("", 0, 1, 1, wall)),
				rule.SetSquare(knownSquare("", 1, 0, 1, wall)), rule.SetSquare(knownSquare("", -1, 0, 1, wall)),
				rule.SetSquare(knownSquare("", 5, 5, 0, wall)), rule.SetSquare(knownSquare("", 1, 0, 1, passage)),
			},
			`dungeon {
				squares { square { x: 5 y: 5 } terrain: TERRAIN_WALL }
				squares { square { x: -1 floor: 1 } terrain: TERRAIN_WALL }
				squares { square { x: 1 floor: 1 } terrain: TERRAIN_PASSAGE }
				squares { square { y: 1 floor: 1 } terrain: TERRAIN_WALL }
				squares { of: "a" square { floor: 1 } terrain: TERRAIN_WALL }
			}`,
		},
		{
			"marks and features by number; what is gone is forgotten", ``,
			[]*tablev1.Change{
				rule.SetMark(&tablev1.DungeonMark{Number: 10, Kind: "trap"}), rule.SetMark(&tablev1.DungeonMark{Number: 9, Kind: "item"}),
				rule.SetMark(&tablev1.DungeonMark{Of: "a", Number: 1}), rule.EndMark(&tablev1.DungeonMark{Number: 9}),
				rule.EndMark(&tablev1.DungeonMark{Number: 8}), rule.EndSquare(knownSquare("", 0, 0, 0, wall)),
				rule.SetFeature(&tablev1.DungeonFeature{Id: 10}), rule.SetFeature(&tablev1.DungeonFeature{Id: 9}),
				rule.SetFeature(&tablev1.DungeonFeature{Id: 10, Gone: true}),
			},
			`dungeon {
				marks { number: 10 kind: "trap" } marks { of: "a" number: 1 }
				features { id: 9 } features { id: 10 gone: true }
			}`,
		},
		{
			"another dungeon takes its place, and it ends", `dungeon { marks { number: 1 } }`,
			[]*tablev1.Change{rule.SetDungeon(&tablev1.Dungeon{Floors: []*tablev1.DungeonFloor{{Number: 1, Rows: []string{"."}}}})},
			`dungeon { floors { number: 1 rows: "." } }`,
		},
		{"it ends", `dungeon { marks { number: 1 } }`, []*tablev1.Change{rule.EndDungeon()}, ``},
	} {
		t.Run(c.name, func(t *testing.T) {
			tb := table.FromState(state(t, c.before))
			mark := tb.Mark()
			for _, ch := range c.changes {
				tb.Apply(ch)
			}
			if want := state(t, c.after); !proto.Equal(tb.State(), want) {
				t.Errorf("%s\nwant %s", prototext.Format(tb.State()), prototext.Format(want))
			}
			tb.Rollback(mark)
			if want := state(t, c.before); !proto.Equal(tb.State(), want) {
				t.Errorf("taken back: %s", prototext.Format(tb.State()))
			}
		})
	}
}

// What a change brought stays what it was, whatever is written later.
func TestDungeonIsCloned(t *testing.T) {
	given := &tablev1.Dungeon{Marks: []*tablev1.DungeonMark{{Number: 1}}}
	tb := table.New()
	tb.Apply(rule.SetDungeon(given))
	tb.Apply(rule.SetMark(&tablev1.DungeonMark{Number: 1, Kind: "trap"}))
	tb.Apply(rule.SetMark(&tablev1.DungeonMark{Number: 2}))
	if len(given.Marks) != 1 || given.Marks[0].Kind != "" {
		t.Errorf("the event changed: %v", given)
	}
}

func TestDungeonRows(t *testing.T) {
	s := state(t, `dungeon {
		floors { number: 2 }
		squares { square { x: 1 floor: 1 } } squares { of: "a" square { x: 2 floor: 1 } }
		marks { number: 3 } marks { of: "a" number: 4 } features { id: 5 }
	}`)
	at := func(x int32) *typev1.Square { return &typev1.Square{X: x, Floor: 1} }
	for name, got := range map[string][2]bool{
		"floor":             {table.DungeonFloor(s, 2) != nil, true},
		"no floor":          {table.DungeonFloor(s, 1) != nil, false},
		"square":            {table.DungeonSquare(s, "", at(1)) != nil, true},
		"another's square":  {table.DungeonSquare(s, "", at(2)) != nil, false},
		"one's own square":  {table.DungeonSquare(s, "a", at(2)) != nil, true},
		"mark":              {table.DungeonMark(s, "", 3) != nil, true},
		"another's mark":    {table.DungeonMark(s, "", 4) != nil, false},
		"feature":           {table.DungeonFeature(s, 5) != nil, true},
		"no feature":        {table.DungeonFeature(s, 4) != nil, false},
		"nothing, no place": {table.DungeonSquare(&tablev1.State{}, "", at(1)) != nil, false},
	} {
		if got[0] != got[1] {
			t.Errorf("%s: %v", name, got[0])
		}
	}
}
