package api_test

import (
	"context"
	"testing"

	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"
)

// TestExchange plays one exchange: each seat sees its prompts, and the GM treats
// a roll as a critical by the event's id.
func TestExchange(t *testing.T) {
	g := start(t).table().fight()
	v := g.view(g.nurse)
	if len(v.Encounter.GetTurn()) != 1 || v.Encounter.Turn[0] != "nurse" {
		t.Fatalf("turn of %v", v.Encounter)
	}
	if v.StateHash != "" || g.view(g.gm).StateHash == "" {
		t.Error("the state's hash is the GM's alone")
	}
	struck := g.struck()
	if struck.Outcome.State != hanteiv1.StepState_STEP_STATE_WAITING || len(struck.Outcome.WaitingOn) != 1 {
		t.Fatalf("outcome %v", struck.Outcome)
	}
	if w := struck.Outcome.WaitingOn[0]; w.Name != "cover" || w.Character != "student" || !w.Blocking || len(w.Seats) != 1 {
		t.Errorf("waiting on %v", w)
	}
	if len(struck.Outcome.Prompts) != 0 || len(g.view(g.nurse).Prompts) != 0 {
		t.Error("others are asked too")
	}
	roll := ""
	for _, e := range struck.Outcome.Events {
		if e.Name == "check_resolved" {
			roll = e.EventId
		}
	}
	if len(roll) != 22 {
		t.Fatalf("event id %q", roll)
	}

	asked := g.view(g.student).Prompts
	if len(asked) != 1 || asked[0].Name != "cover" || asked[0].Text.GetText() == "" || len(asked[0].Id) != 16 {
		t.Fatalf("prompts of the student: %v", asked)
	}
	critical := &cocv1.Action{Action: &cocv1.Action_GmTreatAsCritical{GmTreatAsCritical: &cocv1.TreatAsCritical{RollId: roll}}}
	treated := g.act(g.gm, "", critical)
	if got := treated.Action.GetCoc().GetGmTreatAsCritical().GetRollId(); got != roll {
		t.Errorf("the action that came back refers to %q, not %q", got, roll)
	}
	// A handle of nothing, and of another table.
	other := g.server.table()
	for _, wrong := range []string{"AAAAAAAAAAAAAAAAAAAAAA", "1", roll[:21] + "!"} {
		_, err := g.Play.Act(g.gm, g.request("", &cocv1.Action{Action: &cocv1.Action_GmTreatAsCritical{GmTreatAsCritical: &cocv1.TreatAsCritical{RollId: wrong}}}))
		refused(t, err, codes.NotFound, "NOT_FOUND")
	}
	_, err := other.Play.Act(other.gm, other.request("", critical))
	refused(t, err, codes.NotFound, "NOT_FOUND")

	// The student lets it pass, by the prompt's id; the nurse stands still.
	_, err = g.Play.Answer(g.student, &hanteiv1.AnswerRequest{TableId: g.id, PromptId: asked[0].Id, Answers: []*hanteiv1.SlotAnswer{
		{How: &hanteiv1.SlotAnswer_Choice{Choice: "decline"}},
	}})
	g.ok(err)
	// Who comes too late is told by the rules, or that it is closed.
	_, err = g.Play.Answer(g.student, &hanteiv1.AnswerRequest{TableId: g.id, PromptId: asked[0].Id, Answers: []*hanteiv1.SlotAnswer{
		{How: &hanteiv1.SlotAnswer_Choice{Choice: "cover"}},
	}})
	refused(t, err, codes.FailedPrecondition, "COVER_TOO_LATE")
	// A player's prompt without any id, since there is only one.
	r, err := g.Play.Answer(g.nurse, &hanteiv1.AnswerRequest{TableId: g.id, PromptId: "-", Answers: []*hanteiv1.SlotAnswer{
		{How: &hanteiv1.SlotAnswer_Answer{Answer: &tablev1.Answer{Ruleset: &tablev1.Answer_Coc{Coc: &cocv1.Answer{Answer: &cocv1.Answer_Defend{
			Defend: &cocv1.Defend{Kind: &cocv1.Defend_None{None: &cocv1.NoDefence{}}},
		}}}}}},
	}})
	g.ok(err)
	names := map[string]bool{}
	ids := map[string]bool{}
	for _, e := range r.Outcome.Events {
		names[e.Name] = true
		ids[e.EventId] = true
	}
	if !names["attack_hit"] || !names["damage_rolled"] {
		t.Errorf("events %v", names)
	}
	// Causes are events that the seat can find.
	all, err := g.Play.ListEvents(g.nurse, &hanteiv1.ListEventsRequest{TableId: g.id, PageSize: 500})
	g.ok(err)
	for _, e := range all.Events {
		ids[e.EventId] = true
	}
	for _, e := range all.Events {
		if e.Cause != "" && !ids[e.Cause] {
			t.Errorf("%s has a cause that nobody knows", e.Name)
		}
		if e.Name == "attack_hit" && e.Cause != roll {
			t.Errorf("attack_hit is caused by %q, not by the roll %q", e.Cause, roll)
		}
	}
}

