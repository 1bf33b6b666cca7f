package api_test

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
	"github.com/hantei/hantei/server/api"
	"github.com/hantei/hantei/server/auth"
	"github.com/hantei/hantei/server/host"
	"github.com/hantei/hantei/server/store/sqlite"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"
)

// clock is a time that a test moves on.
type clock struct{ ahead atomic.Int64 }

func (c *clock) set(h *host.Options, _ *api.Options, _ *sqlite.Options) {
	h.Now = func() time.Time { return time.Now().Add(time.Duration(c.ahead.Load())) }
}

func (s *server) pair(code string) (*hanteiv1.PairSeatResponse, error) {
	return s.Seat.PairSeat(context.Background(), &hanteiv1.PairSeatRequest{Code: code, Name: "Phone"})
}

// known reports who holds a token.
func (s *server) known(token string) (auth.Principal, bool) {
	s.tb.Helper()
	p, err := s.host.PrincipalByToken(context.Background(), auth.HashToken(token))
	if err != nil && !errors.Is(err, auth.ErrUnknownToken) {
		s.tb.Fatal(err)
	}
	return p, err == nil
}

func (t *table) code(ctx context.Context, seat string, replace bool) *hanteiv1.PairingCode {
	t.tb.Helper()
	r, err := t.Seat.CreatePairingCode(ctx, &hanteiv1.CreatePairingCodeRequest{TableId: t.id, SeatId: seat, Replace: replace})
	t.ok(err)
	return r.PairingCode
}

// TestPair: a code is exchanged once for a token beside the others.
func TestPair(t *testing.T) {
	s := start(t)
	made, err := s.Table.CreateTable(as(t, auth.Admin), &hanteiv1.CreateTableRequest{Name: "Test", Ruleset: "coc"})
	s.ok(err)
	gm := as(t, auth.Principal{Seat: made.GmSeat.Id, Table: made.Table.Id})
	invited, err := s.Seat.InviteSeat(gm, &hanteiv1.InviteSeatRequest{
		TableId: made.Table.Id, Name: "P", Role: tablev1.SeatRole_SEAT_ROLE_PLAYER, Characters: []string{"nurse"},
	})
	s.ok(err)
	for _, c := range []struct {
		code  *hanteiv1.PairingCode
		seat  *tablev1.Seat
		first string
		typed func(string) string
	}{
		{made.GmPairingCode, made.GmSeat, made.GmToken, strings.ToLower},
		{invited.PairingCode, invited.Seat, invited.Token, func(s string) string { return " " + strings.ReplaceAll(s, "-", "") }},
	} {
		if !regexp.MustCompile(`^[2-9A-HJKMNP-TV-Z]{4}-[2-9A-HJKMNP-TV-Z]{4}$`).MatchString(c.code.GetCode()) {
			t.Errorf("code %q", c.code.GetCode())
		}
		if left := time.Until(c.code.ExpireTime.AsTime()); left < 9*time.Minute || left > 10*time.Minute {
			t.Errorf("it works for %v", left)
		}
		got, err := s.pair(c.typed(c.code.Code))
		s.ok(err)
		same(t, got.Seat, c.seat)
		for _, token := range []string{c.first, got.Token} {
			if p, ok := s.known(token); !ok || p.Seat != c.seat.Id || p.Table != made.Table.Id || got.TableId != made.Table.Id {
				t.Errorf("%v, %v", p, ok)
			}
		}
		_, err = s.pair(c.code.Code)
		refused(t, err, codes.NotFound, "NOT_FOUND")
	}
}

// TestPairTellsNothing: what is wrong, used, expired, replaced, or of a seat that
// is gone has the same answer.
func TestPairTellsNothing(t *testing.T) {
	var c clock
	g := start(t, c.set).table()
	_, wrong := g.pair("2222-2222")
	refused(t, wrong, codes.NotFound, "NOT_FOUND")

	used := g.code(g.nurse, g.nurseSeat, false)
	_, err := g.pair(used.Code)
	g.ok(err)
	_, usedErr := g.pair(used.Code)
	replaced := g.code(g.gm, g.nurseSeat, false)
	gone := g.code(g.gm, g.nurseSeat, false)
	_, replacedErr := g.pair(replaced.Code)
	_, err = g.Seat.RevokeSeat(g.gm, &hanteiv1.RevokeSeatRequest{TableId: g.id, SeatId: g.nurseSeat})
	g.ok(err)
	_, goneErr := g.pair(gone.Code)
	late := g.code(g.gm, g.gmSeat, false)
	c.ahead.Store(int64(10 * time.Minute))
	_, lateErr := g.pair(late.Code)
	_, shapeErr := g.pair("not a code at all")
	for _, err := range []error{usedErr, replacedErr, goneErr, lateErr, shapeErr} {
		sameError(t, err, wrong)
	}
}

