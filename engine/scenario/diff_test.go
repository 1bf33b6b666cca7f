package scenario_test

import (
	"strings"
	"testing"

	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/scenario"
	"github.com/hantei/hantei/engine/table"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
)

func part(m proto.Message) *tablev1.Change {
	return rule.SetPart("thug", rule.Wrap[*tablev1.Part](m))
}

func without(m proto.Message) *tablev1.Change {
	c := part(m)
	c.GetPart().Removed = true
	return c
}

// Each case applies changes and has the differences in words.
func TestDiff(t *testing.T) {
	n := func(v int32) *int32 { return &v }
	rounds := func(from, until int32) *typev1.Duration {
		return &typev1.Duration{Clock: typev1.Clock_CLOCK_ROUND, From: from, Until: until}
	}
	stat := func(key string, v, base *int32) *tablev1.Change {
		return rule.SetStat("thug", &typev1.Stat{Key: key, Value: v, Base: base})
	}
	for _, c := range []struct {
		name           string
		before, change []*tablev1.Change
		want           string
	}{
		{"nothing", nil, nil, ""},
		{"stat", nil, []*tablev1.Change{stat("spot", n(30), n(25))}, "thug.spot: 65 -> 30"},
		{"stat and base", nil, []*tablev1.Change{stat("spot", n(30), n(30))}, "thug.spot: 65 -> 30; thug.spot.base: 25 -> 30"},
		{"new stat", nil, []*tablev1.Change{stat("dodge", n(30), nil)}, "thug.dodge: null -> 30"},
		{"stat hidden", nil, []*tablev1.Change{stat("spot", nil, n(25))}, "thug.spot: 65 -> null"},
		{"same", nil, []*tablev1.Change{stat("spot", n(65), n(25))}, ""},
		{"resource", nil, []*tablev1.Change{rule.SetResource("thug", &typev1.Resource{Key: "hp", Max: n(13)}, 0)}, "thug.hp: 13 -> 0"},
		{"status", nil, []*tablev1.Change{rule.SetStatus("thug", &typev1.Status{Key: "dead"})}, "thug.status.dead: null -> true"},
		{"status with all", nil, []*tablev1.Change{rule.SetStatus("thug", &typev1.Status{Key: "x", Causes: []string{"a", "b"}, Duration: rounds(2, 3)})},
			"thug.status.x: null -> true; thug.status.x.causes: null -> [a, b]; thug.status.x.from: null -> 2; thug.status.x.until: null -> 3"},
		{"status of another clock", nil, []*tablev1.Change{rule.SetStatus("thug", &typev1.Status{Key: "x", Duration: &typev1.Duration{Clock: typev1.Clock_CLOCK_SCENE, Until: 1}})},
			"thug.status.x: null -> true; thug.status.x.clock: null -> scene; thug.status.x.until: null -> 1"},
		{"status ends", []*tablev1.Change{rule.SetStatus("thug", &typev1.Status{Key: "x", Causes: []string{"a"}})},
			[]*tablev1.Change{rule.EndStatus("thug", &typev1.Status{Key: "x"})}, "thug.status.x: true -> null"},
		{"cause goes", []*tablev1.Change{rule.SetStatus("thug", &typev1.Status{Key: "x", Causes: []string{"a", "b"}})},
			[]*tablev1.Change{rule.SetStatus("thug", &typev1.Status{Key: "x", Causes: []string{"a"}})}, "thug.status.x.causes: [a, b] -> [a]"},
		{"modifier", nil, []*tablev1.Change{rule.SetModifier("thug", &typev1.Modifier{Id: "gm.spot", Value: n(-10), Uses: 1, Duration: rounds(0, 2)})},
			"thug.modifier.gm.spot: null -> -10; thug.modifier.gm.spot.until: null -> 2; thug.modifier.gm.spot.uses: null -> 1"},
		{"modifier ends", []*tablev1.Change{rule.SetModifier("thug", &typev1.Modifier{Id: "a", Value: n(5)})},
			[]*tablev1.Change{rule.EndModifier("thug", &typev1.Modifier{Id: "a"})}, "thug.modifier.a: 5 -> null"},
		{"position", nil, []*tablev1.Change{rule.SetPosition("thug", &typev1.Square{X: 1, Y: 2, Floor: -1}, rule.Public)}, "thug.position: null -> 1,2,-1"},
		{"review", nil, []*tablev1.Change{rule.SetReview(&tablev1.Character{Id: "thug"}, tablev1.Review_REVIEW_REJECTED)}, "thug.review: approved -> rejected"},
		{"piece", nil, []*tablev1.Change{part(&cocv1.Combat{Moved: true, DefCount: &cocv1.DefenceCount{Parry: 2}})},
			"thug.details.combat.def_count.parry: 0 -> 2; thug.details.combat.moved: false -> true"},
		{"piece is reset", []*tablev1.Change{part(&cocv1.Combat{AttacksMade: 1, DefCount: &cocv1.DefenceCount{Dodge: 1}})},
			[]*tablev1.Change{part(&cocv1.Combat{})}, "thug.details.combat.attacks_made: 1 -> 0; thug.details.combat.def_count.dodge: 1 -> 0"},
		{"piece is removed", []*tablev1.Change{part(&cocv1.Combat{AttacksMade: 1})},
			[]*tablev1.Change{without(&cocv1.Combat{})}, "thug.details.combat.attacks_made: 1 -> 0"},
		{"optional piece", nil, []*tablev1.Change{part(&cocv1.Mind{RpPoints: n(0)})}, "thug.details.mind.rp_points: null -> 0"},
		{"repeated piece", nil, []*tablev1.Change{part(&cocv1.Weapon{Id: "knife", State: cocv1.WeaponState_WEAPON_STATE_DROPPED, Durability: n(0), Audience: rule.Public})},
			"thug.details.weapons.knife.state: null -> dropped"},
		{"empty repeated piece", nil, []*tablev1.Change{part(&cocv1.Wound{Id: 1})}, "thug.details.wounds.1: null -> true"},
		{"repeated piece changes", nil, []*tablev1.Change{part(&cocv1.Weapon{Id: "baton", Template: "baton", InHand: true, Ready: true, State: cocv1.WeaponState_WEAPON_STATE_BROKEN})},
			"thug.details.weapons.baton.durability: 20 -> null; thug.details.weapons.baton.state: ok -> broken"},
		{"repeated piece is removed", nil, []*tablev1.Change{without(&cocv1.Weapon{Id: "baton"})}, "thug.details.weapons.baton: true -> null"},
		{"audience", nil, []*tablev1.Change{part(&cocv1.Weapon{Id: "fist", Template: "fist", InHand: true, Ready: true, State: cocv1.WeaponState_WEAPON_STATE_OK, Audience: rule.GM})}, ""},
		{"encounter", nil, []*tablev1.Change{rule.SetEncounter(&tablev1.Encounter{Order: []string{"a", "b"}, Round: 1, Pointer: 1, Step: "actions"})},
			"encounter.order: null -> [a, b]; encounter.round: null -> 1; encounter.step: null -> actions"},
		{"encounter goes on", []*tablev1.Change{rule.SetEncounter(&tablev1.Encounter{Round: 1, Turn: []string{"a"}, Pointer: 1})},
			[]*tablev1.Change{rule.SetEncounter(&tablev1.Encounter{Round: 2, Pointer: 2})}, "encounter.round: 1 -> 2; encounter.turn: [a] -> []"},
		{"encounter ends", []*tablev1.Change{rule.SetEncounter(&tablev1.Encounter{Round: 1})}, []*tablev1.Change{rule.EndEncounter()}, "encounter: true -> null"},
		{"clock", nil, []*tablev1.Change{rule.SetClock(typev1.Clock_CLOCK_ROUND, 4)}, ""},
		{"newcomer", nil, []*tablev1.Change{rule.AddCharacter(sample("nurse", false, 11))}, "nurse: null -> true"},
		{"goes away", nil, []*tablev1.Change{{Change: &tablev1.Change_Character{Character: &tablev1.CharacterChange{Character: "thug", Removed: true}}}}, "thug: true -> null"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tab := table.New()
			tab.Apply(rule.AddCharacter(sample("thug", true, 13)))
			for _, ch := range c.before {
				tab.Apply(ch)
			}
			before := scenario.Snap(tab.State())
			for _, ch := range c.change {
				tab.Apply(ch)
			}
			var got []string
			for _, d := range scenario.Snap(tab.State()).Diff(before) {
				got = append(got, d.String())
			}
			if text := strings.Join(got, "; "); text != c.want {
				t.Errorf("\ngot  %s\nwant %s", text, c.want)
			}
			tab.Rollback(0)
		})
	}
}

func TestValueIs(t *testing.T) {
	for _, c := range []struct {
		v, expected scenario.Value
		want        bool
	}{
		{scenario.Number(7), scenario.Word("7"), true},
		{scenario.Number(7), scenario.Word("8"), false},
		{scenario.Words("a"), scenario.Word("a"), true},
		{scenario.Words("a"), scenario.Words("a"), true},
		{scenario.Words("a", "b"), scenario.Word("a"), false},
		{scenario.Words("a", "b"), scenario.Words("b", "a"), false},
		{scenario.Word("a"), scenario.Words("a"), false},
		{scenario.Words(), scenario.Words(), true},
		{scenario.Words(), scenario.Value{}, false},
		{scenario.Value{}, scenario.Value{}, true},
		{scenario.Value{}, scenario.Word(""), false},
	} {
		if got := c.v.Is(c.expected); got != c.want {
			t.Errorf("%v is %v: %v", c.v, c.expected, got)
		}
	}
}
