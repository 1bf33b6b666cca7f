package odds_test

import (
	"fmt"
	"testing"

	"github.com/hantei/hantei/engine/coc"
	"github.com/hantei/hantei/engine/odds"
	"github.com/hantei/hantei/engine/rule"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"google.golang.org/protobuf/proto"
)

func rules(tb testing.TB) *rule.Ruleset {
	tb.Helper()
	rs, err := coc.New(coc.DefaultPack())
	if err != nil {
		tb.Fatal(err)
	}
	return rs
}

// fight is a fight in which the first has the turn.
func fight(tb testing.TB, rs *rule.Ruleset, roster ...string) *tablev1.State {
	tb.Helper()
	s := &tablev1.State{
		Ruleset: "coc", Clocks: []*tablev1.ClockReading{{Clock: 1, Reading: 1}},
		Encounter: &tablev1.Encounter{Roster: roster, Order: roster, Round: 1, Step: "actions", Turn: roster[:1], Pointer: 1},
	}
	for _, id := range roster {
		ch, refusal := rs.FromSample(id)
		if refusal != nil {
			tb.Fatal(refusal)
		}
		ch.Review = tablev1.Review_REVIEW_APPROVED
		s.Characters = append(s.Characters, ch)
	}
	return s
}

func attack(target string) *tablev1.Action {
	return rule.Wrap[*tablev1.Action](&cocv1.Attack{Weapon: "baton", Target: target})
}

func TestTry(t *testing.T) {
	rs := rules(t)
	s := fight(t, rs, "officer", "thug")
	s.Characters[1].Resources[0].Value = proto.Int32(13)
	o, err := odds.Of(&odds.Query{
		Rules: rs, State: s, Seat: rule.Seat{ID: "gm", GM: true}, Actor: "officer", Action: attack("thug"),
		Answers: []odds.Answer{{Prompt: "defend", Choice: "dodge"}},
		When: []func(*tablev1.State) bool{func(s *tablev1.State) bool { return *s.Characters[1].Resources[0].Value <= 7 }},
	})
	if err != nil {
		t.Fatal(err)
	}
	fmt.Println(o.Exact, o.Leaves, o.When)
	for _, e := range o.Events {
		fmt.Println(e.Event, e.P)
	}
	for _, e := range o.Resources {
		fmt.Println(e.Character, e.Key, e.Points, e.Mean)
	}
	for _, e := range o.Statuses {
		fmt.Println(e)
	}
	fmt.Printf("%+v\n", o.Question)
}

func BenchmarkOddsAttackDodge(b *testing.B) {
	rs := rules(b)
	s := fight(b, rs, "officer", "thug")
	q := &odds.Query{
		Rules: rs, State: s, Seat: rule.Seat{ID: "gm", GM: true}, Actor: "officer", Action: attack("thug"),
		Answers: []odds.Answer{{Prompt: "defend", Choice: "dodge"}},
	}
	leaves := 0
	b.ReportAllocs()
	for b.Loop() {
		o, err := odds.Of(q)
		if err != nil {
			b.Fatal(err)
		}
		leaves = o.Leaves
	}
	b.ReportMetric(float64(leaves), "leaves/op")
}