// TestPairTooOften: whoever tries too often gets the same answer whatever the
// code, and later another chance.
func TestPairTooOften(t *testing.T) {
	var c clock
	g := start(t, c.set).table()
	code := g.code(g.gm, g.gmSeat, false)
	var err, right error
	for range 100 {
		for range 2000 {
			if _, err = g.pair("2222-2222"); details(err).GetReason() != "NOT_FOUND" {
				break
			}
		}
		refused(t, err, codes.ResourceExhausted, "TOO_MANY_REQUESTS")
		if _, right = g.pair(code.Code); right != nil {
			break
		}
		// On a slow machine there is another chance already, and it was taken.
		code = g.code(g.gm, g.gmSeat, false)
	}
	sameError(t, right, err)
	c.ahead.Store(int64(time.Minute))
	_, err = g.pair(code.Code)
	g.ok(err)
}

// TestPairReplaces: the code of a lost device's successor ends what the lost one
// does.
func TestPairReplaces(t *testing.T) {
	g := start(t).table()
	lost, other := g.watch(g.nurse, ""), g.watch(g.student, "")
	first := lost.next()
	other.next()
	code := g.code(g.nurse, g.nurseSeat, true)
	if _, ok := g.known(g.nurseToken); !ok {
		t.Error("the token died before the code was used")
	}
	got, err := g.pair(code.Code)
	g.ok(err)
	if _, ok := g.known(g.nurseToken); ok {
		t.Error("the token lives")
	}
	if p, ok := g.known(got.Token); !ok || p.Seat != g.nurseSeat {
		t.Error("the new token is unknown")
	}
	info := refused(t, lost.err(), codes.Unauthenticated, "TOKEN_UNKNOWN")
	w := g.watch(g.nurse, info.GetMetadata()["cursor"])
	w.next()
	w.stop()
	if first.Cursor == "" {
		t.Error("no cursor")
	}
	other.nothing()
	other.stop()
}

// err is what a stream ends with; frames before it are dropped.
func (w *watch) err() error {
	w.tb.Helper()
	for {
		select {
		case <-w.frames:
		case err := <-w.done:
			w.cancel()
			return err
		case <-time.After(10 * time.Second):
			w.tb.Fatal("the stream goes on")
		}
	}
}

// TestPairingCodeTokens: a seat does not gather tokens without end.
func TestPairingCodeTokens(t *testing.T) {
	g := start(t).table()
	for range 19 {
		_, err := g.pair(g.code(g.nurse, g.nurseSeat, false).Code)
		g.ok(err)
	}
	_, err := g.Seat.CreatePairingCode(g.nurse, &hanteiv1.CreatePairingCodeRequest{TableId: g.id, SeatId: g.nurseSeat})
	refused(t, err, codes.ResourceExhausted, "TOO_LARGE")
	_, err = g.pair(g.code(g.nurse, g.nurseSeat, true).Code)
	g.ok(err)
	g.code(g.nurse, g.nurseSeat, false)
}

// TestUpdateSeat: what is not named stays, and it is still so after a restart.
func TestUpdateSeat(t *testing.T) {
	g := start(t).table()
	update := func(r *hanteiv1.UpdateSeatRequest) (*tablev1.Seat, error) {
		r.TableId, r.SeatId = g.id, g.nurseSeat
		out, err := g.Seat.UpdateSeat(g.gm, r)
		return out.GetSeat(), err
	}
	want := &tablev1.Seat{Id: g.nurseSeat, Name: "Mia", Role: tablev1.SeatRole_SEAT_ROLE_PLAYER, Characters: []string{"nurse"}}
	got, err := update(&hanteiv1.UpdateSeatRequest{Name: proto.String("Mia")})
	g.ok(err)
	same(t, got, want)
	want.Characters = []string{"officer", "dog"}
	got, err = update(&hanteiv1.UpdateSeatRequest{Characters: &hanteiv1.SeatCharacters{Ids: want.Characters}})
	g.ok(err)
	same(t, got, want)
	_, err = update(&hanteiv1.UpdateSeatRequest{Role: tablev1.SeatRole_SEAT_ROLE_OBSERVER.Enum()})
	refused(t, err, codes.InvalidArgument, "INVALID_FIELD")
	want.Characters, want.Role = nil, tablev1.SeatRole_SEAT_ROLE_OBSERVER
	got, err = update(&hanteiv1.UpdateSeatRequest{Role: want.Role.Enum(), Characters: &hanteiv1.SeatCharacters{}})
	g.ok(err)
	same(t, got, want)
	g.restart()
	got, err = update(&hanteiv1.UpdateSeatRequest{})
	g.ok(err)
	same(t, got, want)
	_, err = update(&hanteiv1.UpdateSeatRequest{Name: proto.String(" ")})
	refused(t, err, codes.InvalidArgument, "INVALID_FIELD")
	_, err = g.Seat.UpdateSeat(g.gm, &hanteiv1.UpdateSeatRequest{TableId: g.id, SeatId: "nonesuchnonesuch"})
	refused(t, err, codes.NotFound, "NOT_FOUND")
}

