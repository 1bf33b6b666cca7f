package api_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
	"github.com/hantei/hantei/server/api"
	"github.com/hantei/hantei/server/auth"
	"github.com/hantei/hantei/server/host"
	"github.com/hantei/hantei/server/store/sqlite"
	"github.com/hantei/hantei/server/stream"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"
)

// story plays something and returns how many commits a nurse sees of it.
func story(g *table) int {
	g.act(g.nurse, "nurse", endTurn())
	g.act(g.gm, "", rpPoints("thug")) // hidden
	g.act(g.gm, "thug", attack("knife", "nurse"), "1D100=20")
	g.answer(g.student, "student", "decline")
	g.answer(g.gm, "nurse", "none", "1D4=1", "1D4=1")
	g.act(g.gm, "", rpPoints("thug")) // hidden
	return 4
}

// bare is a frame as it compares: cursors differ whenever they are made.
func bare(f *hanteiv1.WatchResponse) *hanteiv1.WatchResponse {
	f = proto.Clone(f).(*hanteiv1.WatchResponse)
	f.Cursor = ""
	return f
}

// TestWatchLive: what is sent live is what is sent later from the log, and what
// a reader gets who resumes anywhere.
func TestWatchLive(t *testing.T) {
	g := start(t).table().fight()
	w := g.watch(g.nurse, "")
	first := w.next()
	if len(first.Events) != 0 || !first.PromptsTold || first.Cursor == "" || first.TableId != g.id {
		t.Fatalf("first frame %v", first)
	}
	done := make(chan int, 1)
	go func() { done <- story(g) }()
	var live []*hanteiv1.WatchResponse
	for range 4 {
		f := w.next()
		if len(f.Events) == 0 || !f.PromptsTold || !f.OffersChanged {
			t.Errorf("frame %v", f)
		}
		live = append(live, f)
	}
	<-done
	w.nothing()
	if err := w.stop(); err == nil {
		t.Error("a client that goes away")
	}
	if len(live[2].Prompts) != 1 || live[2].Prompts[0].Name != "defend" || len(live[2].WaitingOn) != 1 {
		t.Errorf("asked of the nurse: %v", live[2])
	}
	if len(live[3].Prompts) != 0 {
		t.Errorf("still asked: %v", live[3].Prompts)
	}

	cursors := []string{first.Cursor}
	for _, f := range live {
		cursors = append(cursors, f.Cursor)
	}
	for i, cursor := range cursors {
		w := g.watch(g.nurse, cursor)
		for k, want := range live[i:] {
			got, want := bare(w.next()), bare(want)
			// What is asked is told with the newest that the seat sees, not before.
			if newest := i+k == len(live)-1; got.PromptsTold != newest {
				t.Errorf("frame %d: prompts told is %v", i+k, got.PromptsTold)
			}
			got.PromptsTold, got.Prompts, got.WaitingOn = false, nil, nil
			want.PromptsTold, want.Prompts, want.WaitingOn = false, nil, nil
			same(t, got, want)
		}
		if i == len(cursors)-1 {
			// Nothing was missed: what is asked is told.
			if f := w.next(); len(f.Events) != 0 || !f.PromptsTold {
				t.Errorf("frame %v", f)
			}
		}
		w.nothing()
		w.stop()
	}
}

// TestWatchBeginning: the whole history is what ListEvents has.
func TestWatchBeginning(t *testing.T) {
	g := start(t).table().fight()
	story(g)
	for name, ctx := range map[string]context.Context{"gm": g.gm, "nurse": g.nurse} {
		list, err := g.Play.ListEvents(ctx, &hanteiv1.ListEventsRequest{TableId: g.id, PageSize: 500})
		g.ok(err)
		w := g.watch(ctx, stream.Beginning)
		var got []*tablev1.EventView
		for len(got) < len(list.Events) {
			got = append(got, w.next().Events...)
		}
		same(t, &hanteiv1.ListEventsResponse{Events: got}, &hanteiv1.ListEventsResponse{Events: list.Events})
		w.nothing()
		w.stop()
		if t.Failed() {
			t.Fatal(name)
		}
	}
}

