package persona_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/hantei/hantei/engine/dice"
	"github.com/hantei/hantei/engine/resolve"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
)

// column are dice that put the Reaper into a column of the first row.
type column struct {
	dice.Source
	n int32
}

func (s column) Throw(label, of string, d dice.Dice) (dice.Throw, error) {
	switch {
	case strings.HasPrefix(label, "reaper/x/"):
		return dice.Throw{Dice: d, Faces: []int32{s.n}, Total: s.n}, nil
	case strings.HasPrefix(label, "reaper/y/"):
		return dice.Throw{Dice: d, Faces: []int32{1}, Total: 1}, nil
	}
	return s.Source.Throw(label, of, d)
}

// haunt plays a command with the Reaper in a column, if it comes by it.
func (x *explored) haunt(d *deed, n int32) error {
	x.steps++
	live := &dice.Live{Seed: [32]byte{1}, Number: x.steps * 1000}
	_, err := d.run(x.r, resolve.Env{Seat: d.seat, Dice: column{live, n}})
	return err
}

// A Reaper that nobody detects walks two floors that differ in nothing but in where it
// stands: players are sent the same. Where one is detected they are not.
func TestUnseenReaper(t *testing.T) {
	rules, err := maker("persona", nil)
	if err != nil {
		t.Fatal(err)
	}
	row := strings.Repeat(".", 20)
	d := &personav1.Dungeon{
		Level: 20, Moon: personav1.Moon_MOON_HALF, Weather: personav1.Weather_WEATHER_CLOUDY,
		Floors: []*personav1.Floor{{Number: 1, Rows: []string{row, row}, RoundLimitOverride: proto.Int32(1)}},
		Features: []*personav1.Feature{{
			Id: 1, Square: &typev1.Square{Floor: 1}, Kind: &personav1.Feature_Stairs{Stairs: &personav1.Stairs{To: &personav1.Stairs_Outside{Outside: true}}},
		}},
	}
	columns := []int32{20, 16}
	var tables []*explored
	for range columns {
		x := explore(t, rules, 1, nil)
		if err := x.do(enter(d, "b", "c", "d")); err != nil { // nobody who analyzes
			t.Fatal(err)
		}
		tables = append(tables, x)
	}
	end := func(s *tablev1.State) *deed {
		turn := s.Encounter.Turn
		id := turn[slices.IndexFunc(turn, func(id string) bool {
			return !table.Character(s, id).GetDetails().GetPersona().GetHands().GetActed()
		})]
		seat := seated[1+slices.IndexFunc(seated[1:], func(s rule.Seat) bool { return slices.Contains(s.Characters, id) })]
		return act(seat, id, rule.Wrap[*tablev1.Action](&personav1.EndTurn{}))
	}
	compared := false
	for tables[1].r.State().GetEncounter().GetStep() == "active" {
		next := end(tables[1].r.State())
		var sent [][]message
		for i, x := range tables {
			if err := x.haunt(next, columns[i]); err != nil {
				t.Fatal(err)
			}
			sent = append(sent, x.sent(next, nil))
		}
		if len(tables[1].r.State().GetDungeon().GetMarks()) > 1 { // the stairs' is the first
			if slices.EqualFunc(sent[0], sent[1], func(a, b message) bool { return string(a.bytes) == string(b.bytes) }) {
				t.Error("a Reaper that is detected shows to nobody")
			}
			break
		}
		same(t, next, sent[0], sent[1])
		var at []*typev1.Square
		for _, x := range tables {
			for _, r := range x.r.State().Details.GetPersona().GetReapers() {
				at = append(at, r.Square)
			}
		}
		compared = compared || len(at) == 2 && !proto.Equal(at[0], at[1]) && tables[0].r.State().Encounter.Round > 4
	}
	if !compared {
		t.Error("no Reaper has walked in two places")
	}
	if len(tables[1].r.State().GetDungeon().GetMarks()) < 2 {
		t.Error("the nearer Reaper is never detected")
	}
}

// A Reaper that is gone is known to nobody any more, whoever's knowledge it was before the
// GM changed knowledge_scope (PER-RPR-09). The games found one that stayed on the map.
func TestReaperGoneInAnotherScope(t *testing.T) {
	rules, err := maker("persona", nil)
	if err != nil {
		t.Fatal(err)
	}
	x := explore(t, rules, 1, nil)
	d := &personav1.Dungeon{
		Level: 20, Moon: personav1.Moon_MOON_HALF, Weather: personav1.Weather_WEATHER_CLOUDY,
		Floors: []*personav1.Floor{{Number: 1, Rows: []string{"..."}, RoundLimitOverride: proto.Int32(1)}},
		Features: []*personav1.Feature{{
			Id: 1, Square: &typev1.Square{Floor: 1}, Kind: &personav1.Feature_Stairs{Stairs: &personav1.Stairs{To: &personav1.Stairs_Outside{Outside: true}}},
		}},
	}
	if err := x.do(enter(d, "b")); err != nil {
		t.Fatal(err)
	}
	for x.r.State().Encounter.Step == "active" {
		if err := x.haunt(act(seated[0], "b", rule.Wrap[*tablev1.Action](&personav1.EndTurn{})), 2); err != nil {
			t.Fatal(err)
		}
	}
	known := func() bool {
		return slices.ContainsFunc(x.r.State().Dungeon.Marks, func(m *tablev1.DungeonMark) bool { return m.Kind == "reaper" })
	}
	if !known() {
		t.Fatal("nobody has detected it")
	}
	set := &deed{seat: seated[0], what: "change the scope", run: func(r *resolve.Resolver, env resolve.Env) (*tablev1.Commit, error) {
		return r.SetOptions(env, []*tablev1.Option{{Key: "knowledge_scope", Value: "individual"}})
	}}
	won := rule.Wrap[*tablev1.Action](&personav1.ResolveReaperBattle{Outcome: personav1.ReaperOutcome_REAPER_OUTCOME_WON})
	for _, d := range []*deed{set, act(seated[0], "", won)} {
		if err := x.do(d); err != nil {
			t.Fatal(err)
		}
	}
	if known() {
		t.Errorf("it is defeated, and stands on the map: %v", x.r.State().Dungeon.Marks)
	}
}