// TestUpdateSeatIsTold: a character that is given away takes its question with
// it; the next commit shows it to its new owner.
func TestUpdateSeatIsTold(t *testing.T) {
	g := start(t).table().fight()
	g.struck()
	student, nurse, gm := g.watch(g.student, ""), g.watch(g.nurse, ""), g.watch(g.gm, "")
	if f := student.next(); len(f.Prompts) != 1 {
		t.Fatalf("the student is asked %v", f)
	}
	nurse.next()
	gm.next()
	seats, err := g.Seat.ListSeats(g.gm, &hanteiv1.ListSeatsRequest{TableId: g.id})
	g.ok(err)
	studentSeat := seats.Seats[2].Id
	give := func(seat string, characters ...string) {
		_, err := g.Seat.UpdateSeat(g.gm, &hanteiv1.UpdateSeatRequest{TableId: g.id, SeatId: seat, Characters: &hanteiv1.SeatCharacters{Ids: characters}})
		g.ok(err)
	}
	go give(studentSeat)
	if f := student.next(); len(f.Prompts) != 0 || !f.PromptsTold || !f.OffersChanged {
		t.Errorf("the student who has lost it gets %v", f)
	}
	if f := gm.next(); len(f.Prompts) != 1 || !f.OffersChanged {
		t.Errorf("the GM who has it now gets %v", f)
	}
	nurse.next() // it waits for another seat
	go give(g.nurseSeat, "nurse", "student")
	if f := nurse.next(); len(f.Prompts) != 1 || f.Prompts[0].Character != "student" || !f.OffersChanged {
		t.Errorf("the new owner gets %v", f)
	}
	gm.next()
	student.next()
	for _, w := range []*watch{student, nurse, gm} {
		w.stop()
	}
	g.answer(g.nurse, "student", "decline")
	if c, err := g.Character.GetCharacter(g.nurse, &hanteiv1.GetCharacterRequest{TableId: g.id, CharacterId: "student"}); err != nil || len(c.Character.Stats) == 0 {
		t.Errorf("the new owner sees %v, %v", c, err)
	}
}

// TestRoleIsTold: who becomes a GM sees what is the GM's from then on, on the same
// stream, and no longer when that is over.
func TestRoleIsTold(t *testing.T) {
	g := start(t).table()
	g.sample("nurse", "thug")
	w := g.watch(g.nurse, "")
	w.next()
	role := func(r tablev1.SeatRole) {
		_, err := g.Seat.UpdateSeat(g.gm, &hanteiv1.UpdateSeatRequest{TableId: g.id, SeatId: g.nurseSeat, Role: &r})
		g.ok(err)
	}
	hidden := func() { g.act(g.gm, "", rpPoints("thug")) }
	hidden()
	w.nothing()
	role(tablev1.SeatRole_SEAT_ROLE_GM)
	if f := w.next(); !f.OffersChanged {
		t.Errorf("the new GM gets %v", f)
	}
	hidden()
	if f := w.next(); len(f.Events) == 0 {
		t.Errorf("the new GM sees %v", f)
	}
	role(tablev1.SeatRole_SEAT_ROLE_PLAYER)
	w.next()
	hidden()
	w.nothing()
	w.stop()
}

