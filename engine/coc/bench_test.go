package coc_test

import (
	"fmt"
	"runtime"
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
	// Fresh tables are made in batches outside the measurement: stopping the clock
	// for each would cost more than an exchange.
	type fresh struct {
		r             *resolve.Resolver
		first, second dice.Source
	}
	var batch []fresh
	b.ReportAllocs()
	for b.Loop() {
		if len(batch) == 0 {
			b.StopTimer()
			for range 50 {
				batch = append(batch, fresh{
					r:      resolve.FromState(first.Rules(), proto.Clone(base).(*tablev1.State), func(int64, int32, int32) string { return "w" }),
					first:  given(b, "1D100=44"),
					second: given(b, "1D100=31", "1D6=4", "1D4=2"),
				})
			}
			runtime.GC()
			b.StartTimer()
		}
		x := batch[len(batch)-1]
		batch = batch[:len(batch)-1]
		c, err := x.r.Act(resolve.Env{Seat: gm, Dice: x.first}, "officer", attack, 0)
		if err != nil {
			b.Fatal(err)
		}
		w := x.r.State().Windows[len(x.r.State().Windows)-1]
		a, err := x.r.Answer(resolve.Env{Seat: gm, Dice: x.second}, w, []resolve.SlotAnswer{{Character: "thug", Choice: "dodge"}})
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

// BenchmarkFold is row 7 of the design's figures: the commits of a long fight are
// read from their stored bytes and folded, at two lengths to show that it is linear.
func BenchmarkFold(b *testing.B) {
	rules, err := maker("coc", nil)
	if err != nil {
		b.Fatal(err)
	}
	for _, want := range []int{5_000, 50_000} {
		log, events := longFight(b, want)
		b.Run(fmt.Sprintf("%dk_events", want/1000), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				r := resolve.New(rules, func(int64, int32, int32) string { return "w" })
				for _, stored := range log {
					c := &tablev1.Commit{}
					if err := proto.Unmarshal(stored, c); err != nil {
						b.Fatal(err)
					}
					if err := r.Load(c); err != nil {
						b.Fatal(err)
					}
				}
			}
			total := float64(events) * float64(b.N)
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/total, "ns/event")
			b.ReportMetric(total/b.Elapsed().Seconds(), "events/s")
		})
	}
}

// longFight is the stored log of attacks and dodges until there are so many events.
func longFight(tb testing.TB, want int) (log [][]byte, events int) {
	tb.Helper()
	rules, err := maker("coc", nil)
	if err != nil {
		tb.Fatal(err)
	}
	r := resolve.New(rules, func(c int64, run, n int32) string { return fmt.Sprintf("w%d.%d.%d", c, run, n) })
	keep := func(c *tablev1.Commit, err error) {
		if err != nil {
			tb.Fatal(err)
		}
		stored, err := proto.Marshal(c)
		if err != nil {
			tb.Fatal(err)
		}
		log, events = append(log, stored), events+countEvents(c)
	}
	gm := rule.Seat{ID: "gm", GM: true}
	keep(r.Create(nil))
	roster := []string{"officer", "thug"}
	for _, id := range roster {
		ch, refusal := rules.FromSample(id)
		if refusal != nil {
			tb.Fatal(refusal)
		}
		ch.Details.GetCoc().Body.AttacksPerRound = proto.Int32(1 << 30)
		keep(r.AddCharacter(resolve.Env{Seat: gm}, ch))
	}
	keep(r.Fixture(
		rule.SetEncounter(&tablev1.Encounter{Roster: roster, Order: roster, Round: 1, Step: "actions", Turn: roster[:1], Pointer: 1}),
		rule.SetClock(1, 1),
	))
	attack := rule.Wrap[*tablev1.Action](&cocv1.Attack{Weapon: "baton", Target: "thug"})
	for events < want {
		keep(r.Act(resolve.Env{Seat: gm, Dice: given(tb, "1D100=44")}, "officer", attack, 0))
		w := r.State().Windows[len(r.State().Windows)-1]
		if !w.Open {
			continue // the thug is locked: nobody was asked
		}
		keep(r.Answer(resolve.Env{Seat: gm, Dice: given(tb, "1D6=1", "1D4=1")}, w, []resolve.SlotAnswer{{Character: "thug", Choice: "none"}}))
		thug := r.State().Characters[1]
		keep(r.Fixture(rule.SetResource("thug", thug.Resources[0], 13)))
	}
	return log, events
}
