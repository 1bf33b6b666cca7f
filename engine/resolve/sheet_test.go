package resolve_test

import (
	"errors"
	"testing"

	"github.com/hantei/hantei/engine/resolve"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"google.golang.org/protobuf/proto"
)

// errUnchanged stands for an update that changes nothing, which is no commit.
var errUnchanged = errors.New("nothing changed")

func update(s rule.Seat, u *tablev1.UpdateSheet) command {
	return func(r *resolve.Resolver) (*tablev1.Commit, error) {
		c, err := r.UpdateCharacter(resolve.Env{Seat: s}, u)
		if c == nil && err == nil {
			err = errUnchanged
		}
		return c, err
	}
}

func remove(id string) command {
	return func(r *resolve.Resolver) (*tablev1.Commit, error) {
		return r.RemoveCharacter(resolve.Env{Seat: gm}, id)
	}
}

func renamed(id, name string) *tablev1.UpdateSheet {
	return &tablev1.UpdateSheet{Character: id, Name: &name}
}

func skilled(id, stat string, value int32) *tablev1.UpdateSheet {
	return &tablev1.UpdateSheet{Character: id, Stats: []*tablev1.StatInput{{Key: stat, Value: value}}}
}

func carrying(id string, gear ...string) *tablev1.UpdateSheet {
	return &tablev1.UpdateSheet{Character: id, Gear: &tablev1.GearInput{Ids: gear}}
}

func (g *game) character(id string) *tablev1.Character { return table.Character(g.r.State(), id) }

func (g *game) wantReview(id string, want tablev1.Review) {
	g.t.Helper()
	if got := g.character(id).Review; got != want {
		g.t.Errorf("%s is %v, want %v", id, got, want)
	}
}

const (
	approved  = tablev1.Review_REVIEW_APPROVED
	submitted = tablev1.Review_REVIEW_SUBMITTED
	rejected  = tablev1.Review_REVIEW_REJECTED
)

// What a player writes of a sheet is submitted, what the GM writes is approved; a
// name is not reviewed.
func TestUpdateIsReviewed(t *testing.T) {
	g := newGame(t)
	g.must(update(anna, skilled("officer", "dex", 10)))
	g.wantNames("character_updated")
	g.wantReview("officer", submitted)
	g.must(update(gm, renamed("officer", "Ann")))
	g.wantReview("officer", submitted)
	g.must(update(gm, skilled("officer", "dex", 11)))
	g.wantReview("officer", approved)
	if g.character("officer").ApprovedOnce {
		t.Error("it was not approved before")
	}
	g.must(update(anna, renamed("officer", "Anna")))
	g.wantReview("officer", approved)
	e := g.event(g.r.Events())
	if len(e.Changes) != 1 || e.Changes[0].GetIdentity().GetName() != "Anna" || e.Facts[0].GetText() != "Anna" || e.Facts[1].GetText() != "Ann" {
		t.Errorf("%v", e)
	}
	g.must(update(anna, skilled("officer", "dex", 12)))
	g.wantReview("officer", submitted)
	u := skilled("officer", "dex", 13)
	u.Review = rejected
	g.must(update(gm, u))
	g.wantReview("officer", rejected)
	// That it was approved is not forgotten over all that.
	if !g.character("officer").ApprovedOnce {
		t.Error("it was approved before")
	}
}

// What people write of a character and no rule reads is not reviewed, also in a fight,
// and what a seat may not see of it is not told.
func TestUpdateOfWords(t *testing.T) {
	g := newGame(t)
	was := g.character("officer").Review
	words := &tablev1.UpdateSheet{
		Character: "officer", Notes: proto.String("afraid of the sea"),
		Profile: &tablev1.ProfileInput{Entries: []*tablev1.ProfileEntry{{Label: "age", Text: "31"}}},
	}
	g.must(update(anna, words))
	g.wantReview("officer", was)
	e := g.event(g.r.Events())
	if len(e.Changes) != 2 || e.Changes[0].GetProfile().GetAfter()[0].GetText() != "31" || e.Changes[1].GetNotes().GetAfter() != "afraid of the sea" {
		t.Errorf("%v", e)
	}
	if err := g.do(update(anna, words)); !errors.Is(err, errUnchanged) {
		t.Errorf("the same again: %v", err)
	}
	g.must(update(gm, &tablev1.UpdateSheet{Character: "officer", Profile: &tablev1.ProfileInput{}, Notes: proto.String("")}))
	if c := g.character("officer"); c.Notes != "" || len(c.Profile) > 0 {
		t.Errorf("%v", c)
	}
	g.wantReview("officer", was)
}

