package resolve_test

import (
	"crypto/sha256"
	"slices"
	"strings"
	"testing"

	"github.com/hantei/hantei/engine/resolve"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
	"pgregory.net/rapid"
)

// undo goes back to the state after a commit, as a host does: it folds the log to it.
func (g *game) undo(s rule.Seat, to int64) command {
	g.t.Helper()
	all := commits(g.t, g.log)
	then := resolve.New(rules(same), ids)
	for _, c := range all[:to] {
		if err := then.Load(c); err != nil {
			g.t.Fatal(err)
		}
	}
	u := resolve.Undo{To: to, Then: then.State(), Reason: "a slip"}
	for _, c := range all[to:] {
		events, err := resolve.Events(c)
		if err != nil {
			g.t.Fatal(err)
		}
		for i := range events {
			u.Undoes = append(u.Undoes, c.FirstEvent+int64(i))
		}
		u.Since = append(u.Since, events...)
	}
	return func(r *resolve.Resolver) (*tablev1.Commit, error) { return r.Undo(resolve.Env{Seat: s}, u) }
}

// The state is that of then, over a load and a snapshot too; what was taken back is no
// fact any more.
func TestUndo(t *testing.T) {
	g := newGame(t)
	before, to := g.r.Hash(), g.r.Number()
	first := g.r.Events() + 1
	g.must(act(anna, "officer", hit, "1D100=31"))
	g.must(answer(gm, "cover", "thug-2", "decline"))
	g.must(answer(gm, "defend", "thug", "none", "1D6=4"))
	last := g.r.Events()
	g.must(g.undo(gm, to))
	if g.r.Hash() != before || g.hp("thug") != 12 {
		t.Errorf("the state is another: %v", g.r.State())
	}
	for _, r := range []*resolve.Resolver{g.r, g.load(same), g.restore(same)} {
		for n := int64(1); n <= r.Events(); n++ {
			if r.Undone(n) != (first <= n && n <= last) {
				t.Errorf("event %d is undone: %v", n, r.Undone(n))
			}
		}
	}
	g.refused("NOT_FOUND", act(gm, "", &tablev1.Reveal{EventId: "7"}))
	g.must(act(anna, "officer", hit, "1D100=32"))
}

// A step that waits is abandoned: its question is withdrawn, whatever else was done
// meanwhile is taken back with it.
func TestUndoAbandonsTheStep(t *testing.T) {
	g := newGame(t)
	before, to := g.r.Hash(), g.r.Number()
	g.must(act(anna, "officer", hit, "1D100=31"))
	g.must(newSheet("dog"))
	g.must(g.undo(gm, to))
	g.wantNames("prompt_withdrawn", "undone", "restored")
	if g.r.Waiting() || len(g.r.State().Windows) != 0 || g.r.Hash() != before {
		t.Errorf("%v", g.r.State())
	}
	g.must(act(anna, "officer", hit, "1D100=99"))
}

// It is the way out of a step that is frozen.
func TestUndoOfAFrozenStep(t *testing.T) {
	g := newGame(t)
	to := g.r.Number()
	g.must(act(anna, "officer", hit, "1D100=31"))
	r := g.load(otherLabel)
	if _, err := answer(gm, "cover", "thug-2", "decline")(r); err == nil {
		t.Fatal("the replay came out the same")
	}
	if _, err := g.undo(gm, to)(r); err != nil || r.Waiting() {
		t.Errorf("%v", err)
	}
	if _, err := act(anna, "officer", hit, "1D100=99")(r); err != nil {
		t.Error(err)
	}
}

// A standing question that was answered is open again, as it was.
func TestUndoOpensWhatWasAnswered(t *testing.T) {
	g := newGame(t)
	g.must(act(anna, "officer", spot, "1D100=1"))
	w := proto.CloneOf(find(g.r, "critical_benefit"))
	if !w.GetOpen() {
		t.Fatal("nobody is asked")
	}
	to := g.r.Number()
	g.must(answer(gm, "critical_benefit", "", "plus10"))
	g.must(g.undo(gm, to))
	if got := find(g.r, "critical_benefit"); !proto.Equal(got, w) {
		t.Errorf("%v, want %v", got, w)
	}
	g.must(answer(gm, "critical_benefit", "", "nothing"))
}

