package resolve_test

import (
	"errors"
	"strconv"
	"testing"

	"github.com/hantei/hantei/engine/resolve"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
	"pgregory.net/rapid"
)

func newSheet(id string) command {
	return func(r *resolve.Resolver) (*tablev1.Commit, error) {
		return r.AddCharacter(resolve.Env{Seat: gm}, sheet(id))
	}
}

func place(x int32) *tablev1.Place {
	return &tablev1.Place{Character: "thug", Square: &typev1.Square{X: x}}
}

// What a lever does while a step waits is done at once, and again at the same
// place when the step goes on.
func TestLevers(t *testing.T) {
	g := newGame(t)
	g.must(act(anna, "officer", hit, "1D100=31"))
	g.must(act(gm, "", place(1)))
	g.wantNames("placed")
	g.wantJournal("injected")
	g.must(newSheet("dog"))
	g.must(act(gm, "", &tablev1.Modify{Character: "thug", Value: -5}))
	g.must(answer(gm, "cover", "thug-2", "decline"))
	g.must(act(gm, "", place(2)))
	g.must(act(gm, "", &tablev1.Note{Text: "x"}))
	g.must(answer(gm, "defend", "thug", "dodge", "1D100=99", "1D6=4"))
	thug := table.Character(g.r.State(), "thug")
	if thug.Position.Square.X != 2 || len(thug.Modifiers) != 1 || table.Character(g.r.State(), "dog") == nil || g.hp("thug") != 8 {
		t.Errorf("%v", g.r.State())
	}
	for _, m := range thug.Modifiers {
		if m.GetValue() != -5 || m.Uses != 1 || m.AppliesTo != rule.AnyCheck {
			t.Errorf("%v", m)
		}
	}
}

// What changes the state that the step read before the question does not change
// what it did with it.
func TestLeverDoesNotChangeThePast(t *testing.T) {
	g := newGame(t)
	g.must(act(anna, "officer", hit, "1D100=31"))
	other := sheet("dog") // of the enemy's side: it would have been asked to cover
	other.Side = "enemy"
	g.must(func(r *resolve.Resolver) (*tablev1.Commit, error) {
		return r.AddCharacter(resolve.Env{Seat: gm}, other)
	})
	g.must(answer(gm, "cover", "thug-2", "decline"))
	g.wantNames("prompt_answered", "prompt_opened")
	g.must(answer(gm, "defend", "thug", "none", "1D6=4"))
}

// A word of the GM on a result already shown is a note, read after the prompt.
func TestNoteForAfterThePrompt(t *testing.T) {
	g := newGame(t)
	treatLast := func(back int64) command {
		id := strconv.FormatInt(g.r.Events()-back, 10)
		return func(r *resolve.Resolver) (*tablev1.Commit, error) {
			return r.Act(resolve.Env{Seat: gm, Past: g.event}, "", action(&cocv1.TreatAsCritical{RollId: id}), 0)
		}
	}
	g.must(act(bert, "nurse", spot, "1D100=50"))
	g.refused("TOO_LATE", treatLast(0)) // of a step that is over
	g.refused("BAD_TARGET", act(gm, "", &cocv1.TreatAsCritical{RollId: "999"}))
	g.refused("BAD_TARGET", act(gm, "", &cocv1.TreatAsCritical{RollId: "x"}))
	g.must(act(anna, "officer", hit, "1D100=31"))
	g.refused("BAD_TARGET", treatLast(0)) // the prompt
	g.must(act(gm, "", &tablev1.Note{Text: "between"}))
	g.must(treatLast(2))
	g.wantNames("treated_as_critical")
	g.must(answer(gm, "cover", "thug-2", "decline"))
	g.must(answer(gm, "defend", "thug", "none", "1D6=4"))
	if g.hp("thug") != 4 {
		t.Errorf("hp %d", g.hp("thug"))
	}
}