// An update that changes nothing is no commit; one that is refused changes nothing
// (the harness compares).
func TestUpdateOfNothing(t *testing.T) {
	g := newGame(t)
	g.must(update(gm, skilled("officer", "dex", 10)))
	for _, u := range []*tablev1.UpdateSheet{
		{Character: "officer"}, skilled("officer", "dex", 10), renamed("officer", ""),
		{Character: "officer", Side: proto.String("pc"), Review: approved},
	} {
		for _, seat := range []rule.Seat{gm, anna} {
			if err := g.do(update(seat, u)); !errors.Is(err, errUnchanged) {
				t.Errorf("%v: %v", u, err)
			}
		}
	}
	g.refused("INVALID_FIELD", update(gm, skilled("officer", "dex", -1)))
	g.refused("NOT_FOUND", update(gm, renamed("officex", "x")))
	if bug := (*rule.PanicError)(nil); !errors.As(g.do(update(gm, skilled("officer", "revise panics", 1))), &bug) {
		t.Error("a bug of the rules is not told as one")
	}
}

// A sheet may change while a step waits: what the step did before stays, and what
// it does afterwards is done with what it finds.
func TestUpdateWhileAStepWaits(t *testing.T) {
	g := newGame(t)
	g.must(update(gm, carrying("officer", "baton", "knife")))
	g.must(act(anna, "officer", hit, "1D100=31"))
	g.must(update(gm, renamed("officer", "Ann")))
	g.wantNames("character_updated")
	g.wantJournal("injected")
	g.must(answer(gm, "cover", "thug-2", "decline"))
	hp := skilled("thug", "dex", 3)
	hp.Resources = []*tablev1.ResourceInput{{Key: "hp", Value: proto.Int32(30), Max: proto.Int32(40)}}
	g.must(update(gm, hp))
	// The step may count on what is on the sheet, so that nothing is taken off it.
	g.refused("PROMPT_PENDING", update(gm, carrying("officer", "knife")))
	g.must(update(gm, carrying("officer", "baton", "club", "knife")))
	g.must(answer(gm, "defend", "thug", "none", "1D6=4"))
	if hp := g.hp("thug"); hp != 26 || g.character("officer").Name != "Ann" {
		t.Errorf("hp %d, %v", hp, g.character("officer"))
	}
	g.must(update(gm, carrying("officer", "knife")))
}

// What is not approved does not fight, so a player leaves the sheet of a fighter
// alone; the name is free, and the GM is.
func TestUpdateInAFight(t *testing.T) {
	g := newGame(t)
	g.must(fixture(rule.SetEncounter(&tablev1.Encounter{Roster: []string{"officer", "thug"}, Round: 1})))
	g.refused("IN_ENCOUNTER", update(anna, skilled("officer", "dex", 18)))
	g.must(update(anna, renamed("officer", "Ann")))
	g.must(update(gm, skilled("officer", "dex", 18)))
	g.must(update(bert, skilled("nurse", "dex", 18)))
	g.refused("IN_ENCOUNTER", remove("officer"))
	g.refused("IN_ENCOUNTER", remove("thug"))
	g.must(remove("nurse"))
	g.must(fixture(rule.EndEncounter()))
	g.must(remove("officer"))
}

func fixture(changes ...*tablev1.Change) command {
	return func(r *resolve.Resolver) (*tablev1.Commit, error) { return r.Fixture(changes...) }
}

