package odds_test

import (
	"errors"
	"math/big"
	"testing"

	"github.com/hantei/hantei/engine/coc"
	"github.com/hantei/hantei/engine/odds"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
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

// fight is a fight in which the first has the turn. Characters stand in the order of
// their ids, as at every table.
func fight(tb testing.TB, rs *rule.Ruleset, roster ...string) *tablev1.State {
	tb.Helper()
	t := table.FromState(&tablev1.State{
		Ruleset: "coc", Clocks: []*tablev1.ClockReading{{Clock: typev1.Clock_CLOCK_ENCOUNTER, Reading: 1}, {Clock: typev1.Clock_CLOCK_ROUND, Reading: 1}},
		Encounter: &tablev1.Encounter{Roster: roster, Order: roster, Round: 1, Step: "actions", Turn: roster[:1], Pointer: 1},
	})
	for _, id := range roster {
		ch, refusal := rs.FromSample(id)
		if refusal != nil {
			tb.Fatal(refusal)
		}
		ch.Review = tablev1.Review_REVIEW_APPROVED
		t.Apply(rule.AddCharacter(ch))
	}
	return t.State()
}

func action(m proto.Message) *tablev1.Action { return rule.Wrap[*tablev1.Action](m) }

var baton = action(&cocv1.Attack{Weapon: "baton", Target: "thug"})

func dodges(choice string) []odds.Answer { return []odds.Answer{{Prompt: "defend", Choice: choice}} }

var gm = rule.Seat{ID: "gm", GM: true}

func of(tb testing.TB, q odds.Query) *odds.Odds {
	tb.Helper()
	before := table.Hash(q.State)
	o, err := odds.Of(&q)
	if err != nil {
		tb.Fatal(err)
	}
	if table.Hash(q.State) != before {
		tb.Fatal("the state is not what it was")
	}
	return o
}

// happens is the probability of an event by its name and, if there is one, a word.
func happens(o *odds.Odds, name, word string) string {
	p := new(big.Rat)
	for _, e := range o.Events {
		has := word == ""
		for _, f := range e.Event.Facts {
			for _, w := range f.Words {
				has = has || w == word
			}
		}
		if e.Event.Name == name && has {
			p.Add(p, e.P)
		}
	}
	return p.RatString()
}

func below(id string, hp int32) func(odds.End) bool {
	return func(e odds.End) bool {
		return table.Resource(table.Character(e.State, id), "hp").GetValue() <= hp
	}
}

// An attack of 60 against a dodge of 30, by hand: EX-COC-ATK-01-1.
func TestAttack(t *testing.T) {
	rs := rules(t)
	o := of(t, odds.Query{
		Rules: rs, State: fight(t, rs, "officer", "thug"), Seat: gm, Actor: "officer", Action: baton, Answers: dodges("dodge"),
		When: []func(odds.End) bool{below("thug", 7)},
	})
	for _, c := range []struct{ name, word, want string }{
		{"attack_missed", "", "7/20"}, {"attack_fumbled", "", "1/20"},
		{"attack_avoided", "", "33/200"}, // 55 % that succeed, 30 % dodged
		{"counter_dealt", "", "1/1000"},  // 5 dice against 5, of which 10 of 25 are lower
	} {
		if got := happens(o, c.name, c.word); got != c.want {
			t.Errorf("%s %s: %s, want %s", c.name, c.word, got, c.want)
		}
	}
	if got := o.When[0].RatString(); !o.Exact || got != "2593/9600" {
		t.Errorf("hp 7 or less: %s, exact %v", got, o.Exact)
	}
	if len(o.Unused) > 0 || len(o.Stops) > 0 || o.Truncated.Sign() != 0 {
		t.Errorf("%+v", o)
	}
	for _, r := range o.Resources {
		sum, mean := new(big.Rat), new(big.Rat)
		for _, p := range r.Points {
			sum.Add(sum, p.P)
			mean.Add(mean, new(big.Rat).Mul(p.P, big.NewRat(int64(p.Value), 1)))
		}
		if sum.RatString() != "1" || mean.Cmp(r.Mean) != 0 {
			t.Errorf("%s.%s: in all %s, mean %s and not %s", r.Character, r.Key, sum.RatString(), r.Mean, mean)
		}
	}
}

// Without answers there are the odds of each answer to the question that comes first.
func TestQuestion(t *testing.T) {
	rs := rules(t)
	o := of(t, odds.Query{Rules: rs, State: fight(t, rs, "officer", "thug"), Seat: gm, Actor: "officer", Action: baton})
	q := o.Question
	if q == nil || q.Prompt != "defend" || q.Character != "thug" || q.Default != "none" || q.P.RatString() != "3/5" {
		t.Fatalf("%+v", q)
	}
	want := map[string]string{"none": "3/5", "dodge": "87/200", "parry.knife": "13/40"}
	for _, c := range q.Choices {
		if w, ok := want[c.ID]; ok {
			if got := happens(c.Odds, "attack_hit", "baton"); got != add(w, "1/200") && got != w {
				t.Errorf("%s: hit %s, want %s", c.ID, got, w)
			}
			delete(want, c.ID)
		}
	}
	if len(want) > 0 {
		t.Errorf("no odds of %v", want)
	}
}

func add(a, b string) string {
	x, _ := new(big.Rat).SetString(a)
	y, _ := new(big.Rat).SetString(b)
	return x.Add(x, y).RatString()
}

// A growth roll is rolled again after each critical, for ever: what is left after 16
// dice is cut off, and counted.
func TestTruncated(t *testing.T) {
	rs := rules(t)
	s := &tablev1.State{Ruleset: "coc", Clocks: []*tablev1.ClockReading{{Clock: typev1.Clock_CLOCK_SCENARIO, Reading: 1}}}
	ch, _ := rs.FromSample("officer")
	ch.Details.GetCoc().GrowthMarks = []*cocv1.GrowthMark{{Id: "initial_success.club", Kind: cocv1.MarkKind_MARK_KIND_INITIAL_SUCCESS, Skill: "club", Source: "club", Audience: rule.Owner}}
	s.Characters = []*tablev1.Character{ch}
	o := of(t, odds.Query{Rules: rs, State: s, Seat: gm, Actor: "officer", Action: action(&cocv1.GrowthRoll{Mark: "initial_success.club"})})
	left := new(big.Rat).SetInt64(1) // after 15 criticals
	for range 15 {
		left.Mul(left, big.NewRat(5, 100))
	}
	// The 17th die is one too many: after a 16th critical, and of the gain after a failure.
	want := new(big.Rat).Mul(left, big.NewRat(5+40, 100))
	if !o.Exact || o.Truncated.Cmp(want) != 0 {
		t.Errorf("truncated %s, want %s, exact %v", o.Truncated, want, o.Exact)
	}
	// A roll that does not succeed, after up to 14 criticals: 40 of 95.
	grows := new(big.Rat).Mul(new(big.Rat).Sub(big.NewRat(1, 1), left), big.NewRat(40, 95))
	if got := happens(o, "skill_changed", ""); got != grows.RatString() {
		t.Errorf("grows: %s, want %s", got, grows)
	}
}

// What has too many leaves is sampled, the same each time.
func TestSampled(t *testing.T) {
	rs := rules(t)
	q := odds.Query{Rules: rs, State: fight(t, rs, "officer", "thug"), Seat: gm, Actor: "officer", Action: baton, Answers: dodges("dodge"), MaxLeaves: 100, MaxSamples: 4000}
	a, b := of(t, q), of(t, q)
	if a.Exact || a.Samples != 4000 || happens(a, "attack_missed", "") != happens(b, "attack_missed", "") {
		t.Fatalf("%+v", a)
	}
	q.MaxLeaves = 0
	exact := of(t, q)
	p, _ := new(big.Rat).SetString(happens(exact, "attack_missed", ""))
	got, _ := new(big.Rat).SetString(happens(a, "attack_missed", ""))
	// 35 % by 4,000 samples: five standard deviations are 3.8 points.
	if d := p.Sub(p, got); d.Abs(d).Cmp(big.NewRat(38, 1000)) > 0 {
		t.Errorf("missed by samples %s", got.FloatString(4))
	}
	if a.Resources[0].Mean.Cmp(exact.Resources[0].Mean) == 0 {
		t.Error("the samples come out exactly")
	}
}

func TestCancelled(t *testing.T) {
	rs := rules(t)
	for _, sampled := range []bool{false, true} {
		_, err := odds.Of(&odds.Query{
			Rules: rs, State: fight(t, rs, "officer", "thug"), Seat: gm, Actor: "officer", Action: baton, Sampled: sampled,
			Cancelled: func() bool { return true },
		})
		if !errors.Is(err, odds.ErrCancelled) {
			t.Errorf("sampled %v: %v", sampled, err)
		}
	}
}

func BenchmarkOddsAttackDodge(b *testing.B) {
	benchmark(b, baton, dodges("dodge"))
}

func BenchmarkOddsAttackEachDefence(b *testing.B) {
	benchmark(b, baton, nil)
}

func BenchmarkOddsSampled(b *testing.B) {
	rs := rules(b)
	q := &odds.Query{Rules: rs, State: fight(b, rs, "officer", "thug"), Seat: gm, Actor: "officer", Action: baton, Answers: dodges("dodge"), Sampled: true}
	b.ReportAllocs()
	for b.Loop() {
		of(b, *q)
	}
	b.ReportMetric(odds.Samples, "samples/op")
}

func benchmark(b *testing.B, a *tablev1.Action, answers []odds.Answer) {
	b.Helper()
	rs := rules(b)
	q := &odds.Query{Rules: rs, State: fight(b, rs, "officer", "thug"), Seat: gm, Actor: "officer", Action: a, Answers: answers}
	leaves := 0
	b.ReportAllocs()
	for b.Loop() {
		o, err := odds.Of(q)
		if err != nil {
			b.Fatal(err)
		}
		leaves = o.Leaves
		if o.Question != nil {
			for _, c := range o.Question.Choices {
				if c.Odds != nil && c.ID != o.Question.Default {
					leaves += c.Odds.Leaves
				}
			}
		}
	}
	b.ReportMetric(float64(leaves), "leaves/op")
}
