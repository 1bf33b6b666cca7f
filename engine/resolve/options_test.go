package resolve_test

import (
	"testing"

	"github.com/hantei/hantei/engine/resolve"
	"github.com/hantei/hantei/engine/rule"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"google.golang.org/protobuf/proto"
)

func option(key, value string) *tablev1.Option { return &tablev1.Option{Key: key, Value: value} }

func setOptions(all ...*tablev1.Option) command {
	return func(r *resolve.Resolver) (*tablev1.Commit, error) {
		return r.SetOptions(resolve.Env{Seat: gm}, all)
	}
}

// Options that are set while a step waits hold for what the step does from then
// on. What it read before stays, or its replay would not be the same.
func TestSetOptionsWhileAStepWaits(t *testing.T) {
	g := newGame(t)
	g.must(act(anna, "officer", hit, "1D100=31"))
	g.must(setOptions(byHand("all"), option("window_policy", "always_ask")))
	g.wantNames("options_changed")
	g.wantJournal("injected")
	g.must(answer(gm, "cover", "thug-2", "decline"))
	g.must(setOptions(byHand("off")))
	g.must(answer(gm, "defend", "thug", "dodge", "1D100=99", "1D6=4"))
	if g.hp("thug") != 8 {
		t.Errorf("hp %d", g.hp("thug"))
	}
	// Between steps it is no step at all.
	g.must(setOptions(byHand("all")))
	if g.last.Runs[0].Step != nil || len(g.last.Runs[0].Journal) != 0 {
		t.Errorf("%v", g.last)
	}
	g.must(act(anna, "officer", hit))
	// Who is asked for dice is asked for them, whatever becomes of the option.
	g.must(setOptions(byHand("off")))
	g.must(throwBy(anna, "officer", "", []string{"1D100=31"}))
}

func TestOptionsChanged(t *testing.T) {
	g := newGame(t)
	g.must(setOptions(option("npc_hp", "exact"), option("party_sheets", "hidden")))
	e := g.event(g.r.Events())
	if e.Audience != rule.Public || len(e.Facts) != 2 || e.Facts[0].Words[1] != "party_sheets" || e.Facts[1].Words[1] != "hidden" || len(e.Changes) != 2+len(g.r.State().Characters) {
		t.Errorf("%v", e)
	}
	if v := g.r.View(gm); v.Option("npc_hp") != "exact" || v.Option("party_sheets") != "hidden" {
		t.Errorf("%v", v.State.Options)
	}
	g.refused("INVALID_FIELD", setOptions())
	g.refused("INVALID_FIELD", setOptions(option("npc_hq", "exact")))
	g.refused("INVALID_FIELD", setOptions(option("npc_hp", "exactly")))
	g.refused("INVALID_FIELD", setOptions(option("npc_hp", "exact"), option("npc_hp", "none")))
}

// While a table is paused only the GM's levers are taken.
func TestPaused(t *testing.T) {
	g := newGame(t)
	pause := func(value string) { g.must(setOptions(option(rule.Paused, value))) }
	pause("true")
	g.refused("TABLE_PAUSED", act(anna, "officer", spot))
	g.refused("TABLE_PAUSED", act(gm, "thug", spot))
	pause("false")
	g.must(act(anna, "officer", hit, "1D100=31"))
	pause("true")
	g.refused("TABLE_PAUSED", act(anna, "officer", &cocv1.EndTurn{}))
	g.refused("TABLE_PAUSED", answer(gm, "cover", "thug-2", "decline"))
	g.must(act(gm, "", &tablev1.Note{Text: "x"}))
	g.must(act(gm, "", place(1)))
	g.must(newSheet("dog"))
	for _, seat := range []rule.Seat{gm, anna} {
		possible := 0
		for _, o := range resolve.Offers(g.r.Rules(), g.r.View(seat)) {
			if !o.Possible {
				continue
			}
			possible++
		}
		if (possible > 0) != seat.GM {
			t.Errorf("%s has %d offers", seat.ID, possible)
		}
	}
	pause("false")
	g.must(answer(gm, "cover", "thug-2", "decline"))
	g.must(answer(gm, "defend", "thug", "none", "1D6=4"))
}

// What is told when it shows more of the sheets stays what it was, when the step that
// waited runs again from its beginning.
func TestSheetsToldWhileAStepWaits(t *testing.T) {
	g := newGame(t)
	g.must(act(anna, "officer", hit, "1D100=31"))
	g.must(setOptions(option("npc_values", "shown")))
	g.must(func(r *resolve.Resolver) (*tablev1.Commit, error) {
		return r.UpdateCharacter(resolve.Env{Seat: gm}, &tablev1.UpdateSheet{
			Character: "thug", Stats: []*tablev1.StatInput{{Key: "spot", Value: 61}},
		})
	})
	g.must(setOptions(option("npc_values", "hidden")))
	told := g.r.Made()[0]
	before := proto.CloneOf(told)
	g.must(answer(gm, "cover", "thug-2", "decline"))
	if !proto.Equal(told, before) {
		t.Errorf("it is\n%v\nand was\n%v", told, before)
	}
}
