package odds_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hantei/hantei/engine/odds"
	"github.com/hantei/hantei/engine/resolve"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

// A tiny ruleset in the messages of coc: three blows of 1D4, each a step of its own, and
// each noted as a wound with its face. It is not coc.
func blows(history bool) *rule.Ruleset {
	r := &rule.Ruleset{Name: "coc", Options: rule.NewOptions(nil)}
	hit := rule.Name(cocv1.EventName_EVENT_NAME_ATTACK_HIT)
	blow := func(c *rule.Ctx, by string) {
		face := c.Die("blow", by, 4)
		me := c.Character(by)
		wound := &cocv1.Wound{Id: int32(len(me.GetDetails().GetCoc().GetWounds())) + 1, Amount: face}
		c.Emit(c.Event(hit, "", by).Change(
			rule.SetResource(by, table.Resource(me, "hp"), table.Resource(me, "hp").GetValue()-face%2),
			rule.SetPart(by, rule.Wrap[*tablev1.Part](wound)),
		))
	}
	rule.Register(r, rule.Action[*cocv1.EndTurn]{Run: func(c *rule.Ctx, by string, _ *cocv1.EndTurn) {
		blow(c, by)
		c.Then(by, &cocv1.RoundStart{}, &cocv1.RoundEnd{})
	}})
	rule.Register(r, rule.Action[*cocv1.Move]{Run: func(c *rule.Ctx, by string, _ *cocv1.Move) { c.Then(by, &cocv1.NextTurn{}) }})
	rule.Register(r, rule.Action[*cocv1.Draw]{Run: func(c *rule.Ctx, by string, _ *cocv1.Draw) {
		for {
			c.Die("again", by, 2)
		}
	}})
	rule.Register(r, rule.Action[*cocv1.Dedicate]{Run: func(*rule.Ctx, string, *cocv1.Dedicate) { panic("a bug of the rules") }})
	rule.RegisterStep(r, func(c *rule.Ctx, by string, _ *cocv1.RoundStart) { blow(c, by) })
	rule.RegisterStep(r, func(c *rule.Ctx, by string, _ *cocv1.RoundEnd) { blow(c, by) })
	rule.RegisterStep(r, func(c *rule.Ctx, by string, _ *cocv1.NextTurn) { c.Then(by, &cocv1.NextTurn{}) }) // for ever
	if history {
		r.History = func(p *tablev1.Part) bool { return p.GetCoc().GetWounds() != nil }
	}
	return r
}

func blown(rs *rule.Ruleset, a *tablev1.Action) odds.Query {
	hp := int32(10)
	s := &tablev1.State{Ruleset: "coc", Characters: []*tablev1.Character{{Id: "thug", Resources: []*typev1.Resource{{Key: "hp", Value: &hp, Max: &hp}}}}}
	return odds.Query{Rules: rs, State: s, Seat: gm, Actor: "thug", Action: a}
}

// States that came out the same go on as one, also where only history tells them apart;
// what comes of it is the same.
func TestMerged(t *testing.T) {
	for _, c := range []struct {
		name           string
		history, apart bool
		leaves         int
	}{
		{"apart", false, true, 4 + 16 + 64},
		{"merged, each face another state", false, false, 4 + 16 + 64},
		{"merged without history", true, false, 4 + 2*4 + 3*4},
	} {
		q := blown(blows(c.history), action(&cocv1.EndTurn{}))
		q.Apart = c.apart
		o := of(t, q)
		if o.Leaves != c.leaves {
			t.Errorf("%s: %d leaves, want %d", c.name, o.Leaves, c.leaves)
		}
		want := "attack_hit thug [] 1\nthug hp 17/2 7:1/8 8:3/8 9:3/8 10:1/8"
		if got := written(o); got != want {
			t.Errorf("%s: %s, want %s", c.name, got, want)
		}
	}
}

