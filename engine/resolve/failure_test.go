package resolve_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/hantei/hantei/engine/dice"
	"github.com/hantei/hantei/engine/resolve"
	"github.com/hantei/hantei/engine/rule"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"google.golang.org/protobuf/proto"
)

// live throws what nobody has to write down.
func live(s rule.Seat, actor string, m proto.Message) command {
	return func(r *resolve.Resolver) (*tablev1.Commit, error) {
		env := liveEnv(r)
		env.Seat = s
		return r.Act(env, actor, action(m), 0)
	}
}

func liveEnv(r *resolve.Resolver) resolve.Env {
	open, secret, err := r.Sources(seeds(1))
	if err != nil {
		panic(err)
	}
	return resolve.Env{Seat: gm, Dice: open, SecretDice: secret}
}

// A bug of the rules, or too much work, is an error; the table is as it was, and
// usable. The harness compares the state.
func TestErrors(t *testing.T) {
	isPanic := func(err error) bool { var p *rule.PanicError; return errors.As(err, &p) }
	budget := func(what string) func(error) bool {
		return func(err error) bool { var b *rule.BudgetError; return errors.As(err, &b) && b.What == what }
	}
	for skill, is := range map[string]func(error) bool{
		"panic":        isPanic,
		"valid panics": isPanic,
		"nil":          isPanic,
		"hidden":       isPanic,
		"dice":         budget("dice"),
		"events":       budget("events"),
		"last event":   budget("events"),
		"steps":        budget("steps"),
		"agenda":       budget("steps on the agenda"),
	} {
		t.Run(skill, func(t *testing.T) {
			g := newGame(t)
			if err := g.do(live(anna, "officer", &cocv1.Check{Skill: skill})); !is(err) {
				t.Fatalf("%v", err)
			}
			g.must(act(anna, "officer", spot, "1D100=44"))
		})
	}
}

func TestErrorsWhileWaiting(t *testing.T) {
	waiting := func(t *testing.T) *game {
		g := newGame(t)
		g.must(act(anna, "officer", hit, "1D100=31"))
		g.must(answer(gm, "cover", "thug-2", "decline"))
		return g
	}
	goesOn := func(g *game) {
		g.t.Helper()
		g.must(answer(gm, "defend", "thug", "none", "1D6=3"))
		if g.hp("thug") != 9 {
			g.t.Errorf("hp %d", g.hp("thug"))
		}
	}
	t.Run("dice run out", func(t *testing.T) {
		g := waiting(t)
		var missing *dice.MissingError
		if err := g.do(answer(gm, "defend", "thug", "none")); !errors.As(err, &missing) {
			t.Fatalf("%v", err)
		}
		goesOn(g)
	})
	for _, perk := range []string{"throws", "asks"} {
		t.Run("a lever "+perk, func(t *testing.T) {
			g := waiting(t)
			var p *rule.PanicError
			if err := g.do(act(gm, "", &cocv1.RpPoints{Character: "thug", Perk: perk})); !errors.As(err, &p) {
				t.Fatalf("%v", err)
			}
			goesOn(g)
		})
	}
	t.Run("a bug in what refuses answers", func(t *testing.T) {
		g := waiting(t)
		var p *rule.PanicError
		both := &cocv1.Defend{Kind: &cocv1.Defend_Dodge{Dodge: &cocv1.Dodge{}}, UsePlus10: true, Dedicate: true}
		if err := g.do(reply(gm, "defend", []resolve.SlotAnswer{{Character: "thug", Answer: rule.Wrap[*tablev1.Answer](both)}}, nil)); !errors.As(err, &p) {
			t.Fatalf("%v", err)
		}
		goesOn(g)
	})
	t.Run("a text that cannot be stored", func(t *testing.T) {
		g := waiting(t)
		if err := g.do(act(gm, "", &tablev1.Modify{Character: "thug", Reason: "\xff"})); err == nil {
			t.Fatal("taken")
		}
		goesOn(g)
	})
}

func TestTextThatCannotBeStored(t *testing.T) {
	g := newGame(t)
	if err := g.do(act(gm, "", &tablev1.Note{Text: "\xff"})); err == nil {
		t.Fatal("taken")
	}
	g.must(act(gm, "", &tablev1.Note{Text: "fine"}))
}

func TestFixture(t *testing.T) {
	g := newGame(t)
	g.must(func(r *resolve.Resolver) (*tablev1.Commit, error) {
		return r.Fixture(rule.SetEncounter(&tablev1.Encounter{Round: 3}))
	})
	if g.r.State().Encounter.GetRound() != 3 {
		t.Error("not changed")
	}
	if err := g.do(func(r *resolve.Resolver) (*tablev1.Commit, error) {
		return r.Fixture(rule.SetEncounter(&tablev1.Encounter{Round: 4}), rule.SetReview(&tablev1.Character{Id: "nobody"}, 1))
	}); err == nil || g.r.State().Encounter.GetRound() != 3 {
		t.Errorf("%v, round %d", err, g.r.State().Encounter.GetRound())
	}
}