// TestRevokeSeat: tokens die, streams end with their last cursor, and the seat's
// characters are the GM's.
func TestRevokeSeat(t *testing.T) {
	g := start(t).table().fight()
	g.struck()
	seats, err := g.Seat.ListSeats(g.gm, &hanteiv1.ListSeatsRequest{TableId: g.id})
	g.ok(err)
	studentSeat := seats.Seats[2].Id
	paired, err := g.pair(g.code(g.gm, studentSeat, false).Code)
	g.ok(err)
	one, two, gm := g.watch(g.student, ""), g.watch(g.student, "beginning"), g.watch(g.gm, "")
	one.next()
	two.next()
	gm.next()
	_, err = g.Seat.RevokeSeat(g.gm, &hanteiv1.RevokeSeatRequest{TableId: g.id, SeatId: studentSeat})
	g.ok(err)
	if _, ok := g.known(paired.Token); ok {
		t.Error("its token lives")
	}
	for _, w := range []*watch{one, two} {
		if info := refused(t, w.err(), codes.Unauthenticated, "TOKEN_UNKNOWN"); info.GetMetadata()["cursor"] == "" {
			t.Error("no cursor")
		}
	}
	if f := gm.next(); len(f.Prompts) != 1 || f.Prompts[0].Character != "student" {
		t.Errorf("the GM is asked %v", f)
	}
	gm.stop()
	after := func() {
		t.Helper()
		seats, err := g.Seat.ListSeats(g.gm, &hanteiv1.ListSeatsRequest{TableId: g.id})
		g.ok(err)
		if len(seats.Seats) != 2 {
			t.Errorf("seats %v", seats)
		}
		_, err = g.Play.GetView(g.student, &hanteiv1.GetViewRequest{TableId: g.id})
		refused(t, err, codes.NotFound, "NOT_FOUND")
		for _, err := range []error{
			func() error {
				_, err := g.Seat.RevokeSeat(g.gm, &hanteiv1.RevokeSeatRequest{TableId: g.id, SeatId: studentSeat})
				return err
			}(),
			func() error {
				_, err := g.Seat.CreatePairingCode(g.gm, &hanteiv1.CreatePairingCodeRequest{TableId: g.id, SeatId: studentSeat})
				return err
			}(),
		} {
			refused(t, err, codes.NotFound, "NOT_FOUND")
		}
	}
	after()
	g.restart()
	after()
	g.answer(g.gm, "student", "decline")
}

// TestRepeatedAfterRevoke: an answer is the same though a seat that was counted
// is gone and another one came.
func TestRepeatedAfterRevoke(t *testing.T) {
	g := start(t).table().fight()
	g.act(g.nurse, "nurse", endTurn())
	observer, err := g.Seat.InviteSeat(g.gm, &hanteiv1.InviteSeatRequest{TableId: g.id, Name: "O", Role: tablev1.SeatRole_SEAT_ROLE_OBSERVER})
	g.ok(err)
	r := g.request("thug", attack("knife", "nurse"), "1D100=20")
	r.RequestId = "strike"
	first, err := g.Play.Act(g.gm, r)
	g.ok(err)
	_, err = g.Seat.RevokeSeat(g.gm, &hanteiv1.RevokeSeatRequest{TableId: g.id, SeatId: observer.Seat.Id})
	g.ok(err)
	_, err = g.Seat.InviteSeat(g.gm, &hanteiv1.InviteSeatRequest{TableId: g.id, Name: "Second GM", Role: tablev1.SeatRole_SEAT_ROLE_GM})
	g.ok(err)
	for range 2 {
		again, err := g.Play.Act(g.gm, r)
		g.ok(err)
		same(t, again, first)
		g.restart()
	}
}

// TestLastGM: a table keeps a GM.
func TestLastGM(t *testing.T) {
	g := start(t).table()
	revoke := func(by context.Context, seat string) error {
		_, err := g.Seat.RevokeSeat(by, &hanteiv1.RevokeSeatRequest{TableId: g.id, SeatId: seat})
		return err
	}
	role := func(seat string, r tablev1.SeatRole) error {
		_, err := g.Seat.UpdateSeat(g.gm, &hanteiv1.UpdateSeatRequest{TableId: g.id, SeatId: seat, Role: &r})
		return err
	}
	refused(t, revoke(g.gm, g.gmSeat), codes.FailedPrecondition, "LAST_GM")
	refused(t, revoke(g.admin, g.gmSeat), codes.FailedPrecondition, "LAST_GM")
	refused(t, role(g.gmSeat, tablev1.SeatRole_SEAT_ROLE_PLAYER), codes.FailedPrecondition, "LAST_GM")
	g.ok(role(g.nurseSeat, tablev1.SeatRole_SEAT_ROLE_GM))
	g.ok(role(g.gmSeat, tablev1.SeatRole_SEAT_ROLE_PLAYER))
	refused(t, revoke(g.gm, g.nurseSeat), codes.PermissionDenied, "NOT_YOUR_SEAT")
	refused(t, revoke(g.nurse, g.nurseSeat), codes.FailedPrecondition, "LAST_GM")
	g.ok(revoke(g.nurse, g.gmSeat))
	refused(t, revoke(g.gm, g.nurseSeat), codes.NotFound, "NOT_FOUND")
}