// TestWatchWhilePlayed: a reader who begins while the table is played misses
// nothing and gets nothing twice.
func TestWatchWhilePlayed(t *testing.T) {
	g := start(t).table()
	g.sample("nurse")
	const n = 200
	go func() {
		for range n {
			g.act(g.nurse, "nurse", check("spot"))
		}
	}()
	var watches []*watch
	for range 5 {
		watches = append(watches, g.watch(g.student, stream.Beginning))
		time.Sleep(3 * time.Millisecond)
	}
	for _, w := range watches {
		seen := map[string]bool{}
		for checks := 0; checks < n; {
			for _, e := range w.next().Events {
				if seen[e.EventId] {
					t.Fatal("an event twice")
				}
				seen[e.EventId] = true
				if e.Name == "check_resolved" {
					checks++
				}
			}
		}
		w.stop()
	}
}

// TestWatchHidden: a commit of which the seat sees nothing sends nothing.
func TestWatchHidden(t *testing.T) {
	g := start(t).table()
	g.sample("nurse", "thug")
	player, gm := g.watch(g.nurse, ""), g.watch(g.gm, "")
	player.next()
	gm.next()
	r := g.request("thug", check("knife"))
	r.Audience = typev1.Audience_AUDIENCE_GM
	_, err := g.Play.Act(g.gm, r)
	g.ok(err)
	if f := gm.next(); len(f.Events) == 0 {
		t.Errorf("the GM gets %v", f)
	}
	player.nothing()
	player.stop()
	gm.stop()
}

// TestWatchInvite: a new seat takes over what the GM was asked.
func TestWatchInvite(t *testing.T) {
	g := start(t).table()
	g.sample("nurse", "thug", "student")
	// The aide has no seat, so that the GM is asked for it.
	_, err := g.Character.CreateCharacter(g.gm, &hanteiv1.CreateCharacterRequest{TableId: g.id, CharacterId: "aide", Source: &hanteiv1.CreateCharacterRequest_Sheet{
		Sheet: &tablev1.SheetInput{Kind: tablev1.CharacterKind_CHARACTER_KIND_PC, Stats: []*tablev1.StatInput{{Key: "dex", Value: 8}}},
	}})
	g.ok(err)
	g.act(g.gm, "", &cocv1.Action{Action: &cocv1.Action_GmApprove{GmApprove: &cocv1.Approve{Character: "aide"}}})
	g.act(g.gm, "", startCombat("nurse", "aide", "student", "thug"))
	g.struck()
	w := g.watch(g.gm, "")
	if f := w.next(); len(f.Prompts) != 1 || f.Prompts[0].Character != "aide" {
		t.Fatalf("the GM is asked %v", f)
	}
	g.invite("aide")
	if f := w.next(); len(f.Prompts) != 0 || len(f.WaitingOn) != 2 || !f.OffersChanged {
		t.Errorf("after the invitation: %v", f)
	}
	w.stop()
}

// TestWatchHeartbeat: a quiet stream beats, each time with a cursor.
func TestWatchHeartbeat(t *testing.T) {
	s := start(t, func(_ *host.Options, a *api.Options, _ *sqlite.Options) { a.Heartbeat = 5 * time.Millisecond })
	g := s.table()
	w := g.watch(g.nurse, "")
	w.next()
	for range 3 {
		f := w.next()
		if f.Cursor == "" || len(f.Events) > 0 || f.PromptsTold || f.EndReason != "" {
			t.Errorf("heartbeat %v", f)
		}
		resumed := g.watch(g.nurse, f.Cursor)
		resumed.next()
		resumed.stop()
	}
	w.stop()
}

