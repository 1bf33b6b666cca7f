package api_test

import (
	"context"
	"slices"
	"testing"

	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"
)

func (t *table) setPolicies(ctx context.Context, seat string, all ...*tablev1.Policy) (*tablev1.Seat, error) {
	r, err := t.Seat.SetPolicies(ctx, &hanteiv1.SetPoliciesRequest{TableId: t.id, SeatId: seat, Policies: all})
	return r.GetSeat(), err
}

func chooses(prompt, choice string) *tablev1.Policy {
	return &tablev1.Policy{Prompt: prompt, What: &tablev1.Policy_Choice{Choice: choice}}
}

func byDefault(prompt string) *tablev1.Policy {
	return &tablev1.Policy{Prompt: prompt, What: &tablev1.Policy_TakeDefault{TakeDefault: true}}
}

// policiesOf are those of a seat as somebody sees them.
func (t *table) policiesOf(ctx context.Context, seat string) []*tablev1.Policy {
	t.tb.Helper()
	for _, s := range t.view(ctx).Seats {
		if s.Id == seat {
			return s.Policies
		}
	}
	return nil
}

// TestPolicies: the nurse always dodges, also after the server was away; nobody
// but she and the GM knows.
func TestPolicies(t *testing.T) {
	s := start(t)
	g := s.table().fight()
	w := g.watch(g.nurse, "")
	w.next()
	seat, err := g.setPolicies(g.nurse, g.nurseSeat, chooses("defend", "dodge"))
	s.ok(err)
	if len(seat.Policies) != 1 || seat.Id != g.nurseSeat || len(seat.Characters) != 1 {
		t.Errorf("%v", seat)
	}
	if f := w.next(); !f.OffersChanged || len(f.Events) != 0 {
		t.Errorf("the nurse's other device is told %v", f)
	}
	w.stop()
	if len(g.policiesOf(g.nurse, g.nurseSeat)) != 1 || len(g.policiesOf(g.gm, g.nurseSeat)) != 1 || g.policiesOf(g.student, g.nurseSeat) != nil {
		t.Error("the wrong ones know of it")
	}
	for _, in := range [][2]string{{"en", "Dodge"}, {"ja", "回避する"}} {
		md, _ := metadata.FromIncomingContext(g.nurse)
		ctx := metadata.NewIncomingContext(g.nurse, metadata.Join(md, metadata.Pairs("accept-language", in[0])))
		own, err := g.Seat.ListSeats(ctx, &hanteiv1.ListSeatsRequest{TableId: g.id})
		s.ok(err)
		i := slices.IndexFunc(own.Seats, func(s *tablev1.Seat) bool { return s.Id == g.nurseSeat })
		if p := own.Seats[i].Policies[0]; p.ChoiceText != in[1] {
			t.Errorf("%s: %q", in[0], p.ChoiceText)
		}
	}
	if seat.Policies[0].ChoiceText == "" || g.policiesOf(g.gm, g.nurseSeat)[0].ChoiceText == "" {
		t.Error("a policy without words")
	}
	listed, err := g.Seat.ListSeats(g.student, &hanteiv1.ListSeatsRequest{TableId: g.id})
	s.ok(err)
	for _, seat := range listed.Seats {
		if len(seat.Policies) > 0 {
			t.Errorf("listed: %v", seat)
		}
	}
	// Another change of the seat leaves them.
	_, err = g.Seat.UpdateSeat(g.gm, &hanteiv1.UpdateSeatRequest{TableId: g.id, SeatId: g.nurseSeat, Name: proto.String("Hana")})
	s.ok(err)
	s.restart()
	g.struck()
	r := g.answer(g.student, "student", "decline")
	if r.Outcome.State != hanteiv1.StepState_STEP_STATE_DONE || !slices.Contains(names(r.Outcome.Events), "defence_rolled") {
		t.Errorf("%v", names(r.Outcome.Events))
	}
}

