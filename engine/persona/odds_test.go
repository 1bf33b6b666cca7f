package persona_test

import (
	"bytes"
	"math/big"
	"strings"
	"testing"

	"github.com/hantei/hantei/engine/odds"
	"github.com/hantei/hantei/engine/resolve"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/view"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
)

// query asks for the odds of an action as a seat is told them: of what it sees.
func (x *explored) query(s rule.Seat, actor string, a *tablev1.Action) *odds.Query {
	q := &odds.Query{Rules: x.rules, Seat: s, Actor: actor, Action: a}
	if s.GM {
		q.State = proto.CloneOf(x.r.State())
		return q
	}
	v, vis := viewer(s), x.visibility()
	q.State = view.State(x.r.State(), v, vis)
	q.Sees = func(of string, a typev1.Audience) bool { return view.SeesValue(v, vis, a, of) }
	return q
}

// foretold are the odds of an action, as they are sent to a seat.
func (x *explored) foretold(s rule.Seat, actor string, a *tablev1.Action) *tablev1.OddsView {
	x.t.Helper()
	if err := x.r.CheckAct(resolve.Env{Seat: s}, actor, a); err != nil {
		x.t.Fatal(err)
	}
	q := x.query(s, actor, a)
	o, err := odds.Of(q)
	if err != nil {
		x.t.Fatal(err)
	}
	return view.Odds(o, q, viewer(s), x.visibility())
}

// told is how probable odds tell an event to be, by its name and one of its words.
func told(o *tablev1.OddsView, name, word string) string {
	p := new(big.Rat)
	for _, e := range o.Events {
		has := word == ""
		for _, f := range e.Event.Facts {
			for _, w := range f.Words {
				has = has || w == word
			}
		}
		if e.Event.Name == name && has {
			one, _ := new(big.Rat).SetString(e.Probability.Fraction)
			p.Add(p, one)
		}
	}
	return p.RatString()
}

// room is a dungeon of two squares, on the second of which these lie.
func room(features ...*personav1.Feature) *personav1.Dungeon {
	d := &personav1.Dungeon{
		Level: 20, Moon: personav1.Moon_MOON_FULL, Weather: personav1.Weather_WEATHER_RAIN,
		Floors: []*personav1.Floor{{Number: 1, Rows: []string{".."}, RoundLimitOverride: proto.Int32(99)}},
	}
	for i, f := range features {
		f.Id, f.Square = int32(i+1), &typev1.Square{X: 1, Floor: 1}
		d.Features = append(d.Features, f)
	}
	return d
}

func trap(kind string) *personav1.Feature {
	return &personav1.Feature{Kind: &personav1.Feature_Trap{Trap: &personav1.Trap{Kind: kind}}}
}

// entered is a dungeon that these have entered, A among them; the turn is that of the
// most agile.
func entered(t testing.TB, d *personav1.Dungeon, party ...string) *explored {
	rules, err := maker("persona", nil)
	if err != nil {
		t.Fatal(err)
	}
	x := explore(t, rules, 1, []*tablev1.Option{{Key: "allow_unlinked", Value: "true"}})
	for _, d := range []*deed{enter(d, party...), answer(seated[1], "declare_persona", resolve.SlotAnswer{Character: "a", Choice: "alpha"})} {
		if err := x.do(d); err != nil {
			t.Fatal(err)
		}
	}
	return x
}

var (
	searchIt = rule.Wrap[*tablev1.Action](&personav1.Search{Square: &typev1.Square{X: 1, Floor: 1}})
	goThere  = rule.Wrap[*tablev1.Action](&personav1.Move{Direction: personav1.Direction_DIRECTION_RIGHT})
)

// A player is told how probable a search succeeds, and no more than that: what it would
// find is not known. The GM is told it.
func TestOddsEndAtWhatIsHidden(t *testing.T) {
	x := entered(t, room(trap("dart")), "a", "b")
	anna := seated[1]
	for _, c := range []struct {
		name             string
		seat             rule.Seat
		a                *tablev1.Action
		found, not, stop string
	}{
		{"a player's search", anna, searchIt, "0", "9/20", "search 11/20, pickup_choice 9/20"},
		{"the GM's search", seated[0], searchIt, "11/20", "9/20", ""},
		{"a player's move", anna, goThere, "0", "0", "look_around 1"},
		{"the GM's move", seated[0], goThere, "1", "0", ""},
	} {
		o := x.foretold(c.seat, "a", c.a)
		var stops []string
		for _, s := range o.Stops {
			stops = append(stops, s.Character+s.Label+" "+s.Probability.Fraction)
		}
		stop := strings.Join(stops, ", ")
		found := told(o, "feature_revealed", "")
		if c.a == goThere {
			found = told(o, "trap_triggered", "")
		}
		if not := told(o, "nothing_found", ""); found != c.found || not != c.not || stop != c.stop {
			t.Errorf("%s: found %s, nothing %s, stops at %q; want %s, %s, %q", c.name, found, not, stop, c.found, c.not, c.stop)
		}
	}
}

// Two dungeons that differ only in what was never disclosed give a player the same odds,
// to the byte.
func TestOddsOfWhatWasNeverDisclosed(t *testing.T) {
	rooms := map[string]*personav1.Dungeon{
		"nothing": room(), "a trap": room(trap("dart")), "a trap that a search sets off": room(trap("snare_box")),
		"two of them, and an event": room(trap("gas_vent"), trap("pitfall"), &personav1.Feature{Kind: &personav1.Feature_Event{Event: &personav1.EventFeature{Key: "altar"}}}),
		"an enemy": room(&personav1.Feature{Visibility: personav1.Visibility_VISIBILITY_HIDDEN, Kind: &personav1.Feature_Enemy{
			Enemy: &personav1.Enemy{Name: "rust_hound", Level: 24, Count: 3, Specialties: []string{"strike"}},
		}}),
	}
	actions := map[string]*tablev1.Action{
		"search": searchIt, "move": goThere, "end of the turn": rule.Wrap[*tablev1.Action](&personav1.EndTurn{}),
		"a skill": rule.Wrap[*tablev1.Action](&personav1.UsePersonaSkill{Skill: "enemy_search"}),
	}
	first := entered(t, rooms["nothing"], "a", "b")
	for name, d := range rooms {
		x := entered(t, d, "a", "b")
		for what, a := range actions {
			want, got := first.foretold(seated[1], "a", a), x.foretold(seated[1], "a", a)
			if !bytes.Equal(encoded(t, want), encoded(t, got)) {
				t.Errorf("%s where there is %s: %v, and where there is nothing %v", what, name, got, want)
			}
		}
	}
	// The test could not fail if the GM were told the same.
	if gm := seated[0]; bytes.Equal(encoded(t, first.foretold(gm, "a", searchIt)), encoded(t, entered(t, rooms["a trap"], "a", "b").foretold(gm, "a", searchIt))) {
		t.Error("the GM is told the same")
	}
}

func encoded(t *testing.T, m proto.Message) []byte {
	t.Helper()
	b, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
