package coc_test

import (
	"fmt"
	"testing"

	"github.com/hantei/hantei/engine/dice"
	"github.com/hantei/hantei/engine/resolve"
	"github.com/hantei/hantei/engine/rule"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"google.golang.org/protobuf/proto"
)

// fight is a table of ten in the action step, the officer's turn.
func fight(tb testing.TB) *resolve.Resolver {
	tb.Helper()
	rs, err := maker("coc", nil)
	if err != nil {
		tb.Fatal(err)
	}
	r := resolve.New(rs, func(c int64, run, n int32) string { return fmt.Sprintf("w%d.%d.%d", c, run, n) })
	if _, err := r.Create(nil); err != nil {
		tb.Fatal(err)
	}
	roster := []string{"officer", "thug"}
	for i := range 8 {
		roster = append(roster, fmt.Sprintf("thug-%d", i+2))
	}
	for i, id := range roster {
		sample := "thug"
		if i == 0 {
			sample = "officer"
		}
		ch, refusal := rs.FromSample(sample)
		if refusal != nil {
			tb.Fatal(refusal)
		}
		ch.Id = id
		if i > 0 {
			ch.Side = id // nobody covers: one prompt, as in the row of the design
		}
		if _, err := r.AddCharacter(resolve.Env{}, ch); err != nil {
			tb.Fatal(err)
		}
	}
	if _, err := r.Fixture(
		rule.SetEncounter(&tablev1.Encounter{Roster: roster, Order: roster, Round: 1, Step: "actions", Turn: roster[:1], Pointer: 1}),
		rule.SetClock(1, 1),
	); err != nil {
		tb.Fatal(err)
	}
	return r
}

func given(tb testing.TB, throws ...string) dice.Source {
	tb.Helper()
	var out []dice.Given
	for _, s := range throws {
		g, err := dice.ParseGiven(s)
		if err != nil {
			tb.Fatal(err)
		}
		out = append(out, g)
	}
	return dice.NewScripted(out...)
}

// BenchmarkExchange is row 1 of the design's figures: an attack, a dodge that
// fails, damage; one suspension, ten events.
func BenchmarkExchange(b *testing.B) {
	attack := &tablev1.Action{Ruleset: &tablev1.Action_Coc{Coc: &cocv1.Action{Action: &cocv1.Action_Attack{
		Attack: &cocv1.Attack{Weapon: "baton", Target: "thug"},
	}}}}
	first := fight(b)
	base := proto.Clone(first.State()).(*tablev1.State)
	gm := rule.Seat{ID: "gm", GM: true}
	events := 0
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		r := resolve.FromState(first.Rules(), proto.Clone(base).(*tablev1.State), func(int64, int32, int32) string { return "w" })
		d1 := given(b, "1D100=44")
		d2 := given(b, "1D100=31", "1D6=4", "1D4=2")
		b.StartTimer()
		c, err := r.Act(resolve.Env{Seat: gm, Dice: d1}, "officer", attack, 0)
		if err != nil {
			b.Fatal(err)
		}
		w := r.State().Windows[len(r.State().Windows)-1]
		a, err := r.Answer(resolve.Env{Seat: gm, Dice: d2}, w, []resolve.SlotAnswer{{Character: "thug", Choice: "dodge"}})
		if err != nil {
			b.Fatal(err)
		}
		events = countEvents(c) + countEvents(a)
	}
	b.ReportMetric(float64(events), "events/op")
}

func countEvents(c *tablev1.Commit) int {
	n := 0
	for _, run := range c.Runs {
		n += len(run.Events)
	}
	return n
}
