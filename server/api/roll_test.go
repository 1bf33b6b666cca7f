package api_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
	"google.golang.org/grpc/codes"
)

func (t *table) roll(ctx context.Context, r *hanteiv1.RollRequest) *hanteiv1.RollResponse {
	t.tb.Helper()
	r.TableId = t.id
	out, err := t.Play.Roll(ctx, r)
	t.ok(err)
	return out
}

func reveal(id string) *tablev1.Action {
	return &tablev1.Action{Ruleset: &tablev1.Action_Core{Core: &tablev1.CoreAction{Action: &tablev1.CoreAction_Reveal{
		Reveal: &tablev1.Reveal{EventId: id},
	}}}}
}

// TestRoll: who throws dice that no rule asks for, who sees them, and who may
// reveal them later.
func TestRoll(t *testing.T) {
	g := start(t).table().fight()
	open := g.roll(g.nurse, &hanteiv1.RollRequest{Actor: "nurse", Formula: "2d6+3", Text: "how far?"}).Outcome
	if len(open.Events) != 1 || open.Events[0].Name != "rolled" || open.State != hanteiv1.StepState_STEP_STATE_DONE {
		t.Fatalf("%v", open)
	}
	e := open.Events[0]
	sum := e.Dice[0].Faces[0] + e.Dice[0].Faces[1] + 3
	if !slices.ContainsFunc(e.Facts, func(f *typev1.Fact) bool { return f.Key == "total" && f.GetNumber() == sum }) {
		t.Errorf("%v", e)
	}
	if e.Text.GetText() == "" {
		t.Error("no sentence")
	}

	for _, c := range []struct {
		audience       typev1.Audience
		roller, others int // events that they see of it
		mayReveal      context.Context
		mayNot         []context.Context
	}{
		{typev1.Audience_AUDIENCE_OWNER, 1, 0, g.nurse, []context.Context{g.student}},
		{typev1.Audience_AUDIENCE_GM, 0, 0, g.gm, []context.Context{g.nurse, g.student}},
	} {
		others := g.watch(g.student, "")
		others.next()
		gm := g.watch(g.gm, "")
		gm.next()
		o := g.roll(g.nurse, &hanteiv1.RollRequest{Actor: "nurse", Formula: "1D100", Audience: c.audience}).Outcome
		if len(o.Events) != c.roller || o.StepId == "" {
			t.Errorf("%v: the roller sees %v", c.audience, o.Events)
		}
		rolled := gm.next().Events[0]
		if rolled.Name != "rolled" {
			t.Errorf("the GM sees %v", rolled)
		}
		others.nothing()
		// To whom it was not told there is no such event.
		for _, who := range c.mayNot {
			_, err := g.Play.Act(who, &hanteiv1.ActRequest{TableId: g.id, What: &hanteiv1.ActRequest_Action{Action: reveal(rolled.EventId)}})
			refused(t, err, codes.NotFound, "NOT_FOUND")
		}
		_, err := g.Play.Act(c.mayReveal, &hanteiv1.ActRequest{TableId: g.id, What: &hanteiv1.ActRequest_Action{Action: reveal(rolled.EventId)}})
		g.ok(err)
		seen := others.next().Events
		if len(seen) != 2 || seen[0].Name != "revealed" || seen[1].Name != "rolled" || seen[1].Cause != seen[0].EventId ||
			!slices.Equal(seen[1].Dice[0].Faces, rolled.Dice[0].Faces) {
			t.Errorf("revealed: %v", seen)
		}
		others.stop()
		gm.stop()
	}

	// A secret check of the rules is revealed as well.
	secret := g.request("nurse", check("spot"), "1D100=33")
	secret.Audience = typev1.Audience_AUDIENCE_GM
	r, err := g.Play.Act(g.gm, secret)
	g.ok(err)
	w := g.watch(g.student, "")
	defer w.stop()
	w.next()
	_, err = g.Play.Act(g.gm, &hanteiv1.ActRequest{TableId: g.id, What: &hanteiv1.ActRequest_Action{Action: reveal(r.Outcome.Events[0].EventId)}})
	g.ok(err)
	if seen := w.next().Events; len(seen) != 2 || seen[1].Name != "check_resolved" || seen[1].Dice[0].Faces[0] != 33 || len(seen[1].Changes) != 0 {
		t.Errorf("revealed: %v", seen)
	}
}

