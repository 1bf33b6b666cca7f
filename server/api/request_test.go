package api_test

import (
	"context"
	"slices"
	"sync"
	"testing"

	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
	"github.com/hantei/hantei/server/auth"
	"github.com/hantei/hantei/server/host"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"
)

// TestRepeatedAct: the same request has the same answer and no second die, also
// after the game went on and after a restart.
func TestRepeatedAct(t *testing.T) {
	g := start(t).table().fight()
	g.act(g.nurse, "nurse", endTurn())
	r := g.request("thug", attack("knife", "nurse"), "1D100=20")
	r.RequestId = "strike"
	first, err := g.Play.Act(g.gm, r)
	g.ok(err)
	if first.Outcome.State != hanteiv1.StepState_STEP_STATE_WAITING {
		t.Fatalf("outcome %v", first.Outcome)
	}
	again := func() {
		t.Helper()
		head := g.head()
		second, err := g.Play.Act(g.gm, r)
		g.ok(err)
		same(t, second, first)
		if g.head() != head {
			t.Error("it was carried out twice")
		}
	}
	again()
	a := &hanteiv1.AnswerRequest{TableId: g.id, PromptId: "-", RequestId: "no", Answers: []*hanteiv1.SlotAnswer{{How: &hanteiv1.SlotAnswer_Choice{Choice: "decline"}}}}
	answered, err := g.Play.Answer(g.student, a)
	g.ok(err)
	again()
	g.answer(g.gm, "nurse", "none", "1D4=1", "1D4=1")
	again()
	g.invite("latecomer")
	repeated, err := g.Play.Answer(g.student, a)
	g.ok(err)
	same(t, repeated, answered)
	g.restart()
	again()
	repeated, err = g.Play.Answer(g.student, a)
	g.ok(err)
	same(t, repeated, answered)

	// Another body under the same id; the same id of somebody else.
	other := proto.Clone(r).(*hanteiv1.ActRequest)
	other.Actor = "nurse"
	_, err = g.Play.Act(g.gm, other)
	refused(t, err, codes.AlreadyExists, "REQUEST_ID_REUSED")
	_, err = g.Play.Answer(g.gm, &hanteiv1.AnswerRequest{TableId: g.id, PromptId: "-", RequestId: "strike"})
	refused(t, err, codes.AlreadyExists, "REQUEST_ID_REUSED")
	mine := g.request("nurse", attack("fist", "thug"))
	mine.RequestId = "strike"
	_, err = g.Play.Act(g.nurse, mine)
	refused(t, err, codes.FailedPrecondition, "NOT_YOUR_TURN")
	// What was refused is not recorded.
	mine = g.request("nurse", check("nonesuch"))
	mine.RequestId = "strike"
	_, err = g.Play.Act(g.nurse, mine)
	refused(t, err, codes.FailedPrecondition, "UNKNOWN_SKILL")
	// In another language it is rendered again.
	japanese := as(t, auth.Principal{Seat: g.gmSeat, Table: g.id}, "ja")
	ja, err := g.Play.Act(japanese, r)
	g.ok(err)
	if x, y := ja.Outcome.Events[0], first.Outcome.Events[0]; x.EventId != y.EventId || x.Text.GetText() == y.Text.GetText() {
		t.Errorf("in Japanese: %v", x.Text)
	}
}

// TestRepeatedAtOnce repeats a request from many sides at the same time.
func TestRepeatedAtOnce(t *testing.T) {
	g := start(t).table()
	g.sample("nurse")
	head := g.head()
	r := g.request("nurse", check("spot"))
	r.RequestId = "once"
	answers := make([]*hanteiv1.ActResponse, 16)
	var all sync.WaitGroup
	for i := range answers {
		all.Go(func() {
			out, err := g.Play.Act(g.nurse, r)
			if err != nil {
				t.Error(err)
			}
			answers[i] = out
		})
	}
	all.Wait()
	for _, a := range answers {
		same(t, a, answers[0])
	}
	if n := g.head().Number - head.Number; n != 1 {
		t.Errorf("carried out %d times", n)
	}
}

