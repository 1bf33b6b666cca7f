package api_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/google/go-cmp/cmp"
	"github.com/hantei/hantei/engine/coc"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
	"github.com/hantei/hantei/server/api"
	"github.com/hantei/hantei/server/auth"
	"github.com/hantei/hantei/server/host"
	"github.com/hantei/hantei/server/store"
	"github.com/hantei/hantei/server/store/sqlite"
	"github.com/hantei/hantei/server/stream"
	"google.golang.org/protobuf/testing/protocmp"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// game is coc, made once: it does not change.
var game = sync.OnceValue(func() *host.Game {
	g, err := host.NewGame(coc.New, coc.DefaultPack())
	if err != nil {
		panic(err)
	}
	return g
})

// server is a host on a real store, with the services on it.
type server struct {
	*api.Services
	tb    testing.TB
	path  string
	store *sqlite.Store
	host  *host.Host
	hub   *stream.Hub
	alive bool
	// buffer is how many commits may wait for a watcher.
	buffer int
}

type setting func(*host.Options, *api.Options, *sqlite.Options)

func start(tb testing.TB, settings ...setting) *server {
	tb.Helper()
	s := &server{tb: tb, path: filepath.Join(tb.TempDir(), "hantei.db")}
	s.open(settings...)
	tb.Cleanup(s.stop)
	return s
}

func (s *server) open(settings ...setting) {
	s.tb.Helper()
	h := host.Options{Games: []*host.Game{game()}}
	a := api.Options{Heartbeat: time.Hour}
	q := sqlite.Options{Relaxed: true}
	s.hub = stream.NewHub(s.buffer)
	for _, set := range settings {
		set(&h, &a, &q)
	}
	var err error
	if s.store, err = sqlite.Open(context.Background(), s.path, q); err != nil {
		s.tb.Fatal(err)
	}
	h.Store, h.Publisher = s.store, s.hub
	if s.host, err = host.New(context.Background(), h); err != nil {
		s.tb.Fatal(err)
	}
	a.Host, a.Hub = s.host, s.hub
	s.Services = api.New(a)
	s.alive = true
}

func (s *server) stop() {
	if !s.alive {
		return
	}
	s.alive = false
	s.hub.Close()
	if err := s.host.Close(); err != nil {
		s.tb.Error(err)
	}
	if err := s.store.Close(); err != nil {
		s.tb.Error(err)
	}
}

// restart ends the server and starts another one on the same store.
func (s *server) restart(settings ...setting) {
	s.tb.Helper()
	s.stop()
	s.open(settings...)
}

func as(tb testing.TB, p auth.Principal, lang ...string) context.Context {
	ctx := auth.NewContext(context.Background(), p, auth.Hash{})
	if len(lang) > 0 {
		ctx = metadata.NewIncomingContext(ctx, metadata.Pairs("accept-language", lang[0]))
	}
	return ctx
}

// table is a table with a GM and two players: nurse and student, who fight a
// thug. Their dexterity is 13, 7 and 12, so that no die decides the order.
type table struct {
	*server
	id                          string
	admin, gm, nurse, student   context.Context
	gmSeat, nurseSeat, watching string
	gmToken, nurseToken         string
}

func (s *server) table(options ...*tablev1.Option) *table {
	s.tb.Helper()
	t := &table{server: s, admin: as(s.tb, auth.Admin)}
	made, err := s.Table.CreateTable(t.admin, &hanteiv1.CreateTableRequest{Name: "Test", Ruleset: "coc", Options: options})
	s.ok(err)
	t.seat(made.Table.Id, made.GmSeat.Id)
	t.gmToken = made.GmToken
	return t
}

// fixed is a table with known dice.
func (s *server) fixed() *table {
	s.tb.Helper()
	t := &table{server: s, admin: as(s.tb, auth.Admin)}
	made, err := s.host.CreateTable(t.admin, host.Caller{Admin: true}, host.NewTable{
		Name: "Test", Ruleset: "coc", FixedDice: &host.FixedDice{Label: "demo", Seed: [32]byte{2}},
	})
	s.ok(err)
	t.seat(made.Table.ID, made.Seat.Id)
	return t
}

func (t *table) seat(id, gm string) {
	t.tb.Helper()
	t.id, t.gmSeat = id, gm
	t.gm = as(t.tb, auth.Principal{Seat: gm, Table: id})
	t.nurseSeat, t.nurse, t.nurseToken = t.invite("nurse")
	_, t.student, _ = t.invite("student")
}

