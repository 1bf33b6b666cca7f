package trial

import (
	"bytes"
	"fmt"
	"math/big"
	"slices"

	"github.com/hantei/hantei/engine/odds"
	"github.com/hantei/hantei/engine/resolve"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	"github.com/hantei/hantei/engine/view"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
)

// Budgets of odds: few, since a game asks often.
const (
	oddsLeaves  = 300
	oddsSamples = 40
)

// query is what a seat is asked the odds of, on the state as it sees it.
func (g *Game) query(seat rule.Seat, actor string, action *tablev1.Action, seen *tablev1.State) *odds.Query {
	q := &odds.Query{
		Rules: g.Rules, State: proto.CloneOf(seen), Seat: seat, Actor: actor, Action: action,
		MaxLeaves: oddsLeaves, MaxSamples: oddsSamples,
		When: []func(odds.End) bool{func(odds.End) bool { return true }},
	}
	if !seat.GM {
		viewer, vis := g.viewer(seat), g.visibility()
		q.Sees = func(of string, a typev1.Audience) bool { return view.SeesValue(viewer, vis, a, of) }
	}
	return q
}

// tryable reports whether odds can be asked of an action now.
func (g *Game) tryable(action *tablev1.Action) bool {
	info := g.info(action)
	return !g.Waiting() && !info.Lever && !info.NoOdds
}

// tries asks the odds of an action that is about to be taken, for the seat and for the
// GM: all that can come of it is certain, and asking changes nothing.
func (g *Game) tries(seat rule.Seat, actor string, action *tablev1.Action) {
	for _, s := range []rule.Seat{seat, g.gm()} {
		seen := g.State()
		if !s.GM {
			seen = g.sees(s).State
		}
		q := g.query(s, actor, action, seen)
		before := marshal(q.State)
		leaves := new(big.Rat)
		q.Leaf = func(l *odds.Leaf) { leaves.Add(leaves, l.P) }
		o, err := odds.Of(q)
		if err != nil {
			g.fail("odds of %v for %s: %v", action, s.ID, err)
		}
		g.certain(s, action, o)
		if o.Exact && ends(o, leaves).Cmp(one) != 0 {
			g.fail("odds of %v for %s: the leaves come to %s", action, s.ID, ends(o, leaves).RatString())
		}
		if !bytes.Equal(marshal(q.State), before) {
			g.fail("odds of %v for %s: the state is another", action, s.ID)
		}
		g.used.count("odds", s.ID)
	}
}

// foresees asks for the GM what can come of an answer where a step waits. What it
// returns is called when the answer is given: if nobody else was asked, it has come so.
func (g *Game) foresees(w *tablev1.Window, a resolve.SlotAnswer) func() {
	before := marshal(g.State())
	step := g.r.Suspended()
	q := &odds.Query{
		Rules: g.Rules, State: step.Before, Seat: g.gm(), MaxLeaves: oddsLeaves, MaxSamples: oddsSamples,
		Waiting: &odds.Waiting{Step: step.Step, Journal: step.Journal, Character: a.Character, Now: proto.CloneOf(g.State())},
		When:    []func(odds.End) bool{func(odds.End) bool { return true }},
	}
	if w.Kind != tablev1.WindowKind_WINDOW_KIND_DICE {
		q.Answers = []odds.Answer{{Prompt: w.Name, Character: a.Character, Choice: a.Choice, Values: a.Values}}
	}
	o, err := odds.Of(q)
	if err != nil {
		g.fail("odds of %v to %s: %v", a, w.Name, err)
	}
	g.certain(q.Seat, step.Step.GetAction(), o)
	if !bytes.Equal(marshal(g.State()), before) {
		g.fail("odds of %v to %s: the state is another", a, w.Name)
	}
	g.used.count("odds", "waiting")
	return func() {
		alone := len(openSlots(w)) == 1 && o.Question == nil && len(g.policies) == 0
		if !alone || g.Waiting() || !o.Exact || o.Truncated.Sign() > 0 {
			return
		}
		for _, row := range o.Resources {
			value := table.Resource(table.Character(g.State(), row.Character), row.Key).GetValue()
			if !slices.ContainsFunc(row.Points, func(p odds.Point) bool { return p.Value == value }) {
				g.fail("%s of %s has come to %d, which has no odds: %v", row.Key, row.Character, value, row.Points)
			}
		}
	}
}

var one = big.NewRat(1, 1)

// ends adds up how it ends, with what was cut off and where nothing more is known.
func ends(o *odds.Odds, done *big.Rat) *big.Rat {
	all := new(big.Rat).Add(done, o.Truncated)
	for _, s := range o.Stops {
		all.Add(all, s.P)
	}
	return all
}

// certain: something comes of it, and what a resource can come to is all that it can.
func (g *Game) certain(s rule.Seat, action *tablev1.Action, o *odds.Odds) {
	for _, e := range o.Events {
		if e.P.Sign() <= 0 || e.P.Cmp(one) > 0 {
			g.fail("odds of %v for %s: %s happens with %s", action, s.ID, e.Event.Name, e.P.RatString())
		}
	}
	if len(o.When) > 0 && ends(o, o.When[0]).Cmp(one) != 0 {
		g.fail("odds of %v for %s: all comes to %s", action, s.ID, ends(o, o.When[0]).RatString())
	}
	for _, r := range o.Resources {
		sum := new(big.Rat)
		for _, p := range r.Points {
			sum.Add(sum, p.P)
		}
		if len(o.When) > 0 && sum.Cmp(o.When[0]) != 0 {
			g.fail("odds of %v for %s: the values of %s of %s come to %s", action, s.ID, r.Key, r.Character, sum.RatString())
		}
	}
	if o.Question != nil {
		for _, c := range o.Question.Choices {
			if c.Odds != nil {
				g.certain(s, action, c.Odds)
			}
		}
	}
}

// foretold compares what the seat is told of the odds of one of its offers, of which
// both tables have the same.
func (b *blind) foretold(g *Game, known, otherwise *tablev1.State) {
	seat := g.seats[b.seat]
	var all []*tablev1.Offer
	for _, o := range resolve.Offers(g.Rules, &rule.View{State: known, Seat: seat, Options: g.Rules.Options}) {
		if o.Possible && !o.Form && g.tryable(o.Action) {
			all = append(all, o)
		}
	}
	if len(all) == 0 || b.r.Waiting() {
		return
	}
	o := Pick(g, all)
	action, refusal := resolve.Take(o, g.values(o.Inputs))
	if refusal != nil {
		g.fail("offer %v: %v", o, refusal)
	}
	told := func(seen *tablev1.State) []byte {
		q := g.query(seat, o.Actor, action, seen)
		out, err := odds.Of(q)
		if err != nil {
			g.fail("odds of %v: %v", action, err)
		}
		return marshal(view.Odds(out, q, b.viewer(g), g.visibility()))
	}
	if !bytes.Equal(told(known), told(otherwise)) {
		b.part(g, nil, g.events, b.past, func() string { return fmt.Sprintf("the odds of %v are others", action) })
	}
}