// Who paused the table has it paused still; the other switches are what they were, and
// who sees other sheets by it is told them.
func TestUndoOfOptions(t *testing.T) {
	g := newGame(t)
	to := g.r.Number()
	g.must(setOptions(option("paused", "true"), option("given_dice", "all")))
	g.must(setOptions(option("party_sheets", "hidden")))
	g.refused("TABLE_PAUSED", g.undo(anna, to))
	g.must(g.undo(gm, to))
	if v := g.r.View(gm); v.Option("paused") != "true" || v.Option("given_dice") != "off" || v.Option("party_sheets") != "shown" {
		t.Errorf("%v", v.State.Options)
	}
	sheets := 0
	for _, c := range g.r.Made()[1].Changes {
		if c.GetCharacter() != nil {
			sheets++
		}
	}
	if sheets != len(g.r.State().Characters) {
		t.Errorf("%d sheets are told", sheets)
	}
}

// Each write is told by an event of the audience and the actor of the one that first
// told it; what everybody was told is told once, and windows nobody.
func TestUndoTellsWhoWasTold(t *testing.T) {
	number := func(audience typev1.Audience, actor, of string, n int32) *tablev1.Event {
		c := table.Character(&tablev1.State{Characters: []*tablev1.Character{sheet(of)}}, of)
		return &tablev1.Event{Audience: audience, Actor: actor, Changes: []*tablev1.Change{rule.SetResource(of, c.Resources[0], n)}}
	}
	hidden := sheet("shade")
	hidden.Audience = rule.GM
	for _, c := range []struct {
		name  string
		since []*tablev1.Event
		want  []string
	}{
		{"for all", []*tablev1.Event{number(rule.Public, "nurse", "officer", 3)}, []string{"AUDIENCE_PUBLIC "}},
		{"for the GM", []*tablev1.Event{number(rule.GM, "nurse", "officer", 3)}, []string{"AUDIENCE_GM nurse"}},
		{"for all, and the GM", []*tablev1.Event{number(rule.GM, "nurse", "officer", 3), number(rule.Public, "", "officer", 4)}, []string{"AUDIENCE_PUBLIC "}},
		{"for two owners", []*tablev1.Event{number(rule.Owner, "nurse", "officer", 3), number(rule.Owner, "officer", "officer", 4), number(rule.Owner, "nurse", "officer", 5)},
			[]string{"AUDIENCE_OWNER nurse", "AUDIENCE_OWNER officer"}},
		{"by somebody who is hidden", []*tablev1.Event{{Audience: rule.Public, Changes: []*tablev1.Change{rule.AddCharacter(hidden)}}, number(rule.Public, "shade", "officer", 3)},
			[]string{"AUDIENCE_PUBLIC shade"}},
		{"by nobody", nil, []string{"AUDIENCE_GM "}},
	} {
		t.Run(c.name, func(t *testing.T) {
			then := &tablev1.State{Ruleset: "coc", Characters: []*tablev1.Character{sheet("nurse"), sheet("officer")}}
			now := proto.CloneOf(then)
			three := int32(3)
			now.Characters[1].Resources[0] = &typev1.Resource{Key: "hp", Value: &three, Max: &three, Audience: rule.HP}
			now.Windows = []*tablev1.Window{{Id: "w", Name: "defend"}}
			r := resolve.FromState(rules(same), now, ids)
			if _, err := r.Undo(resolve.Env{Seat: gm}, resolve.Undo{Then: then, Since: c.since}); err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, e := range r.Made()[1:] {
				got = append(got, e.Audience.String()+" "+e.Actor)
				if e.Name != "restored" || len(e.Changes) != 1 || e.Changes[0].GetResource() == nil {
					t.Errorf("%v", e)
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("told to %v, want %v", got, c.want)
			}
			if e := r.Made()[0]; e.Name != "undone" || len(e.Changes) != 1 || e.Changes[0].GetWindow() == nil {
				t.Errorf("%v", e)
			}
			if r.Hash() != table.Hash(then) {
				t.Errorf("%v", r.State())
			}
		})
	}
}

// However much is taken back, it is one command, within its budgets.
func TestUndoOfMuch(t *testing.T) {
	r := resolve.FromState(rules(same), &tablev1.State{Ruleset: "coc"}, ids)
	u := resolve.Undo{Then: &tablev1.State{Ruleset: "coc"}}
	for n := range int64(5000) {
		u.Undoes = append(u.Undoes, n+1)
		u.Since = append(u.Since, &tablev1.Event{Name: "rule_noted", Audience: rule.Public})
	}
	c, err := r.Undo(resolve.Env{Seat: gm}, u)
	if err != nil || len(c.Runs) != 1 || len(c.Runs[0].Events) != 1 {
		t.Fatalf("%v, %v", c, err)
	}
	if !r.Undone(1) || !r.Undone(5000) || r.Undone(5001) {
		t.Error("not all is taken back")
	}
}

// What is undone and redone, in any order, is what the last word of each event says;
// compared with an earlier place, it is what has changed of the events there were.
func TestUndoneEvents(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		const last = 30
		state := &tablev1.State{Ruleset: "coc"}
		r := resolve.FromState(rules(same), proto.CloneOf(state), ids)
		want := make(map[int64]bool)
		numbers := rapid.SliceOfNDistinct(rapid.Int64Range(1, last), 0, last, rapid.ID)
		for range rapid.IntRange(1, 8).Draw(rt, "undos") {
			u := resolve.Undo{Then: state, Undoes: numbers.Draw(rt, "undoes")}
			slices.Sort(u.Undoes)
			for _, n := range numbers.Draw(rt, "redoes") {
				if !slices.Contains(u.Undoes, n) {
					u.Redoes = append(u.Redoes, n)
				}
			}
			if _, err := r.Undo(resolve.Env{Seat: gm}, u); err != nil {
				rt.Fatal(err)
			}
			for _, n := range u.Undoes {
				want[n] = true
			}
			for _, n := range u.Redoes {
				want[n] = false
			}
			for n := int64(0); n <= last+1; n++ {
				if r.Undone(n) != want[n] {
					rt.Fatalf("event %d is undone: %v", n, r.Undone(n))
				}
			}
		}
		// Of the events after the other place nothing is said.
		lost, gained := r.Against(resolve.FromState(rules(same), state, ids))
		if len(lost)+len(gained) != 0 {
			rt.Fatalf("%v, %v", lost, gained)
		}
	})
}