// A policy holds until the end of the round, or of the scene.
func TestPolicyEnds(t *testing.T) {
	g := start(t).fixed().fight() // whose blows fell nobody
	round := byDefault("defend")
	round.Until = tablev1.PolicyEnd_POLICY_END_ROUND
	_, err := g.setPolicies(g.nurse, g.nurseSeat, round)
	g.ok(err)
	g.struck()
	if r := g.answer(g.student, "student", "decline"); r.Outcome.State != hanteiv1.StepState_STEP_STATE_DONE {
		t.Errorf("%v", r.Outcome)
	}
	g.act(g.gm, "thug", endTurn())
	// The last one of the round; the GM says whether the fight goes on.
	if r := g.act(g.student, "student", endTurn()); r.Outcome.State == hanteiv1.StepState_STEP_STATE_WAITING {
		p := g.view(g.gm).Prompts[0]
		g.answer(g.gm, p.Character, p.DefaultChoice)
	}
	if all := g.policiesOf(g.nurse, g.nurseSeat); len(all) > 0 {
		t.Errorf("the round is over, and there is still %v", all)
	}
	g.struck()
	if r := g.answer(g.student, "student", "decline"); r.Outcome.State != hanteiv1.StepState_STEP_STATE_WAITING {
		t.Errorf("%v", r.Outcome)
	}
}

// Of what is nobody's, the GM's policies decide: all by default.
func TestPolicyOfTheGM(t *testing.T) {
	g := start(t).table().fight()
	_, err := g.setPolicies(g.gm, g.gmSeat, byDefault(""))
	g.ok(err)
	r := g.act(g.gm, "nurse", attack("fist", "thug"), "1D100=20")
	if r.Outcome.State != hanteiv1.StepState_STEP_STATE_DONE {
		t.Errorf("%v", r.Outcome)
	}
	// A player's character is not the GM's to decide for.
	g.act(g.nurse, "nurse", endTurn())
	if r := g.act(g.gm, "thug", attack("knife", "nurse"), "1D100=20"); r.Outcome.State != hanteiv1.StepState_STEP_STATE_WAITING {
		t.Errorf("%v", r.Outcome)
	}
}

func TestPoliciesRefused(t *testing.T) {
	g := start(t).table().fight()
	follow := func(character, leader string) *tablev1.Policy {
		return &tablev1.Policy{Character: character, What: &tablev1.Policy_Follow{Follow: leader}}
	}
	for _, c := range []struct {
		who    context.Context
		seat   string
		all    []*tablev1.Policy
		code   codes.Code
		reason string
		field  string
	}{
		{g.student, g.nurseSeat, nil, codes.PermissionDenied, "NOT_YOUR_SEAT", "seat_id"},
		{g.admin, g.nurseSeat, nil, codes.PermissionDenied, "NOT_YOUR_SEAT", ""},
		{g.gm, "nobody", nil, codes.NotFound, "NOT_FOUND", "seat_id"},
		{g.nurse, g.nurseSeat, []*tablev1.Policy{chooses("defent", "dodge")}, codes.InvalidArgument, "INVALID_FIELD", "policies[0].prompt"},
		{g.nurse, g.nurseSeat, []*tablev1.Policy{byDefault(""), byDefault("")}, codes.InvalidArgument, "INVALID_FIELD", "policies[1].prompt"},
		{g.nurse, g.nurseSeat, []*tablev1.Policy{{Prompt: "defend"}}, codes.InvalidArgument, "INVALID_FIELD", "policies[0].what"},
		{g.nurse, g.nurseSeat, []*tablev1.Policy{follow("nurse", "nurse")}, codes.InvalidArgument, "INVALID_FIELD", "policies[0].follow"},
		{g.nurse, g.nurseSeat, []*tablev1.Policy{follow("nurse", "studnet")}, codes.NotFound, "NOT_FOUND", "policies[0].follow"},
		{g.nurse, g.nurseSeat, []*tablev1.Policy{follow("nobody", "student")}, codes.NotFound, "NOT_FOUND", "policies[0].character"},
	} {
		_, err := g.setPolicies(c.who, c.seat, c.all...)
		if info := refused(t, err, c.code, c.reason); info.GetMetadata()["field"] != c.field {
			t.Errorf("field %q, want %q", info.GetMetadata()["field"], c.field)
		}
	}
	if all := g.policiesOf(g.gm, g.nurseSeat); all != nil {
		t.Errorf("%v", all)
	}
}