func (t *table) invite(character string) (string, context.Context, string) {
	t.tb.Helper()
	r, err := t.Seat.InviteSeat(t.gm, &hanteiv1.InviteSeatRequest{
		TableId: t.id, Name: "Player of " + character, Role: tablev1.SeatRole_SEAT_ROLE_PLAYER, Characters: []string{character},
	})
	t.ok(err)
	return r.Seat.Id, as(t.tb, auth.Principal{Seat: r.Seat.Id, Table: t.id}), r.Token
}

// sample brings a sample to the table.
func (t *table) sample(samples ...string) {
	t.tb.Helper()
	for _, name := range samples {
		_, err := t.Character.CreateCharacter(t.gm, &hanteiv1.CreateCharacterRequest{
			TableId: t.id, Source: &hanteiv1.CreateCharacterRequest_Sample{Sample: name},
		})
		t.ok(err)
	}
}

// fight brings the three and begins the fight: it is the nurse's turn.
func (t *table) fight() *table {
	t.tb.Helper()
	t.sample("nurse", "student", "thug")
	t.act(t.gm, "", startCombat("nurse", "student", "thug"))
	return t
}

func (t *table) act(ctx context.Context, actor string, a *cocv1.Action, given ...string) *hanteiv1.ActResponse {
	t.tb.Helper()
	r, err := t.Play.Act(ctx, t.request(actor, a, given...))
	t.ok(err)
	return r
}

func (t *table) request(actor string, a *cocv1.Action, given ...string) *hanteiv1.ActRequest {
	return &hanteiv1.ActRequest{
		TableId: t.id, Actor: actor, GivenDice: given,
		What: &hanteiv1.ActRequest_Action{Action: &tablev1.Action{Ruleset: &tablev1.Action_Coc{Coc: a}}},
	}
}

func (t *table) answer(ctx context.Context, character, choice string, given ...string) *hanteiv1.AnswerResponse {
	t.tb.Helper()
	r, err := t.Play.Answer(ctx, &hanteiv1.AnswerRequest{TableId: t.id, PromptId: "-", GivenDice: given, Answers: []*hanteiv1.SlotAnswer{
		{Character: character, How: &hanteiv1.SlotAnswer_Choice{Choice: choice}},
	}})
	t.ok(err)
	return r
}

// override has the GM write to a sheet.
func (t *table) override(character string, o *tablev1.Operation) *hanteiv1.Outcome {
	t.tb.Helper()
	r, err := t.Play.Override(t.gm, &hanteiv1.OverrideRequest{TableId: t.id, Character: character, Operation: o, Reason: "so be it"})
	t.ok(err)
	return r.Outcome
}

// undo takes back from an event on, or the last action. Whoever verifies the table
// then finds no fault.
func (t *table) undo(ctx context.Context, event string) *hanteiv1.Outcome {
	t.tb.Helper()
	r, err := t.Play.Undo(ctx, &hanteiv1.UndoRequest{TableId: t.id, EventId: event, Reason: "a slip"})
	t.ok(err)
	t.sound()
	return r.Outcome
}

// fenced checks that an undo is refused to a player, and why.
func (t *table) fenced(ctx context.Context, event, why string) {
	t.tb.Helper()
	_, err := t.Play.Undo(ctx, &hanteiv1.UndoRequest{TableId: t.id, EventId: event})
	refused(t.tb, err, codes.FailedPrecondition, "UNDO_FENCED")
	if text := status.Convert(err).Message(); !strings.Contains(text, why) {
		t.tb.Errorf("%q does not say %q", text, why)
	}
}

// struck has the thug strike the nurse: the student is asked for cover.
func (t *table) struck() *hanteiv1.ActResponse {
	t.tb.Helper()
	t.act(t.nurse, "nurse", endTurn())
	return t.act(t.gm, "thug", attack("knife", "nurse"), "1D100=20")
}

func (t *table) view(ctx context.Context) *tablev1.TableView {
	t.tb.Helper()
	r, err := t.Play.GetView(ctx, &hanteiv1.GetViewRequest{TableId: t.id})
	t.ok(err)
	return r.View
}

func (t *table) head() store.Head {
	t.tb.Helper()
	h, err := t.store.Head(context.Background(), t.id)
	t.ok(err)
	return h
}

func (s *server) ok(err error) {
	s.tb.Helper()
	if err != nil {
		s.tb.Fatal(err, details(err))
	}
}