// TestOffers takes an offer, and finds it gone.
func TestOffers(t *testing.T) {
	g := start(t).table().fight()
	r, err := g.Play.ListOffers(g.nurse, &hanteiv1.ListOffersRequest{TableId: g.id, Actor: "nurse"})
	g.ok(err)
	var fist *tablev1.OfferView
	impossible := false
	for _, o := range r.Offers {
		if o.Possible && impossible {
			t.Error("a possible offer after one that is not")
		}
		impossible = impossible || !o.Possible
		if a := o.Action.GetCoc().GetAttack(); a != nil && a.Weapon == "fist" {
			fist = o
		}
		if o.Text == "" || len(o.Id) > 24 {
			t.Errorf("offer %v", o)
		}
	}
	if fist == nil || !fist.Possible {
		t.Fatalf("no offer to strike: %v", r.Offers)
	}
	take := func(ctx context.Context, offer string) (*hanteiv1.ActResponse, error) {
		return g.Play.Act(ctx, &hanteiv1.ActRequest{TableId: g.id, What: &hanteiv1.ActRequest_Offer{Offer: &hanteiv1.OfferChoice{
			OfferId: offer, Values: []*tablev1.Value{{Name: "target", Values: []string{"thug"}}},
		}}})
	}
	_, err = take(g.nurse, "nonesuch")
	refused(t, err, codes.FailedPrecondition, "OFFER_GONE")
	_, err = take(g.student, fist.Id)
	refused(t, err, codes.FailedPrecondition, "OFFER_GONE")
	acted, err := take(g.nurse, fist.Id)
	g.ok(err)
	if a := acted.Action.GetCoc().GetAttack(); a.GetTarget() != "thug" || a.GetWeapon() != "fist" {
		t.Errorf("the action was %v", acted.Action)
	}
}

// TestSecretCheck: what the GM rolls in secret is nobody's business.
func TestSecretCheck(t *testing.T) {
	g := start(t).table()
	g.sample("nurse", "thug")
	before, err := g.Play.ListEvents(g.nurse, &hanteiv1.ListEventsRequest{TableId: g.id})
	g.ok(err)
	r := g.request("thug", check("knife"))
	r.Audience = typev1.Audience_AUDIENCE_GM
	secret, err := g.Play.Act(g.gm, r)
	g.ok(err)
	if len(secret.Outcome.Events) == 0 {
		t.Error("the GM sees nothing")
	}
	after, err := g.Play.ListEvents(g.nurse, &hanteiv1.ListEventsRequest{TableId: g.id})
	g.ok(err)
	after.Cursor, before.Cursor = "", ""
	same(t, after, before)
	// Pages do not tell of it either: the last visible one is the last.
	page, err := g.Play.ListEvents(g.nurse, &hanteiv1.ListEventsRequest{TableId: g.id, PageSize: int32(len(before.Events))})
	g.ok(err)
	if page.More {
		t.Error("more")
	}
	// Its handle is one that the player does not have.
	hidden := secret.Outcome.Events[0].EventId
	none := "AAAAAAAAAAAAAAAAAAAAAA"
	body := func(id string) *hanteiv1.ActRequest {
		return g.request("", &cocv1.Action{Action: &cocv1.Action_GmTreatAsCritical{GmTreatAsCritical: &cocv1.TreatAsCritical{RollId: id}}})
	}
	_, err1 := g.Play.Act(g.nurse, body(hidden))
	_, err2 := g.Play.Act(g.nurse, body(none))
	sameError(t, err1, err2)
}

// TestListEventsPages reads the log in pages: together they are the whole.
func TestListEventsPages(t *testing.T) {
	g := start(t).table().fight()
	g.struck()
	g.answer(g.student, "student", "decline")
	whole, err := g.Play.ListEvents(g.nurse, &hanteiv1.ListEventsRequest{TableId: g.id, PageSize: 500})
	g.ok(err)
	if whole.More {
		t.Error("more than the whole")
	}
	for size := int32(1); size < 8; size++ {
		var got []*tablev1.EventView
		cursor := ""
		for more := true; more; {
			page, err := g.Play.ListEvents(g.nurse, &hanteiv1.ListEventsRequest{TableId: g.id, PageSize: size, Cursor: cursor})
			g.ok(err)
			if page.More && len(page.Events) < int(size) {
				t.Errorf("a page of %d with %d events", size, len(page.Events))
			}
			got = append(got, page.Events...)
			cursor, more = page.Cursor, page.More
		}
		same(t, &hanteiv1.ListEventsResponse{Events: got}, &hanteiv1.ListEventsResponse{Events: whole.Events})
	}
}

