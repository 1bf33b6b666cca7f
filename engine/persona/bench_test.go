package persona_test

import (
	"runtime"
	"testing"

	"github.com/hantei/hantei/engine/dice"
	"github.com/hantei/hantei/engine/odds"
	"github.com/hantei/hantei/engine/resolve"
	"github.com/hantei/hantei/engine/rule"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
)

// course is an action that is played again and again from the same state, all its
// questions answered by their defaults.
type course struct {
	from   *explored
	actor  string
	action *tablev1.Action
	// throws are the dice of the action, and of each answer after it.
	throws [][]string
}

func (k *course) bench(b *testing.B) {
	base := proto.CloneOf(k.from.r.State())
	var batch []*resolve.Resolver
	events := 0
	b.ReportAllocs()
	for b.Loop() {
		if len(batch) == 0 { // outside of the measurement, and not one by one
			b.StopTimer()
			for range 50 {
				batch = append(batch, resolve.FromState(k.from.rules, proto.CloneOf(base), func(int64, int32, int32) string { return "w" }))
			}
			runtime.GC()
			b.StartTimer()
		}
		r := batch[len(batch)-1]
		batch = batch[:len(batch)-1]
		events = k.play(b, r)
	}
	b.ReportMetric(float64(events), "events/op")
}

// play plays it once, and returns how many events there were.
func (k *course) play(b *testing.B, r *resolve.Resolver) int {
	c, err := r.Act(k.env(b, 0), k.actor, k.action, typev1.Audience_AUDIENCE_UNSPECIFIED)
	if err != nil {
		b.Fatal(err)
	}
	events, step := eventsOf(c), 1
	for w := waiting(r.State()); w != nil; w = waiting(r.State()) {
		var all []resolve.SlotAnswer
		for _, s := range w.Slots {
			all = append(all, resolve.SlotAnswer{Character: s.Character, Choice: s.DefaultChoice})
		}
		c, err := r.Answer(k.env(b, step), w, all)
		if err != nil {
			b.Fatal(err)
		}
		events, step = events+eventsOf(c), step+1
	}
	if step != len(k.throws) {
		b.Fatalf("%d commands, not %d", step, len(k.throws))
	}
	return events
}

func (k *course) env(b *testing.B, step int) resolve.Env {
	if step >= len(k.throws) {
		b.Fatalf("there is a question more than %d", len(k.throws)-1)
	}
	var given []dice.Given
	for _, s := range k.throws[step] {
		g, err := dice.ParseGiven(s)
		if err != nil {
			b.Fatal(err)
		}
		given = append(given, g)
	}
	return resolve.Env{Seat: rule.Seat{ID: "gm", GM: true, Characters: []string{"a", "b", "c", "d"}}, Dice: dice.NewScripted(given...)}
}

func eventsOf(c *tablev1.Commit) int {
	n := 0
	for _, run := range c.Runs {
		n += len(run.Events)
	}
	return n
}

// foretell works the odds of an action out again and again.
func foretell(b *testing.B, q *odds.Query) {
	leaves := 0
	b.ReportAllocs()
	for b.Loop() {
		o, err := odds.Of(q)
		if err != nil {
			b.Fatal(err)
		}
		if !o.Exact {
			b.Fatal("they are not exact")
		}
		leaves = o.Leaves
		if o.Question == nil {
			continue
		}
		for _, c := range o.Question.Choices {
			if c.Odds != nil && c.ID != o.Question.Default {
				leaves += c.Odds.Leaves
			}
		}
	}
	b.ReportMetric(float64(leaves), "leaves/op")
}

// A move to a square that is known, of which three neighbours are not.
func BenchmarkMove(b *testing.B) {
	d := room()
	d.Floors[0].Rows = []string{"....", "....", "...."}
	x := entered(b, d, "a", "b")
	(&course{from: x, actor: "a", action: goThere, throws: [][]string{nil}}).bench(b)
}

// A search that finds a trap, which is not disarmed.
func BenchmarkSearch(b *testing.B) {
	x := entered(b, room(trap("dart")), "a", "b")
	(&course{from: x, actor: "a", action: searchIt, throws: [][]string{{"1D100=52"}, nil}}).bench(b)
}

func hounds(count int32) *personav1.Feature {
	return &personav1.Feature{Kind: &personav1.Feature_Enemy{
		Enemy: &personav1.Enemy{Name: "rust_hound", Level: 24, Count: count, Specialties: []string{"strike"}},
	}}
}

// beset is a party of four about to meet three enemies: C goes to where the others are.
func beset(tb testing.TB) *explored {
	x := entered(tb, room(hounds(3)), "a", "b", "c", "d")
	at := &typev1.Square{X: 1, Floor: 1}
	if _, err := x.r.Fixture(rule.SetPosition("a", at, rule.Public), rule.SetPosition("b", at, rule.Public), rule.SetPosition("d", at, rule.Public)); err != nil {
		tb.Fatal(err)
	}
	return x
}

// A battle of four PCs against three enemies that nobody surprises: how they attack,
// reactions that nobody takes, damage, victory.
func BenchmarkBattle(b *testing.B) {
	(&course{from: beset(b), actor: "c", action: goThere, throws: [][]string{
		{"1D100=90", "1D100=90"}, {"3D8=15(5,6,4)"}, {"3D10=16(5,6,5)"},
	}}).bench(b)
}

func BenchmarkOddsSearch(b *testing.B) {
	x := entered(b, room(trap("dart")), "a", "b")
	b.Run("gm", func(b *testing.B) { foretell(b, x.query(seated[0], "a", searchIt)) })
	b.Run("player", func(b *testing.B) { foretell(b, x.query(seated[1], "a", searchIt)) })
}

// The odds of the battle, with those of each answer to the first question.
func BenchmarkOddsBattle(b *testing.B) {
	x := beset(b)
	b.Run("first question", func(b *testing.B) { foretell(b, x.query(seated[0], "c", goThere)) })
	b.Run("all dodge", func(b *testing.B) {
		q := x.query(seated[0], "c", goThere)
		q.Answers = []odds.Answer{{Prompt: "reaction", Choice: "dodge"}}
		foretell(b, q)
	})
}