// refused checks code and reason of an error.
func refused(tb testing.TB, err error, code codes.Code, reason string) *errdetails.ErrorInfo {
	tb.Helper()
	info := details(err)
	if status.Code(err) != code || info.GetReason() != reason {
		tb.Errorf("%v (%v), want %v %s", err, info, code, reason)
	}
	return info
}

func details(err error) *errdetails.ErrorInfo {
	for _, d := range status.Convert(err).Details() {
		if info, ok := d.(*errdetails.ErrorInfo); ok {
			return info
		}
	}
	return nil
}

func same(tb testing.TB, got, want proto.Message) {
	tb.Helper()
	if d := cmp.Diff(want, got, protocmp.Transform()); d != "" {
		tb.Errorf("differs (-want +got):\n%s", d)
	}
}

func startCombat(all ...string) *cocv1.Action {
	return &cocv1.Action{Action: &cocv1.Action_StartCombat{StartCombat: &cocv1.StartCombat{Combatants: all}}}
}

func endTurn() *cocv1.Action {
	return &cocv1.Action{Action: &cocv1.Action_EndTurn{EndTurn: &cocv1.EndTurn{}}}
}

func attack(weapon, target string) *cocv1.Action {
	return &cocv1.Action{Action: &cocv1.Action_Attack{Attack: &cocv1.Attack{Weapon: weapon, Target: target}}}
}

func check(skill string) *cocv1.Action {
	return &cocv1.Action{Action: &cocv1.Action_Check{Check: &cocv1.Check{Skill: skill}}}
}

func rpPoints(character string) *cocv1.Action {
	return &cocv1.Action{Action: &cocv1.Action_GmRpPoints{GmRpPoints: &cocv1.RpPoints{Character: character, N: 1}}}
}

func note(text string) *tablev1.Action {
	return &tablev1.Action{Ruleset: &tablev1.Action_Core{Core: &tablev1.CoreAction{Action: &tablev1.CoreAction_Note{Note: &tablev1.Note{Text: text}}}}}
}

// watch is a running Watch.
type watch struct {
	grpc.ServerStream
	tb     testing.TB
	ctx    context.Context // the call's
	wire   context.Context // done when nobody reads any more
	cancel context.CancelFunc
	frames chan *hanteiv1.WatchResponse
	done   chan error
}

func (w *watch) Context() context.Context { return w.ctx }

func (w *watch) Send(f *hanteiv1.WatchResponse) error {
	select {
	case w.frames <- f:
		return nil
	case <-w.wire.Done():
		return w.wire.Err()
	}
}

// joined is a context that ends with the one or the other, for the cause of
// either.
type joined struct{ ctx, wire context.Context }

func (j joined) start(tb testing.TB) context.Context {
	ctx, cancel := context.WithCancelCause(j.ctx)
	stop := context.AfterFunc(j.wire, func() { cancel(context.Canceled) })
	tb.Cleanup(func() { stop(); cancel(nil) })
	return ctx
}

// watch starts to watch; nothing is buffered between the server and the reader.
func (t *table) watch(ctx context.Context, cursor string) *watch {
	w := &watch{tb: t.tb, frames: make(chan *hanteiv1.WatchResponse), done: make(chan error, 1)}
	w.wire, w.cancel = context.WithCancel(context.WithoutCancel(ctx))
	w.ctx = joined{ctx, w.wire}.start(t.tb)
	go func() { w.done <- t.Play.Watch(&hanteiv1.WatchRequest{TableId: []string{t.id}, Cursor: cursor}, w) }()
	return w
}

func (w *watch) next() *hanteiv1.WatchResponse {
	w.tb.Helper()
	select {
	case f := <-w.frames:
		return f
	case err := <-w.done:
		w.tb.Fatalf("the stream ended: %v", err)
	case <-time.After(10 * time.Second):
		w.tb.Fatal("no frame")
	}
	return nil
}

// nothing checks that no frame comes.
func (w *watch) nothing() {
	w.tb.Helper()
	select {
	case f := <-w.frames:
		w.tb.Errorf("a frame: %v", f)
	case <-time.After(50 * time.Millisecond):
	}
}

// stop ends the watch as a client that goes away does.
func (w *watch) stop() error {
	w.cancel()
	for {
		select {
		case <-w.frames:
		case err := <-w.done:
			return err
		}
	}
}

func id(prefix string, i int) string { return fmt.Sprintf("%s-%d", prefix, i) }
