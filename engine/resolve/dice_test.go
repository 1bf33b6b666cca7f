package resolve_test

import (
	"testing"

	"github.com/hantei/hantei/engine/dice"
	"github.com/hantei/hantei/engine/resolve"
	"github.com/hantei/hantei/engine/rule"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// contestWith declares the contest: dice of the officer, of the thug, of the table.
func contestWith(s rule.Seat, give []string, throws ...string) command {
	return func(r *resolve.Resolver) (*tablev1.Commit, error) {
		return used(dies(throws...), func(d dice.Source) (*tablev1.Commit, error) {
			return r.Act(resolve.Env{Seat: s, Dice: d, Given: given(give...)}, "officer", action(&cocv1.SpecialAction{Text: "x"}), 0)
		})
	}
}

func byHand(value string) *tablev1.Option { return &tablev1.Option{Key: "given_dice", Value: value} }

// Without the option, given dice are used for what the seat controls.
func TestGivenDice(t *testing.T) {
	for _, c := range []struct {
		name   string
		seat   rule.Seat
		given  []string
		throws []string
		reason string
	}{
		{"none", anna, nil, []string{"1D100=1", "1D100=2", "2D6=3"}, ""},
		{"one's own", anna, []string{"1D100=1"}, []string{"1D100=2", "2D6=3"}, ""},
		{"the GM gives any", gm, []string{"1D100=1", "1D100=2", "2D6=11(5,6)"}, nil, ""},
		{"the GM gives the first ones", gm, []string{"1D100=1", "1D100=2"}, []string{"2D6=3"}, ""},
		{"another's are left over", anna, []string{"1D100=1", "1D100=2"}, []string{"1D100=2", "2D6=3"}, "BAD_DICE"},
		{"other dice", anna, []string{"1D20=1"}, nil, "BAD_DICE"},
		{"one too many", gm, []string{"1D100=1", "1D100=2", "2D6=3", "1D6=4"}, nil, "BAD_DICE"},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := newGame(t)
			do := contestWith(c.seat, c.given, c.throws...)
			if c.reason != "" {
				g.refused(c.reason, do)
				return
			}
			g.must(do)
			if got := g.last.Command.GivenDice; len(got) != len(c.given) {
				t.Errorf("the command says %v", got)
			}
			for i, e := range g.last.Runs[0].Journal {
				if d := e.GetDice(); d.Given != (i < len(c.given)) || e.Asked {
					t.Errorf("die %d: %v", i, e)
				}
			}
		})
	}
}

// With given_dice all, everybody throws by hand, each for his own.
func TestDicePrompts(t *testing.T) {
	g := newGame(t, byHand("all"))
	g.must(contestWith(anna, nil))
	g.wantNames("prompt_opened")
	w := find(g.r, "dice")
	if w.Dice != "1D100" || w.Slots[0].Character != "officer" || w.Kind != tablev1.WindowKind_WINDOW_KIND_DICE {
		t.Fatalf("%v", w)
	}
	g.refused("NOT_YOUR_SEAT", throwBy(bert, "officer", "", []string{"1D100=1"}))
	g.refused("INVALID_FIELD", throwBy(anna, "thug", "", []string{"1D100=1"}))
	g.refused("BAD_DICE", throwBy(anna, "officer", "", nil))
	g.refused("BAD_DICE", throwBy(anna, "officer", "", []string{"1D20=1"}))
	g.refused("UNKNOWN_CHOICE", throwBy(anna, "officer", "rol", nil))
	g.refused("BAD_DICE", throwBy(anna, "officer", "", []string{"1D100=5", "1D100=6"})) // the second is not the officer's
	g.refused("PROMPT_PENDING", contestWith(anna, nil))
	g.must(throwBy(anna, "officer", "", []string{"1D100=50"}))
	g.wantNames("prompt_answered", "dice_rolled", "prompt_opened")
	g.wantJournal("asked mine")
	if got := g.last.Command.GivenDice; len(got) != 1 || got[0] != "1D100=50" {
		t.Errorf("the command says %v", got)
	}
	if w = find(g.r, "dice"); w.Slots[0].Character != "thug" {
		t.Fatalf("%v", w)
	}
	g.must(act(gm, "", &tablev1.Note{Text: "while dice are waited for"}))
	g.must(throwBy(gm, "thug", "server_rolls", nil, "1D100=20"))
	g.must(throwBy(gm, "", "", []string{"2D6=5(4,1)"}))
	g.wantNames("prompt_answered", "special_decided")
	events, _ := resolve.Events(g.last)
	if n := events[1].Facts[0].GetNumber(); n != 50-20+4-1 {
		t.Errorf("it came out as %d", n)
	}
	if d := events[1].Dice[0]; !d.Given || d.Faces[0] != 4 {
		t.Errorf("%v", d)
	}
}

// Dice given with a command go as far as they belong to the seat; then whoever
// throws next is asked.
func TestGivenThenAsked(t *testing.T) {
	g := newGame(t, byHand("all"))
	g.must(contestWith(anna, []string{"1D100=50"}))
	g.wantJournal("dice mine")
	if w := find(g.r, "dice"); w.Slots[0].Character != "thug" {
		t.Fatalf("%v", w)
	}
	g.must(throwBy(gm, "thug", "", []string{"1D100=20", "2D6=7"})) // and the next one too
	g.wantJournal("asked theirs", "dice luck")
	if g.r.Waiting() {
		t.Error("it still waits")
	}
}

// With given_dice gm, only what the GM throws is thrown by hand.
func TestGMThrowsByHand(t *testing.T) {
	g := newGame(t, byHand("gm"))
	g.must(contestWith(anna, nil, "1D100=50"))
	g.wantJournal("dice mine")
	if w := find(g.r, "dice"); w.Slots[0].Character != "thug" {
		t.Fatalf("%v", w)
	}
	g.must(throwBy(gm, "thug", "server_rolls", nil, "1D100=20"))
	g.must(throwBy(gm, "", "server_rolls", nil, "2D6=7"))
	if g.r.Waiting() {
		t.Error("it still waits")
	}
}

// A suspended step goes on with the dice of the commands that follow.
func TestDiceAfterAnswer(t *testing.T) {
	g := newGame(t)
	g.must(act(anna, "officer", hit, "1D100=31"))
	g.must(answer(gm, "cover", "thug-2", "decline"))
	dodge := []resolve.SlotAnswer{{Character: "thug", Choice: "dodge"}}
	g.refused("BAD_DICE", reply(gm, "defend", dodge, []string{"1D6=3"}))
	g.refused("BAD_DICE", reply(gm, "defend", dodge, []string{"1D100=30", "1D6=3"})) // dodged: no damage
	g.must(reply(gm, "defend", dodge, []string{"1D100=31", "1D6=3"}))
	if g.hp("thug") != 9 {
		t.Errorf("hp %d", g.hp("thug"))
	}
}
