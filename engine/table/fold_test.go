package table_test

import (
	"testing"

	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"
)

func TestApply(t *testing.T) {
	const two = `characters { id: "a" } characters { id: "c" } `
	for _, c := range []struct {
		name, before string
		changes      []*tablev1.Change
		after        string
	}{
		{
			"rows stand in the order of their keys, however they come", two,
			[]*tablev1.Change{stat("a", "m", 1), stat("a", "z", 2), stat("a", "b", 3), resource("a", "san", 4), resource("a", "hp", 5)},
			`characters { id: "a" stats { key: "b" value: 3 } stats { key: "m" value: 1 } stats { key: "z" value: 2 }
				resources { key: "hp" value: 5 } resources { key: "san" value: 4 } } characters { id: "c" }`,
		},
		{
			"a row is replaced whole", two,
			[]*tablev1.Change{status("a", "down", false, "x", "y"), status("a", "down", false, "z")},
			`characters { id: "a" statuses { key: "down" causes: "z" } } characters { id: "c" }`,
		},
		{
			"removing takes the row away, and is nothing where there is none", two,
			[]*tablev1.Change{
				status("a", "down", false), status("a", "down", true), status("a", "up", true),
				modifier("c", "m", false, 1), modifier("c", "n", false, 2), modifier("c", "m", true, 0), healed("c", 3),
			},
			`characters { id: "a" } characters { id: "c" modifiers { id: "n" value: 2 } details { coc {} } }`,
		},
		{
			"a value of 0 is a value", two,
			[]*tablev1.Change{stat("a", "m", 0)},
			`characters { id: "a" stats { key: "m" value: 0 } } characters { id: "c" }`,
		},
		{
			"characters stand in the order of their ids", two,
			[]*tablev1.Change{character(&tablev1.Character{Id: "b"}), character(&tablev1.Character{Id: "d"}), gone("a"), gone("x")},
			`characters { id: "b" } characters { id: "c" } characters { id: "d" }`,
		},
		{
			"a sheet is replaced whole", two + `clocks { clock: CLOCK_ROUND reading: 1 }`,
			[]*tablev1.Change{stat("a", "m", 1), character(&tablev1.Character{Id: "a", Name: "A"})},
			`characters { id: "a" name: "A" } characters { id: "c" } clocks { clock: CLOCK_ROUND reading: 1 }`,
		},
		{
			"place and review", two,
			[]*tablev1.Change{
				position("a", &typev1.Position{Square: &typev1.Square{X: 1}}), position("c", &typev1.Position{}), position("c", nil),
				review("a", tablev1.Review_REVIEW_SUBMITTED),
			},
			`characters { id: "a" review: REVIEW_SUBMITTED position { square { x: 1 } } } characters { id: "c" }`,
		},
		{
			"options by key, clocks by number", ``,
			[]*tablev1.Change{
				option("z", "1"), option("a", "2"), option("z", "3"),
				clock(typev1.Clock_CLOCK_SCENE, 1), clock(typev1.Clock_CLOCK_ROUND, 12), clock(typev1.Clock_CLOCK_SCENE, 2),
			},
			`options { key: "a" value: "2" } options { key: "z" value: "3" }
				clocks { clock: CLOCK_ROUND reading: 12 } clocks { clock: CLOCK_SCENE reading: 2 }`,
		},
		{
			"the encounter is written whole, and ends", `encounter { roster: "a" round: 1 }`,
			[]*tablev1.Change{encounter(&tablev1.Encounter{Step: "actions"}), encounter(nil), encounter(&tablev1.Encounter{Round: 2})},
			`encounter { round: 2 }`,
		},
		{
			"the agenda is written whole", `agenda { actor: "a" }`,
			[]*tablev1.Change{agenda("x", "y"), agenda("z")},
			`agenda { actor: "z" }`,
		},
		{
			"windows stand in the order in which they were opened", `windows { id: "w2" }`,
			[]*tablev1.Change{window("w3", "", false), window("w1", "", false), window("w2", "again", false), window("w3", "", true), window("w9", "", true)},
			`windows { id: "w2" name: "again" } windows { id: "w1" }`,
		},
		{
			"a piece of the details stands in its field", `characters { id: "a" details { coc { combat { moved: true } body {} } } }`,
			[]*tablev1.Change{combat("a", 2), part("a", &cocv1.Part{Part: &cocv1.Part_Health{Health: &cocv1.Health{DeathRound: 4}}}, false)},
			`characters { id: "a" details { coc { combat { attacks_made: 2 } health { death_round: 4 } body {} } } }`,
		},
		{
			"repeated pieces stand in the order of their keys, numbers as numbers", `characters { id: "a" }`,
			[]*tablev1.Change{wound("a", 10, 1), wound("a", 9, 2), wound("a", 11, 3), wound("a", 10, 4), weapon("a", "knife", false), weapon("a", "fist", false)},
			`characters { id: "a" details { coc {
				weapons { id: "fist" ready: true } weapons { id: "knife" ready: true }
				wounds { id: 9 amount: 2 } wounds { id: 10 amount: 4 } wounds { id: 11 amount: 3 } } } }`,
		},
		{
			"pieces are removed by their key", `characters { id: "a" details { coc { wounds { id: 1 } wounds { id: 2 } weapons { id: "fist" } combat { moved: true } } } }`,
			[]*tablev1.Change{healed("a", 1), healed("a", 5), weapon("a", "knife", true), part("a", &cocv1.Part{Part: &cocv1.Part_Combat{Combat: &cocv1.Combat{}}}, true)},
			`characters { id: "a" details { coc { wounds { id: 2 } weapons { id: "fist" } } } }`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := apply(state(t, c.before), c.changes...).State()
			if want := state(t, c.after); !proto.Equal(got, want) {
				t.Errorf("got  %s\nwant %s", prototext.MarshalOptions{}.Format(got), prototext.MarshalOptions{}.Format(want))
			}
		})
	}
}

func TestApplyPanicsOnADamagedLog(t *testing.T) {
	for name, c := range map[string]*tablev1.Change{
		"a character that is not there": stat("nobody", "m", 1),
		"an empty change":               {},
		"an empty piece":                part("a", &cocv1.Part{}, false),
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			apply(state(t, `characters { id: "a" }`), c)
		})
	}
}