// A shot goes on with the next turn: coc merges and comes to the same.
func TestMergedShot(t *testing.T) {
	rs := rules(t)
	s := fight(t, rs, "officer", "thug")
	s.Encounter.Step = "shooting"
	for _, w := range table.Character(s, "officer").Details.GetCoc().Weapons {
		w.InHand, w.Ready = true, true
	}
	x := &trial{rules: rs, state: s, actor: "officer", action: action(&cocv1.Shoot{Weapon: "handgun", Target: "thug"}), answers: dodges("dodge")}
	if err := x.resolver().CheckAct(resolve.Env{Seat: gm}, x.actor, x.action); err != nil {
		t.Fatal(err)
	}
	same(t, x, func(q *odds.Query) { q.Apart = true })
}

// Rules that come to no end, and a bug of the rules, are errors; the state stays.
func TestEndless(t *testing.T) {
	for _, c := range []struct {
		a    *tablev1.Action
		want string
	}{
		{action(&cocv1.Move{}), "too many steps"},
		{action(&cocv1.Dedicate{}), "a bug of the rules"},
	} {
		for _, sampled := range []bool{false, true} {
			q := blown(blows(false), c.a)
			q.Sampled = sampled
			before := table.Hash(q.State)
			_, err := odds.Of(&q)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v: %v", c.a, err)
			}
			if table.Hash(q.State) != before {
				t.Errorf("%v: the state is not what it was", c.a)
			}
		}
	}
	// Two of a coin in each of endless throws: too many leaves, then too many dice.
	q := blown(blows(false), action(&cocv1.Draw{}))
	if _, err := odds.Of(&q); err == nil || !strings.Contains(err.Error(), "too many dice") {
		t.Errorf("%v", err)
	}
}

// For who may not see a character's values it ends before what depends on them, in the
// same words whatever they are. What comes before is told.
func TestStops(t *testing.T) {
	rs := rules(t)
	for _, c := range []struct {
		name   string
		a      *tablev1.Action
		hidden string
		class  typev1.Audience
		stop   string
	}{
		{"an attack, at the defence", baton, "thug", rule.Values, "thug defend 3/5"},
		{"an attack, of one's own values", baton, "officer", rule.Values, "officer attack 1"},
		{"an attack, of somebody whose hit points alone are hidden", baton, "thug", rule.HP, "thug damage 3/5"},
		{"an opposed roll", action(&cocv1.Opposed{Skill: "dodge", Target: "thug", TargetSkill: "dodge"}), "thug", rule.Values, "thug check/thug 1"},
		{"a sanity check", action(&cocv1.SanCheck{Targets: []string{"officer"}, Loss: "0/1D6"}), "officer", rule.Mind, "officer san/officer 1"},
	} {
		s := fight(t, rs, "officer", "thug")
		if c.hidden == "thug" && c.class == rule.Values {
			// As the projection leaves it.
			s.Characters[1].Stats, s.Characters[1].Resources[0].Value = nil, nil
		}
		actor := "officer"
		if c.a.GetCoc().GetSanCheck() != nil {
			actor = ""
		}
		o := of(t, odds.Query{
			Rules: rs, State: s, Actor: actor, Action: c.a,
			Sees: func(of string, a typev1.Audience) bool { return of != c.hidden || a != c.class },
		})
		got := ""
		for _, s := range o.Stops {
			got += fmt.Sprint(s.Character, " ", s.Label, " ", s.P.RatString())
		}
		if got != c.stop {
			t.Errorf("%s: %s, want %s", c.name, got, c.stop)
		}
		if len(o.Resources)+len(o.Statuses)+len(o.When) > 0 {
			t.Errorf("%s: it tells what comes after", c.name)
		}
		if c.a == baton && c.hidden == "thug" && happens(o, "attack_missed", "") != "7/20" {
			t.Errorf("%s: it does not tell what comes before: %s", c.name, written(o))
		}
	}
}

// Rules that rely on what is not there end the odds too.
func TestStopsAtPanic(t *testing.T) {
	q := blown(blows(false), action(&cocv1.Dedicate{}))
	q.Sees = func(string, typev1.Audience) bool { return true }
	if o := of(t, q); len(o.Stops) != 1 || o.Stops[0].Character != "" || o.Stops[0].P.RatString() != "1" {
		t.Errorf("%+v", o.Stops)
	}
}