// A log that speaks of events that come later, or goes back to no commit, is none.
func TestLoadRefusesAnImpossibleUndo(t *testing.T) {
	for _, spoil := range []func(*tablev1.Commit, *tablev1.Event){
		func(_ *tablev1.Commit, e *tablev1.Event) { e.Undoes = []int64{0} },
		func(_ *tablev1.Commit, e *tablev1.Event) { e.Undoes = []int64{1_000_000} },
		func(_ *tablev1.Commit, e *tablev1.Event) { e.Redoes = []int64{1_000_000} },
		func(_ *tablev1.Commit, e *tablev1.Event) { e.Undoes = []int64{2, 2} },
		func(c *tablev1.Commit, _ *tablev1.Event) { c.Command.GetUndo().To = c.Number },
		func(c *tablev1.Commit, _ *tablev1.Event) { c.Command.GetUndo().To = 0 },
	} {
		g := newGame(t)
		to := g.r.Number()
		g.must(act(gm, "", &tablev1.Note{Text: "x"}))
		c, err := g.undo(gm, to)(g.load(same))
		if err != nil {
			t.Fatal(err)
		}
		r := g.load(same)
		e := &tablev1.Event{}
		if err := proto.Unmarshal(c.Runs[0].Events[0], e); err != nil {
			t.Fatal(err)
		}
		spoil(c, e)
		if c.Runs[0].Events[0], err = (proto.MarshalOptions{Deterministic: true}).Marshal(e); err != nil {
			t.Fatal(err)
		}
		c.Chain = chained(g.last.Chain, c)
		if err := r.Load(c); err == nil || strings.Contains(err.Error(), "altered") {
			t.Errorf("%v: %v", e, err)
		}
	}
}

// chained is the chain of a commit after another one.
func chained(before []byte, c *tablev1.Commit) []byte {
	sum := slices.Clone(before)
	for _, run := range c.Runs {
		for _, b := range run.Events {
			one := sha256.Sum256(b)
			sum = append(sum, one[:]...)
		}
	}
	out := sha256.Sum256(sum)
	return out[:]
}