// Whatever is done while a chain waits, in whatever order: the table goes on, and
// loaded from its log it is the same at every point (the harness compares).
func TestAnyInterleaving(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		options := []*tablev1.Option{byHand(rapid.SampledFrom([]string{"off", "off", "gm", "all"}).Draw(rt, "given_dice"))}
		g := newGame(t, options...)
		sheets, names := 0, 0
		for range rapid.IntRange(1, 12).Draw(rt, "commands") {
			switch rapid.IntRange(0, 14).Draw(rt, "command") {
			case 0:
				g.must(act(gm, "", place(rapid.Int32Range(0, 3).Draw(rt, "x"))))
			case 1:
				g.must(act(gm, "", &tablev1.Note{Text: "x"}))
			case 2:
				sheets++
				g.must(newSheet("dog-" + strconv.Itoa(sheets)))
			case 10:
				g.must(setOptions(
					byHand(rapid.SampledFrom([]string{"off", "gm", "all"}).Draw(rt, "given_dice")),
					option("window_policy", rapid.SampledFrom([]string{"honest", "always_ask"}).Draw(rt, "window_policy")),
				))
			case 11:
				// What names the same value again is no commit, and no harness for it.
				u := &tablev1.UpdateSheet{Character: rapid.SampledFrom([]string{"officer", "thug", "nurse"}).Draw(rt, "whom")}
				switch rapid.IntRange(0, 3).Draw(rt, "what") {
				case 0:
					names++
					u.Name = proto.String("Name " + strconv.Itoa(names))
				case 1:
					u.Side = proto.String(rapid.SampledFrom([]string{"pc", "enemy"}).Draw(rt, "side"))
				case 2:
					names++
					u.Stats = []*tablev1.StatInput{{Key: "dex", Value: int32(names)}}
				default:
					u.Gear = &tablev1.GearInput{Ids: rapid.SampledFrom([][]string{nil, {"baton"}, {"baton", "knife"}}).Draw(rt, "gear")}
				}
				err := g.do(update(rapid.SampledFrom([]rule.Seat{gm, anna}).Draw(rt, "by"), u))
				if why := (*rule.Refusal)(nil); err != nil && !errors.Is(err, errUnchanged) && !errors.As(err, &why) {
					rt.Fatal(err)
				}
			case 12:
				if c := g.r.State().Characters; g.r.Waiting() {
					g.refused("PROMPT_PENDING", remove(c[0].Id))
				} else if sheets > 0 {
					g.must(remove("dog-" + strconv.Itoa(sheets)))
					sheets--
				}
			case 3:
				_ = g.do(answer(gm, "critical_benefit", "", "plus10"))
			case 4:
				_ = g.do(live(anna, "officer", spot))
			case 5:
				_ = g.do(live(anna, "officer", hit))
			case 6:
				_ = g.do(live(anna, "officer", &cocv1.EndTurn{}))
			default:
				answerAny(g, rt)
			}
		}
		for n := 0; g.r.Waiting(); n++ {
			if n > 30 {
				rt.Fatal("it never ends")
			}
			answerAny(g, rt)
		}
		if len(g.r.State().Agenda) != 0 {
			rt.Fatalf("agenda %v", g.r.State().Agenda)
		}
	})
}

// answerAny answers the open window, if there is one, with any possible choice.
func answerAny(g *game, rt *rapid.T) {
	for _, w := range g.r.State().Windows {
		if !w.Open || w.Standing {
			continue
		}
		for _, s := range w.Slots {
			if s.State != tablev1.SlotState_SLOT_STATE_OPEN {
				continue
			}
			var possible []string
			for _, c := range s.Choices {
				if c.Possible {
					possible = append(possible, c.Id)
				}
			}
			choice := rapid.SampledFrom(possible).Draw(rt, "choice")
			g.must(func(r *resolve.Resolver) (*tablev1.Commit, error) {
				return r.Answer(liveEnv(r), table.Window(r.State(), w.Id), []resolve.SlotAnswer{{Character: s.Character, Choice: choice}})
			})
			return
		}
	}
}

// The events of a commit are what moves the state: folded by themselves they make it.
func TestFoldOfTheEvents(t *testing.T) {
	g := newGame(t)
	g.must(act(anna, "officer", hit, "1D100=1"))
	g.must(act(gm, "", place(1)))
	g.must(answer(gm, "cover", "thug-2", "cover"))
	g.must(answer(gm, "defend", "thug-2", "none", "1D6=4"))
	g.must(act(anna, "officer", &cocv1.EndTurn{}))
	folded := table.New()
	folded.Begin("coc", "00")
	for _, c := range commits(t, g.log) {
		events, err := resolve.Events(c)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range events {
			for _, ch := range e.Changes {
				folded.Apply(ch)
			}
		}
	}
	if !proto.Equal(folded.State(), g.r.State()) || folded.Hash() != g.r.Hash() {
		t.Errorf("%v\n%v", folded.State(), g.r.State())
	}
}

// What was asked last stays addressable until the next action of which everybody is
// told: who addresses it would learn of a lever or a secret roll by what is refused.
func TestWindowsOutlastWhatIsSecret(t *testing.T) {
	addressable := func(g *game) bool { return find(g.r, "defend") != nil }
	secretly := func(r *resolve.Resolver) (*tablev1.Commit, error) {
		return r.Act(resolve.Env{Seat: gm, Dice: dies("1D100=44")}, "thug", action(&cocv1.Check{Skill: "hide"}), rule.GM)
	}
	g := newGame(t)
	g.must(act(anna, "officer", hit, "1D100=31"))
	g.must(answer(gm, "cover", "thug-2", "decline"))
	g.must(answer(gm, "defend", "thug", "none", "1D6=1"))
	g.must(act(gm, "", &tablev1.Modify{Character: "thug", Value: 10}))
	if !addressable(g) {
		t.Error("a lever has dropped the window")
	}
	g.must(secretly)
	if !addressable(g) {
		t.Error("a roll that the GM alone knows of has dropped the window")
	}
	g.must(act(bert, "nurse", spot, "1D100=31"))
	if addressable(g) {
		t.Error("it outlasts an action")
	}
}