// A waiting step whose replay comes out otherwise is frozen, not the table.
func TestDivergedReplay(t *testing.T) {
	for _, v := range []variant{otherLabel, otherDice, otherFact, lessEvents, noQuestion, otherSlot} {
		t.Run(string(v), func(t *testing.T) {
			g := newGame(t)
			g.must(act(anna, "officer", hit, "1D100=15"))
			g.must(act(gm, "", &tablev1.Place{Character: "thug"}))
			r := g.load(v)
			before := snapshot(r)
			for range 2 {
				_, err := answer(gm, "cover", "thug-2", "decline")(r)
				var diverged *resolve.DivergedError
				var why *rule.Refusal
				if !errors.As(err, &diverged) && (!errors.As(err, &why) || why.Reason != "FROZEN") {
					t.Fatalf("%v", err)
				}
				if snapshot(r) != before {
					t.Fatal("something changed")
				}
			}
			_, err := act(anna, "officer", spot)(r)
			if why, ok := err.(*rule.Refusal); !ok || why.Reason != "FROZEN" {
				t.Fatalf("%v", err)
			}
			// What is taken at any time still is.
			if _, err := act(gm, "", &tablev1.Note{Text: "help"})(r); err != nil {
				t.Fatal(err)
			}
			// The log is as good as before: the rules that began the step end it.
			g.must(answer(gm, "cover", "thug-2", "decline"))
			g.must(answer(gm, "defend", "thug", "none", "1D6=1"))
		})
	}
}

func TestLoadRefusesAnAlteredLog(t *testing.T) {
	g := newGame(t)
	g.must(act(anna, "officer", hit, "1D100=15"))
	g.must(act(gm, "", &tablev1.Note{Text: "x"}))
	g.must(answer(gm, "cover", "thug-2", "decline"))
	g.must(answer(gm, "defend", "thug", "none", "1D6=1"))
	attack := len(g.log) - 4
	otherEvent := func(e []byte) []byte {
		m := &tablev1.Event{}
		if err := proto.Unmarshal(e, m); err != nil {
			t.Fatal(err)
		}
		m.Facts = nil
		b, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	for name, alter := range map[string]func(log []*tablev1.Commit) []*tablev1.Commit{
		"an event is another": func(log []*tablev1.Commit) []*tablev1.Commit {
			log[attack].Runs[0].Events[0] = otherEvent(log[attack].Runs[0].Events[0])
			return log
		},
		"an event is missing": func(log []*tablev1.Commit) []*tablev1.Commit {
			run := log[attack].Runs[0]
			run.Events = run.Events[:1]
			return log
		},
		"events changed places": func(log []*tablev1.Commit) []*tablev1.Commit {
			slices.Reverse(log[attack].Runs[0].Events)
			return log
		},
		"an event is no event": func(log []*tablev1.Commit) []*tablev1.Commit {
			log[attack].Runs[0].Events[0] = []byte{0xff}
			return log
		},
		"the chain is another": func(log []*tablev1.Commit) []*tablev1.Commit {
			log[attack].Chain[0] ^= 1
			return log
		},
		"no chain": func(log []*tablev1.Commit) []*tablev1.Commit {
			log[attack].Chain = nil
			return log
		},
		"a commit is missing":     func(log []*tablev1.Commit) []*tablev1.Commit { return slices.Delete(log, attack, attack+1) },
		"a commit is there twice": func(log []*tablev1.Commit) []*tablev1.Commit { return slices.Insert(log, attack, log[attack]) },
		"the first is missing":    func(log []*tablev1.Commit) []*tablev1.Commit { return log[1:] },
		"an event fewer is counted": func(log []*tablev1.Commit) []*tablev1.Commit {
			log[attack].FirstEvent--
			return log
		},
		"an event of an earlier commit and its own chain are another": func(log []*tablev1.Commit) []*tablev1.Commit {
			// Whoever alters a commit and its chain must alter all that follow.
			other := newGame(t)
			other.must(act(anna, "officer", hit, "1D100=16"))
			log[attack] = other.last
			return log
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := resolve.New(rules(same), ids)
			for _, c := range alter(commits(t, g.log)) {
				if err := r.Load(c); err != nil {
					if !strings.HasPrefix(err.Error(), "resolve: commit") {
						t.Errorf("%v", err)
					}
					return
				}
			}
			t.Error("loaded")
		})
	}
}