// TestWatchTooSlow: who does not read is cut off, and told from where to go on.
func TestWatchTooSlow(t *testing.T) {
	s := start(t)
	s.buffer = 4
	s.restart()
	g := s.table()
	g.sample("nurse")
	w := g.watch(g.nurse, "")
	w.next()
	before := g.view(g.gm).Cursor
	for range 10 {
		g.act(g.nurse, "nurse", check("spot"))
	}
	read := 0
	var err error
	for err == nil {
		select {
		case f := <-w.frames:
			read += len(f.Events)
		case err = <-w.done:
		case <-time.After(5 * time.Second):
			t.Fatal("it is still served")
		}
	}
	info := refused(t, err, codes.ResourceExhausted, "TOO_SLOW")
	cursor := info.GetMetadata()["cursor"]
	rest, err := g.Play.ListEvents(g.nurse, &hanteiv1.ListEventsRequest{TableId: g.id, Cursor: cursor})
	g.ok(err)
	all, err := g.Play.ListEvents(g.nurse, &hanteiv1.ListEventsRequest{TableId: g.id, Cursor: before})
	g.ok(err)
	if read+len(rest.Events) != len(all.Events) || len(rest.Events) == 0 {
		t.Errorf("%d events were read and %d are left, of %d", read, len(rest.Events), len(all.Events))
	}
	if s.hub.Watching() != 0 {
		t.Error("it still watches")
	}
	w.cancel()
}

// TestWatchShutdown: the last frame says so, with the cursor.
func TestWatchShutdown(t *testing.T) {
	for name, end := range map[string]func(*server, context.CancelCauseFunc){
		"hub":   func(s *server, _ context.CancelCauseFunc) { s.hub.Close() },
		"cause": func(_ *server, cancel context.CancelCauseFunc) { cancel(errors.New("the server shuts down")) },
	} {
		t.Run(name, func(t *testing.T) {
			s := start(t)
			g := s.table()
			g.sample("nurse")
			ctx, cancel := context.WithCancelCause(g.nurse)
			defer cancel(nil)
			w := g.watch(ctx, "")
			w.next()
			end(s, cancel)
			if f := w.next(); f.EndReason != stream.EndShutdown || f.Cursor == "" {
				t.Errorf("last frame %v", f)
			}
			if err := <-w.done; err != nil {
				t.Errorf("ended with %v", err)
			}
		})
	}
}

// TestWatchMany has many watch while many play.
func TestWatchMany(t *testing.T) {
	s := start(t)
	g := s.table()
	g.sample("nurse", "student", "thug")
	const each = 30
	var watches []*watch
	for i := range 6 {
		ctx := []context.Context{g.gm, g.nurse, g.student}[i%3]
		w := g.watch(ctx, "")
		w.next()
		watches = append(watches, w)
	}
	type player struct {
		ctx context.Context
		who string
	}
	done := make(chan error)
	players := []player{{g.gm, "thug"}, {g.nurse, "nurse"}, {g.student, "student"}}
	for _, p := range players {
		go func() {
			for i := range each {
				r := g.request(p.who, &cocv1.Action{Action: &cocv1.Action_Check{Check: &cocv1.Check{Skill: "dodge"}}})
				r.RequestId = fmt.Sprint(p.who, i)
				_, err := g.Play.Act(p.ctx, r)
				if err == nil {
					_, err = g.Play.GetView(p.ctx, &hanteiv1.GetViewRequest{TableId: g.id})
				}
				if err != nil {
					done <- err
					return
				}
			}
			done <- nil
		}()
	}
	counted := make(chan int)
	for _, w := range watches {
		go func() {
			n := 0
			for n < each*len(players) {
				for _, e := range w.next().Events {
					if e.Name == "check_resolved" {
						n++
					}
				}
			}
			counted <- n
		}()
	}
	for range players {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	for range watches {
		<-counted
	}
	for _, w := range watches {
		w.stop()
	}
	if s.hub.Watching() != 0 {
		t.Error("somebody still watches")
	}
}

// A token that dies between being shown and the subscription opens no stream: its
// death was told when nobody listened.
func TestWatchWithADeadToken(t *testing.T) {
	g := start(t).table()
	shown := auth.NewContext(context.Background(), auth.Principal{Seat: g.nurseSeat, Table: g.id}, auth.HashToken(g.nurseToken))
	w := g.watch(shown, "")
	w.next()
	w.stop()
	if _, err := g.pair(g.code(g.nurse, g.nurseSeat, true).Code); err != nil {
		t.Fatal(err)
	}
	late := g.watch(shown, "")
	select {
	case f := <-late.frames:
		t.Errorf("a frame: %v", f)
		late.stop()
	case err := <-late.done:
		refused(t, err, codes.Unauthenticated, "TOKEN_UNKNOWN")
	}
}