func TestRollOnce(t *testing.T) {
	g := start(t).table().fight()
	r := &hanteiv1.RollRequest{TableId: g.id, Actor: "nurse", Formula: "100D1000", RequestId: "once"}
	first, err := g.Play.Roll(g.nurse, r)
	g.ok(err)
	again, err := g.Play.Roll(g.nurse, r)
	g.ok(err)
	same(t, again, first)
	r.Formula = "1D6"
	_, err = g.Play.Roll(g.nurse, r)
	refused(t, err, codes.AlreadyExists, "REQUEST_ID_REUSED")
}

func TestRollRefused(t *testing.T) {
	g := start(t).table().fight()
	for _, c := range []struct {
		who    context.Context
		r      *hanteiv1.RollRequest
		code   codes.Code
		reason string
		field  string
	}{
		{g.nurse, &hanteiv1.RollRequest{Actor: "nurse", Formula: "1D6+dodge"}, codes.InvalidArgument, "INVALID_FIELD", "formula"},
		{g.nurse, &hanteiv1.RollRequest{Actor: "student", Formula: "1D6"}, codes.PermissionDenied, "NOT_YOUR_SEAT", "actor"},
		{g.nurse, &hanteiv1.RollRequest{Actor: "nurze", Formula: "1D6"}, codes.NotFound, "NOT_FOUND", "actor"},
		{g.nurse, &hanteiv1.RollRequest{Actor: "nurse", Formula: "1D6", GivenDice: []string{"1D6=3"}}, codes.InvalidArgument, "BAD_DICE", "given_dice"},
		{g.gm, &hanteiv1.RollRequest{Formula: "1D6", Audience: typev1.Audience_AUDIENCE_MIND}, codes.InvalidArgument, "INVALID_FIELD", "audience"},
		{g.admin, &hanteiv1.RollRequest{Formula: "1D6"}, codes.PermissionDenied, "NOT_YOUR_SEAT", ""},
	} {
		before := g.head()
		c.r.TableId = g.id
		_, err := g.Play.Roll(c.who, c.r)
		if info := refused(t, err, c.code, c.reason); info.GetMetadata()["field"] != c.field {
			t.Errorf("%v: field %q", c.r, info.GetMetadata()["field"])
		}
		if g.head() != before {
			t.Error("the table went on")
		}
	}
}

// TestAskedForDiceOfTheOwner: where no character acts, whoever is asked for the dice of
// a roll that is kept to the owner is told so, and no other player is.
func TestAskedForDiceOfTheOwner(t *testing.T) {
	g := start(t).table(opt("given_dice", "all"))
	g.sample("nurse", "student")
	r := g.request("", &cocv1.Action{Action: &cocv1.Action_SanCheck{SanCheck: &cocv1.SanCheck{Targets: []string{"nurse"}, Loss: "1/1D6"}}})
	r.Audience = typev1.Audience_AUDIENCE_OWNER
	_, err := g.Play.Act(g.gm, r)
	g.ok(err)
	_, err = g.Play.Answer(g.nurse, &hanteiv1.AnswerRequest{TableId: g.id, PromptId: g.view(g.nurse).Prompts[0].Id, GivenDice: []string{"1D100=20"}})
	g.ok(err)
	for _, c := range []struct {
		by   context.Context
		want []string
	}{
		{g.nurse, []string{"prompt_opened", "prompt_answered", "check_resolved"}},
		{g.student, nil},
	} {
		all, err := g.Play.ListEvents(c.by, &hanteiv1.ListEventsRequest{TableId: g.id, PageSize: 500})
		g.ok(err)
		var got []string
		for _, e := range all.Events {
			if strings.HasPrefix(e.Name, "prompt_") || e.Name == "check_resolved" {
				got = append(got, e.Name)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v, want %v", got, c.want)
		}
	}
}