// TestViewAsSeat: the GM looks as a player, who sees the same.
func TestViewAsSeat(t *testing.T) {
	g := start(t).table().fight()
	g.struck()
	r, err := g.Play.GetView(g.gm, &hanteiv1.GetViewRequest{TableId: g.id, AsSeat: g.nurseSeat})
	g.ok(err)
	own := g.view(g.nurse)
	if r.View.StateHash != "" {
		t.Error("a hash as a player")
	}
	r.View.Cursor, own.Cursor = "", ""
	same(t, r.View, own)
	_, err = g.Play.GetView(g.nurse, &hanteiv1.GetViewRequest{TableId: g.id, AsSeat: g.gmSeat})
	refused(t, err, codes.PermissionDenied, "NOT_YOUR_SEAT")
	_, err = g.Play.GetView(g.gm, &hanteiv1.GetViewRequest{TableId: g.id, AsSeat: "nobody"})
	refused(t, err, codes.NotFound, "NOT_FOUND")
	// The own seat is nothing special.
	_, err = g.Play.GetView(g.nurse, &hanteiv1.GetViewRequest{TableId: g.id, AsSeat: g.nurseSeat})
	g.ok(err)
}

// TestGivenDice: players may not give dice unless the table throws by hand.
func TestGivenDice(t *testing.T) {
	g := start(t).table()
	g.sample("nurse", "thug")
	_, err := g.Play.Act(g.nurse, g.request("nurse", check("spot"), "1D100=1"))
	refused(t, err, codes.InvalidArgument, "BAD_DICE")
	_, err = g.Play.Act(g.gm, g.request("nurse", check("spot"), "1D6=1"))
	refused(t, err, codes.InvalidArgument, "BAD_DICE")
	_, err = g.Play.Act(g.gm, g.request("nurse", check("spot"), "nonsense"))
	refused(t, err, codes.InvalidArgument, "BAD_DICE")
	many := make([]string, 50)
	for i := range many {
		many[i] = "99D6=200"
	}
	_, err = g.Play.Act(g.gm, g.request("nurse", check("spot"), many...))
	refused(t, err, codes.ResourceExhausted, "TOO_LARGE")
	r := g.act(g.gm, "nurse", check("spot"), "1D100=50")
	if d := r.Outcome.Events[0].Dice; len(d) != 1 || !d[0].Given || d[0].Faces[0] != 50 {
		t.Errorf("dice %v", d)
	}

	byHand := g.server.table(&tablev1.Option{Key: "given_dice", Value: "all"})
	byHand.sample("nurse")
	waits := byHand.act(byHand.nurse, "nurse", check("spot"))
	if p := waits.Outcome.Prompts; len(p) != 1 || p[0].Name != "dice" || p[0].Dice != "1D100" {
		t.Fatalf("prompts %v", p)
	}
	done, err := byHand.Play.Answer(byHand.nurse, &hanteiv1.AnswerRequest{TableId: byHand.id, PromptId: "-", GivenDice: []string{"1D100=50"}})
	byHand.ok(err)
	if done.Outcome.State != hanteiv1.StepState_STEP_STATE_DONE {
		t.Errorf("outcome %v", done.Outcome)
	}
}

// TestFixedDice: at a table of known dice the same commands bring the same faces.
func TestFixedDice(t *testing.T) {
	s := start(t)
	play := func(g *table) []*typev1.Die {
		g.sample("nurse")
		var dice []*typev1.Die
		for range 5 {
			for _, e := range g.act(g.nurse, "nurse", check("spot")).Outcome.Events {
				dice = append(dice, e.Dice...)
			}
		}
		return dice
	}
	a, b, c := play(s.fixed()), play(s.fixed()), play(s.table())
	for i := range a {
		same(t, b[i], a[i])
	}
	differ := false
	for i := range a {
		differ = differ || !proto.Equal(a[i], c[i])
	}
	if !differ {
		t.Error("ordinary dice are those of the demonstration")
	}
	g := s.fixed()
	r, err := g.Table.GetTable(g.gm, &hanteiv1.GetTableRequest{TableId: g.id})
	g.ok(err)
	if r.Table.Name != "Test (fixed dice: demo)" {
		t.Errorf("the name does not say it: %q", r.Table.Name)
	}
}
