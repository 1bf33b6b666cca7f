package resolve_test

import (
	"strconv"
	"testing"

	"github.com/hantei/hantei/engine/dice"
	"github.com/hantei/hantei/engine/resolve"
	"github.com/hantei/hantei/engine/rule"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// roll throws dice that no rule asks for.
func roll(s rule.Seat, r resolve.Roll, give []string, throws ...string) command {
	return func(res *resolve.Resolver) (*tablev1.Commit, error) {
		return used(dies(throws...), func(d dice.Source) (*tablev1.Commit, error) {
			return res.Roll(resolve.Env{Seat: s, Dice: d, Given: given(give...)}, r)
		})
	}
}

// told are the only event of the last commit, and its total.
func told(t *testing.T, g *game) (*tablev1.Event, int32) {
	t.Helper()
	events, err := resolve.Events(g.last)
	if err != nil || len(events) != 1 {
		t.Fatalf("%d events, %v", len(events), err)
	}
	for _, f := range events[0].Facts {
		if f.Key == "total" {
			return events[0], f.GetNumber()
		}
	}
	t.Fatal("no total")
	return nil, 0
}

func TestRoll(t *testing.T) {
	g := newGame(t)
	for _, c := range []struct {
		roll   resolve.Roll
		give   []string
		throws []string
		total  int32
		dice   int
	}{
		{resolve.Roll{Actor: "officer", Formula: "2d6 + 3"}, nil, []string{"2D6=9(4,5)"}, 12, 1},
		{resolve.Roll{Formula: "1D100"}, nil, []string{"1D100=44"}, 44, 1},
		{resolve.Roll{Actor: "officer", Formula: "10-2D6-1D4", Text: "to see"}, nil, []string{"2D6=9(4,5)", "1D4=2"}, -1, 2},
		{resolve.Roll{Actor: "officer", Formula: "1D6+1D6"}, []string{"1D6=1", "1D6=6"}, nil, 7, 2},
	} {
		g.must(roll(anna, c.roll, c.give, c.throws...))
		e, total := told(t, g)
		if total != c.total || len(e.Dice) != c.dice || e.Name != "rolled" || e.Audience != rule.Public || e.Dice[0].Given != (c.give != nil) {
			t.Errorf("%s: %d, %v", c.roll.Formula, total, e)
		}
	}
	// Dice of nobody are everybody's to see; those of a character are like its others.
	g.must(roll(gm, resolve.Roll{Formula: "1D6"}, nil, "1D6=2"))
	if e, _ := told(t, g); e.Dice[0].Audience != rule.Public {
		t.Errorf("%v", e)
	}
	g.must(roll(gm, resolve.Roll{Actor: "thug", Formula: "1D6", Audience: rule.GM}, nil, "1D6=2"))
	if e, _ := told(t, g); e.Dice[0].Audience != rule.Dice || e.Audience != rule.GM {
		t.Errorf("%v", e)
	}
}

func TestRollRefused(t *testing.T) {
	g := newGame(t)
	mine := func(formula string) resolve.Roll { return resolve.Roll{Actor: "officer", Formula: formula} }
	for _, formula := range []string{"", "3", "1D6+DB", "1D6+", "D6", "x", "1D6 1D6", "101D6", "1D1001"} {
		g.refused("INVALID_FIELD", roll(anna, mine(formula), nil))
	}
	g.refused("TOO_LARGE", roll(anna, mine("100D6+100D6+100D6+100D6+100D6+100D6+100D6+100D6+100D6+100D6+1D6"), nil))
	g.refused("NOT_FOUND", roll(anna, resolve.Roll{Actor: "offiser", Formula: "1D6"}, nil))
	g.refused("NOT_YOUR_SEAT", roll(anna, resolve.Roll{Actor: "nurse", Formula: "1D6"}, nil))
	g.refused("INVALID_FIELD", roll(anna, resolve.Roll{Formula: "1D6", Audience: rule.Owner}, nil))
	g.refused("BAD_DICE", roll(anna, mine("1D6"), []string{"1D8=3"}))
	g.refused("BAD_DICE", roll(anna, mine("1D6"), []string{"1D6=3", "1D6=3"}))
	g.refused("BAD_DICE", roll(anna, resolve.Roll{Formula: "1D6"}, []string{"1D6=3"}))
	g.must(func(r *resolve.Resolver) (*tablev1.Commit, error) {
		return r.SetOptions(resolve.Env{Seat: gm}, []*tablev1.Option{{Key: rule.Paused, Value: "true"}})
	})
	g.refused("TABLE_PAUSED", roll(anna, mine("1D6"), nil))
	g.must(roll(gm, resolve.Roll{Formula: "1D6"}, nil, "1D6=2"))
}

// A roll while a step waits stands in its journal, and changes nothing of it.
func TestRollWhileAStepWaits(t *testing.T) {
	g := newGame(t)
	g.must(act(anna, "officer", hit, "1D100=31"))
	g.must(roll(bert, resolve.Roll{Actor: "nurse", Formula: "1D6"}, nil, "1D6=2"))
	g.wantNames("rolled")
	g.must(answer(gm, "cover", "thug-2", "decline"))
	g.must(answer(gm, "defend", "thug", "none", "1D6=5"))
	if g.r.Waiting() || g.hp("thug") != 7 {
		t.Errorf("hp %d", g.hp("thug"))
	}
}

func TestReveal(t *testing.T) {
	g := newGame(t)
	reveal := func(s rule.Seat, event string) command {
		return func(r *resolve.Resolver) (*tablev1.Commit, error) {
			return r.Act(resolve.Env{Seat: s, Past: g.event}, "", action(&tablev1.Reveal{EventId: event}), 0)
		}
	}
	for _, c := range []struct {
		roll   resolve.Roll
		allows []rule.Seat
		denies []rule.Seat
	}{
		{resolve.Roll{Actor: "officer", Formula: "1D100", Audience: rule.GM}, []rule.Seat{gm}, []rule.Seat{anna, bert}},
		{resolve.Roll{Actor: "officer", Formula: "1D100", Audience: rule.Owner}, []rule.Seat{gm, anna}, []rule.Seat{bert}},
	} {
		g.must(roll(anna, c.roll, nil, "1D100=7"))
		secret, _ := told(t, g)
		id := strconv.FormatInt(g.last.FirstEvent, 10)
		for _, s := range c.denies {
			g.refused("NOT_YOUR_SEAT", reveal(s, id))
		}
		for _, s := range c.allows {
			g.must(reveal(s, id))
			g.wantNames("revealed", "rolled")
			events, _ := resolve.Events(g.last)
			if e := events[1]; e.Audience != rule.Public || e.Cause != 1 || e.Dice[0].Faces[0] != 7 || e.Actor != secret.Actor {
				t.Errorf("%v", e)
			}
		}
	}
	g.must(roll(anna, resolve.Roll{Actor: "officer", Formula: "1D6"}, nil, "1D6=2"))
	g.refused("INVALID_FIELD", reveal(gm, strconv.FormatInt(g.last.FirstEvent, 10)))
	g.refused("NOT_FOUND", reveal(gm, "999"))
	g.refused("NOT_FOUND", reveal(gm, ""))
}