// Who goes takes along what is asked about it; what others are asked stays. The id
// is free again, and what comes under it is new.
func TestRemove(t *testing.T) {
	g := newGame(t)
	g.must(update(gm, renamed("nurse", "Nina")))
	g.must(act(bert, "nurse", spot, "1D100=1"))
	g.must(act(bert, "student", spot, "1D100=2"))
	// The windows of the last attack are still addressable.
	g.must(act(anna, "officer", hit, "1D100=31"))
	g.refused("PROMPT_PENDING", remove("nurse"))
	g.must(answer(gm, "cover", "thug-2", "decline"))
	g.must(answer(gm, "defend", "thug", "none", "1D6=1"))
	g.refused("NOT_FOUND", remove("nursf"))

	g.must(remove("nurse"))
	g.wantNames("prompt_withdrawn", "character_removed")
	if g.last.Runs[0].Step != nil || len(g.last.Runs[0].Journal) != 0 {
		t.Errorf("%v", g.last)
	}
	if e := g.event(g.r.Events()); e.Actor != "nurse" || e.Facts[0].GetText() != "Nina" {
		t.Errorf("%v", e)
	}
	if g.character("nurse") != nil {
		t.Error("it is still there")
	}
	benefits := 0
	for _, w := range g.r.State().Windows {
		if w.About == "nurse" || w.BecauseOf == "nurse" {
			t.Errorf("%v", w)
		}
		if w.Open && w.Name == "critical_benefit" {
			benefits++
		}
	}
	if benefits != 1 {
		t.Errorf("%d are asked about the student", benefits)
	}
	// Nobody is there to whom a late answer could be given.
	g.must(remove("thug"))
	g.refused("NOT_FOUND", act(gm, "thug", spot))
	for _, w := range g.r.State().Windows {
		if w.Name == "defend" {
			t.Errorf("%v", w)
		}
	}
	g.must(newSheet("nurse"))
	if c := g.character("nurse"); c.Name != "" || c.Review != 0 {
		t.Errorf("%v", c)
	}
	g.must(act(gm, "", &tablev1.EndScene{}))
}

// Of a question to several only the slot of who goes is withdrawn.
func TestRemoveOneOfSeveral(t *testing.T) {
	g := newGame(t)
	slot := func(who string) *tablev1.Slot {
		return &tablev1.Slot{Id: "s" + who, Character: who, State: tablev1.SlotState_SLOT_STATE_OPEN}
	}
	g.must(fixture(rule.SetWindow(&tablev1.Window{
		Id: "w", Name: "critical_benefit", Kind: tablev1.WindowKind_WINDOW_KIND_SEALED, BecauseOf: "officer", Standing: true, Open: true,
		Audience: rule.Public, Slots: []*tablev1.Slot{slot("nurse"), slot("student"), slot("thug")},
	})))
	g.must(remove("student"))
	g.wantNames("prompt_withdrawn", "character_removed")
	w := table.Window(g.r.State(), "w")
	var states []tablev1.SlotState
	for _, s := range w.Slots {
		states = append(states, s.State)
	}
	if !w.Open || states[0] != 1 || states[1] != 3 || states[2] != 1 {
		t.Errorf("%v", w)
	}
	g.must(remove("officer")) // it was about him
	g.wantNames("prompt_withdrawn", "prompt_withdrawn", "character_removed")
	if len(g.r.State().Windows) != 0 {
		t.Errorf("%v", g.r.State().Windows)
	}
}

// A sheet that was begun as a draft has its values from the actions of creation,
// until it is approved: its player does not write them by hand.
func TestUpdateOfADraft(t *testing.T) {
	g := newGame(t)
	draft := proto.Clone(g.character("officer")).(*tablev1.Character)
	draft.Review, draft.Drafted, draft.ApprovedOnce = tablev1.Review_REVIEW_DRAFT, true, false
	g.must(fixture(rule.AddCharacter(draft)))
	resources := &tablev1.UpdateSheet{Character: "officer", Resources: []*tablev1.ResourceInput{{Key: "hp", Max: proto.Int32(30)}}}
	details := &tablev1.UpdateSheet{Character: "officer", Details: &tablev1.Details{}}
	details.Stats = []*tablev1.StatInput{{Key: "dex", Value: 18}}
	byHand := []*tablev1.UpdateSheet{skilled("officer", "dex", 18), resources, details}
	refused := func() {
		t.Helper()
		for _, u := range byHand {
			g.refused("MADE_BY_THE_RULES", update(anna, u))
		}
	}
	refused()
	g.must(update(anna, renamed("officer", "Ann")))
	g.must(update(anna, carrying("officer", "knife")))
	g.wantReview("officer", tablev1.Review_REVIEW_DRAFT)
	g.must(update(gm, skilled("officer", "dex", 11))) // the GM's helping hand ends nothing
	g.wantReview("officer", tablev1.Review_REVIEW_DRAFT)
	for _, review := range []tablev1.Review{submitted, rejected} {
		g.must(fixture(rule.SetReview(g.character("officer"), review)))
		refused()
	}
	g.must(update(gm, &tablev1.UpdateSheet{Character: "officer", Review: approved}))
	g.must(update(anna, skilled("officer", "dex", 18)))
	g.wantReview("officer", submitted)
	g.must(update(anna, skilled("officer", "dex", 17)))
}