// TestRepeatedMaking: what makes tables, seats and characters makes them once.
func TestRepeatedMaking(t *testing.T) {
	s := start(t)
	admin := as(t, auth.Admin)
	ct := &hanteiv1.CreateTableRequest{Name: "Once", Ruleset: "coc", RequestId: "t"}
	made, err := s.Table.CreateTable(admin, ct)
	s.ok(err)
	gm := as(t, auth.Principal{Seat: made.GmSeat.Id, Table: made.Table.Id})
	is := &hanteiv1.InviteSeatRequest{TableId: made.Table.Id, Name: "P", Role: tablev1.SeatRole_SEAT_ROLE_PLAYER, RequestId: "s"}
	seat, err := s.Seat.InviteSeat(gm, is)
	s.ok(err)
	cc := &hanteiv1.CreateCharacterRequest{TableId: made.Table.Id, RequestId: "c", Count: 3, Source: &hanteiv1.CreateCharacterRequest_Sample{Sample: "thug"}}
	thugs, err := s.Character.CreateCharacter(gm, cc)
	s.ok(err)
	for i, want := range [][2]string{{"thug", "Thug"}, {"thug-2", "Thug 2"}, {"thug-3", "Thug 3"}} {
		if c := thugs.Characters[i]; c.Id != want[0] || c.Name != want[1] {
			t.Errorf("%d: %s, %q", i, c.Id, c.Name)
		}
	}
	again := func() {
		t.Helper()
		made2, err := s.Table.CreateTable(admin, ct)
		s.ok(err)
		same(t, made2, made)
		seat2, err := s.Seat.InviteSeat(gm, is)
		s.ok(err)
		same(t, seat2, seat)
		thugs2, err := s.Character.CreateCharacter(gm, cc)
		s.ok(err)
		same(t, thugs2, thugs)
	}
	again()
	s.restart()
	again()
	for _, token := range []string{made.GmToken, seat.Token} {
		if _, err := s.host.PrincipalByToken(context.Background(), auth.HashToken(token)); err != nil {
			t.Error(err)
		}
	}
	all, err := s.Character.ListCharacters(gm, &hanteiv1.ListCharactersRequest{TableId: made.Table.Id})
	s.ok(err)
	seats, err := s.Seat.ListSeats(admin, &hanteiv1.ListSeatsRequest{TableId: made.Table.Id})
	s.ok(err)
	if len(all.Characters) != 3 || len(seats.Seats) != 2 {
		t.Errorf("%d characters, %d seats", len(all.Characters), len(seats.Seats))
	}
	ct.Name, is.Name, cc.Count = "Twice", "Q", 2
	_, err = s.Table.CreateTable(admin, ct)
	refused(t, err, codes.AlreadyExists, "REQUEST_ID_REUSED")
	_, err = s.Seat.InviteSeat(gm, is)
	refused(t, err, codes.AlreadyExists, "REQUEST_ID_REUSED")
	_, err = s.Character.CreateCharacter(gm, cc)
	refused(t, err, codes.AlreadyExists, "REQUEST_ID_REUSED")
	// The admin's keys at the table are not the GM's.
	cc.Count = 3
	_, err = s.Seat.InviteSeat(admin, is)
	s.ok(err)
}

// TestCreationGoesOn: a server that went down between two characters of a request
// makes the rest when the request is repeated.
func TestCreationGoesOn(t *testing.T) {
	s := start(t)
	full := s.table()
	// The log of a table with three thugs, cut after the first.
	r := &hanteiv1.CreateCharacterRequest{TableId: full.id, RequestId: "c", Count: 3, Source: &hanteiv1.CreateCharacterRequest_Sample{Sample: "thug"}}
	want, err := s.Character.CreateCharacter(full.gm, r)
	s.ok(err)
	broken := s.table()
	crash := &failing{Store: s.store}
	h, err := host.New(t.Context(), host.Options{Store: crash, Games: []*host.Game{game()}})
	s.ok(err)
	crash.left.Store(1)
	caller := host.Caller{Table: broken.id, Seat: broken.gmSeat, Lang: "en"}
	n := host.NewCharacters{Request: host.Request{ID: "c"}, Sample: "thug", Count: 3}
	if _, err := h.CreateCharacters(t.Context(), caller, n); err == nil {
		t.Fatal("the store failed and nobody was told")
	}
	crash.left.Store(100)
	got, err := h.CreateCharacters(t.Context(), caller, n)
	s.ok(err)
	s.ok(h.Close())
	for _, c := range slices.Concat(got, want.Characters) {
		c.Etag = "" // of one table each
	}
	same(t, &hanteiv1.CreateCharacterResponse{Characters: got}, want)
}
