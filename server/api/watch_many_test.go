package api_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
	"github.com/hantei/hantei/server/api"
	"github.com/hantei/hantei/server/host"
	"github.com/hantei/hantei/server/store/sqlite"
	"github.com/hantei/hantei/server/stream"
	"google.golang.org/grpc/codes"
)

// watchMany starts to watch as a bridge; nothing is buffered between the server and
// the reader.
func (s *server) watchMany(ctx context.Context, cursor string, seats ...string) *watch {
	w := &watch{tb: s.tb, frames: make(chan *hanteiv1.WatchResponse), done: make(chan error, 1)}
	w.wire, w.cancel = context.WithCancel(context.WithoutCancel(ctx))
	w.ctx = joined{ctx, w.wire}.start(s.tb)
	go func() { w.done <- s.Play.Watch(&hanteiv1.WatchRequest{SeatId: seats, Cursor: cursor}, w) }()
	return w
}

// ended is what a stream has come to, when no more frames are expected.
func (w *watch) ended() error {
	w.tb.Helper()
	select {
	case f := <-w.frames:
		w.tb.Fatalf("a frame: %v", f)
	case err := <-w.done:
		return err
	case <-time.After(10 * time.Second):
		w.tb.Fatal("the stream goes on")
	}
	return nil
}

// first reads the frames with which the views of so many seats begin.
func (w *watch) first(seats ...string) *hanteiv1.WatchResponse {
	w.tb.Helper()
	var got []string
	var f *hanteiv1.WatchResponse
	for range seats {
		f = w.next()
		if len(f.Events) > 0 || !f.PromptsTold || f.TableId == "" {
			w.tb.Errorf("first frame %v", f)
		}
		got = append(got, f.SeatId)
	}
	slices.Sort(got)
	want := slices.Clone(seats)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		w.tb.Errorf("first frames of %q, want %q", got, want)
	}
	return f
}

// past are the ids of all events that a caller sees.
func (t *table) past(ctx context.Context) []string {
	t.tb.Helper()
	var ids []string
	cursor := ""
	for {
		r, err := t.Play.ListEvents(ctx, &hanteiv1.ListEventsRequest{TableId: t.id, Cursor: cursor, PageSize: 500})
		t.ok(err)
		ids = append(ids, eventIDs(r.Events)...)
		if cursor = r.Cursor; !r.More {
			return ids
		}
	}
}

func eventIDs(events []*tablev1.EventView) []string {
	var ids []string
	for _, e := range events {
		ids = append(ids, e.EventId)
	}
	return ids
}

// secret does what only the GM sees.
func (t *table) secret() {
	t.tb.Helper()
	r := t.request("thug", check("knife"))
	r.Audience = typev1.Audience_AUDIENCE_GM
	_, err := t.Play.Act(t.gm, r)
	t.ok(err)
}

// spot does what everybody sees.
func (t *table) spot() { t.act(t.nurse, "nurse", check("spot")) }

// tables are some tables with a nurse and a thug, which admit the bridge.
func (s *server) tables(n int, bridge string) []*table {
	s.tb.Helper()
	var all []*table
	for range n {
		g := s.table()
		g.sample("nurse", "thug")
		g.admit(bridge)
		all = append(all, g)
	}
	return all
}

// TestWatchManyResumed: whoever resumes after any frame misses nothing and gets
// nothing twice, of any seat, while all the tables are played.
func TestWatchManyResumed(t *testing.T) {
	s := start(t, func(_ *host.Options, a *api.Options, _ *sqlite.Options) { a.Heartbeat = 20 * time.Millisecond })
	x := s.bridge("X").Id
	all := s.tables(3, x)
	type viewer struct {
		table *table
		ctx   context.Context
	}
	seats := make(map[string]viewer)
	var ids []string
	for _, g := range all {
		for seat, ctx := range map[string]context.Context{g.gmSeat: g.gm, g.nurseSeat: g.nurse} {
			seats[seat] = viewer{g, ctx}
			ids = append(ids, seat)
		}
	}
	const rounds = 60
	played := make(chan struct{}, len(all))
	for i, g := range all {
		go func() {
			random := rand.New(rand.NewPCG(1, uint64(i)))
			for range rounds {
				if random.IntN(3) == 0 {
					g.secret()
				} else {
					g.spot()
				}
			}
			played <- struct{}{}
		}()
	}

	random := rand.New(rand.NewPCG(2, 2))
	got := make(map[string][]string)
	cursor, streams, left := stream.Beginning, 0, len(all)
	var want map[string][]string
	for {
		for range len(played) {
			<-played
			left--
		}
		if left == 0 && want == nil {
			want = make(map[string][]string)
			for seat, v := range seats {
				want[seat] = v.table.past(v.ctx)
			}
		}
		if want != nil && !slices.ContainsFunc(ids, func(id string) bool { return len(got[id]) < len(want[id]) }) {
			break
		}
		w := s.watchMany(calling(x, ""), cursor, ids...)
		streams++
		for range 1 + random.IntN(40) {
			f := w.next()
			if cursor = f.Cursor; f.SeatId == "" {
				break // a heartbeat: it is quiet
			}
			if f.TableId != seats[f.SeatId].table.id || f.Cursor == "" || f.EndReason != "" {
				t.Fatalf("frame %v", f)
			}
			got[f.SeatId] = append(got[f.SeatId], eventIDs(f.Events)...)
		}
		_ = w.stop()
	}
	if streams < 5 {
		t.Errorf("only %d streams", streams)
	}
	for _, id := range ids {
		if !slices.Equal(got[id], want[id]) {
			t.Errorf("seat %s: %d events, want the %d of its history", id, len(got[id]), len(want[id]))
		}
	}
	if s.hub.Watching() != 0 {
		t.Error("somebody still watches")
	}
}

// TestWatchManyLive: what a seat's own stream has, a bridge's has for it.
func TestWatchManyLive(t *testing.T) {
	s := start(t)
	x := s.bridge("X").Id
	g, other := s.table().fight(), s.table()
	g.admit(x)
	other.admit(x, other.gmSeat)
	own := g.watch(g.nurse, "")
	many := s.watchMany(calling(x, ""), "", g.nurseSeat, other.gmSeat)
	single := s.watchMany(calling(x, g.nurseSeat), "")
	want := own.next()
	if want.SeatId != g.nurseSeat {
		t.Errorf("whose view is %v", want)
	}
	many.first(g.nurseSeat, other.gmSeat)
	same(t, bare(single.next()), bare(want))
	done := make(chan int, 1)
	go func() { done <- story(g) }()
	for range 4 {
		want := bare(own.next())
		same(t, bare(many.next()), want)
		same(t, bare(single.next()), want)
	}
	<-done
	for _, w := range []*watch{own, many, single} {
		w.nothing()
		_ = w.stop()
	}
}

// TestWatchManyChanged: seats may be added, which begin now, and left out; a cursor
// goes on with those that it covers.
func TestWatchManyChanged(t *testing.T) {
	s := start(t)
	x := s.bridge("X").Id
	all := s.tables(3, x)
	a, b, c := all[0], all[1], all[2]
	bridge := calling(x, "")
	// read returns the events of each table until all views have told what is asked.
	read := func(cursor string, seats ...string) (map[string]int, string) {
		t.Helper()
		w := s.watchMany(bridge, cursor, seats...)
		defer w.stop()
		events := make(map[string]int)
		for range seats {
			for {
				f := w.next()
				events[f.TableId] += len(f.Events)
				if cursor = f.Cursor; f.PromptsTold {
					break
				}
			}
		}
		return events, cursor
	}
	_, first := read("", a.nurseSeat, b.nurseSeat)
	for _, g := range all {
		g.spot()
	}
	got, second := read(first, a.nurseSeat, c.nurseSeat)
	if got[a.id] == 0 || got[c.id] != 0 {
		t.Errorf("with a seat added and one left out: %v", got)
	}
	got, _ = read(second, a.nurseSeat, b.nurseSeat)
	if got[a.id] != 0 || got[b.id] != 0 {
		t.Errorf("with one that was left out: %v", got)
	}
	got, _ = read(first, a.nurseSeat, b.nurseSeat)
	if got[a.id] == 0 || got[b.id] == 0 {
		t.Errorf("from the first cursor again: %v", got)
	}
	got, _ = read(stream.Beginning, a.nurseSeat, b.gmSeat)
	if got[a.id] != len(a.past(a.nurse)) || got[b.id] != len(b.past(b.gm)) {
		t.Errorf("from the beginning: %v", got)
	}

	// The cursor of one table goes on with its seats, and those of others begin now.
	of := func(ctx context.Context, g *table) string {
		t.Helper()
		r, err := s.Play.ListEvents(ctx, &hanteiv1.ListEventsRequest{TableId: g.id, PageSize: 1})
		s.ok(err)
		return r.Cursor
	}
	got, _ = read(of(calling(x, a.nurseSeat), a), a.nurseSeat, b.nurseSeat)
	if got[a.id] == 0 || got[b.id] != 0 {
		t.Errorf("from a cursor of one table: %v", got)
	}
	err := s.Play.Watch(&hanteiv1.WatchRequest{SeatId: []string{a.nurseSeat}, Cursor: of(c.gm, c)}, &watch{ctx: bridge})
	refused(t, err, codes.InvalidArgument, "BAD_CURSOR")
	err = s.Play.Watch(&hanteiv1.WatchRequest{SeatId: []string{a.nurseSeat}, Cursor: "x"}, &watch{ctx: bridge})
	refused(t, err, codes.InvalidArgument, "BAD_CURSOR")
	// And that of many is one of each that it covers, for whoever has the seat.
	for _, ctx := range []context.Context{a.nurse, calling(x, a.nurseSeat)} {
		r, err := s.Play.ListEvents(ctx, &hanteiv1.ListEventsRequest{TableId: a.id, Cursor: first})
		s.ok(err)
		if len(r.Events) == 0 {
			t.Error("nothing behind the first cursor")
		}
	}
	_, err = s.Play.ListEvents(c.nurse, &hanteiv1.ListEventsRequest{TableId: c.id, Cursor: first})
	refused(t, err, codes.InvalidArgument, "BAD_CURSOR")
}

// TestWatchManyEnds: whatever ends one view, the others go on.
func TestWatchManyEnds(t *testing.T) {
	s := start(t)
	x, y := s.bridge("X").Id, s.bridge("Y").Id
	all := s.tables(4, x)
	a, b, c, d := all[0], all[1], all[2], all[3]
	d.admit(y)
	seats := []string{a.nurseSeat, b.nurseSeat, b.gmSeat, c.gmSeat, c.nurseSeat, d.gmSeat}
	w := s.watchMany(calling(x, ""), "", seats...)
	w.first(seats...)
	bystander := s.watchMany(calling(y, ""), "", d.gmSeat)
	bystander.first(d.gmSeat)

	ends := func(g *table, seat, why string, goesOn bool) string {
		t.Helper()
		f := w.next()
		if f.TableId != g.id || f.SeatId != seat || f.EndReason != why || f.GoesOn != goesOn || f.Cursor == "" || len(f.Events) > 0 {
			t.Errorf("frame %v, want %s of seat %s", f, why, seat)
		}
		return f.Cursor
	}
	other := func(g *table, seat string) string {
		t.Helper()
		g.spot()
		f := w.next()
		if f.SeatId != seat || len(f.Events) == 0 {
			t.Errorf("frame %v, want one of seat %s", f, seat)
		}
		return f.Cursor
	}
	_, err := s.Seat.RevokeSeat(b.gm, &hanteiv1.RevokeSeatRequest{TableId: b.id, SeatId: b.nurseSeat})
	s.ok(err)
	// The GM has the nurse now: two frames, in either order.
	for range 2 {
		f := w.next()
		switch f.SeatId {
		case b.nurseSeat:
			if f.EndReason != "SEAT_REVOKED" || !f.GoesOn {
				t.Errorf("frame %v", f)
			}
		case b.gmSeat:
			if f.EndReason != "" || !f.OffersChanged {
				t.Errorf("frame %v", f)
			}
		default:
			t.Errorf("frame %v", f)
		}
	}
	c.admit(x, c.nurseSeat)
	ends(c, c.gmSeat, "BRIDGE_DISMISSED", true)
	// A new token for a seat is nothing to the bridge.
	code, err := s.Seat.CreatePairingCode(c.gm, &hanteiv1.CreatePairingCodeRequest{TableId: c.id, SeatId: c.nurseSeat, Replace: true})
	s.ok(err)
	_, err = s.Seat.PairSeat(t.Context(), &hanteiv1.PairSeatRequest{Code: code.PairingCode.Code})
	s.ok(err)
	other(c, c.nurseSeat)

	before := other(a, a.nurseSeat)
	s.ok(a.dismiss(x))
	ends(a, a.nurseSeat, "BRIDGE_DISMISSED", true)
	a.spot() // the bridge must not be told now
	last := other(c, c.nurseSeat)
	_, err = s.Table.DeleteTable(c.admin, &hanteiv1.DeleteTableRequest{TableId: c.id})
	s.ok(err)
	ends(c, c.nurseSeat, "TABLE_DELETED", true)
	s.ok(b.dismiss(x))
	ends(b, b.gmSeat, "BRIDGE_DISMISSED", true)
	s.ok(d.dismiss(x))
	final := ends(d, d.gmSeat, "BRIDGE_DISMISSED", false)
	if err := w.ended(); err != nil {
		t.Errorf("with no view left: %v", err)
	}
	w.cancel()
	bystander.nothing()
	_ = bystander.stop()

	// Should it be admitted again, it goes on where it was.
	a.admit(x)
	for name, cursor := range map[string]string{"before": before, "after": last, "last": final} {
		w := s.watchMany(calling(x, ""), cursor, a.nurseSeat)
		if f := w.next(); len(f.Events) == 0 || f.SeatId != a.nurseSeat {
			t.Errorf("%s: frame %v", name, f)
		}
		_ = w.stop()
	}
}

// TestWatchManyDeleted: the streams of a bridge that is removed end at once, and
// nobody else's.
func TestWatchManyDeleted(t *testing.T) {
	s := start(t)
	x, y := s.bridge("X").Id, s.bridge("Y").Id
	all := s.tables(2, x)
	all[0].admit(y)
	seats := []string{all[0].nurseSeat, all[1].gmSeat}
	w, other, own := s.watchMany(calling(x, ""), "", seats...), s.watchMany(calling(y, ""), "", seats[0]), all[0].watch(all[0].nurse, "")
	w.first(seats...)
	other.first(seats[0])
	own.next()
	_, err := s.Bridge.DeleteBridge(all[0].admin, &hanteiv1.DeleteBridgeRequest{BridgeId: x})
	s.ok(err)
	if info := refused(t, w.ended(), codes.Unauthenticated, "TOKEN_UNKNOWN"); info.GetMetadata()["cursor"] == "" {
		t.Errorf("without a cursor: %v", info)
	}
	all[0].spot()
	for _, w := range []*watch{other, own} {
		if f := w.next(); len(f.Events) == 0 {
			t.Errorf("another's frame %v", f)
		}
		_ = w.stop()
	}
	if s.hub.Watching() != 0 {
		t.Error("somebody still watches")
	}
}

// TestWatchManyMissing: seats for which it may not act do not keep a bridge from
// watching the others; whether they are there it is not told.
func TestWatchManyMissing(t *testing.T) {
	s := start(t)
	x := s.bridge("X").Id
	g := s.tables(1, x)[0]
	closed := s.table()
	revoked, _, _ := g.invite("aide")
	_, err := s.Seat.RevokeSeat(g.gm, &hanteiv1.RevokeSeatRequest{TableId: g.id, SeatId: revoked})
	s.ok(err)
	hidden := []string{closed.gmSeat, revoked, "aaaaaaaaaaaaaaaa"}
	w := s.watchMany(calling(x, ""), "", append(slices.Clone(hidden), g.nurseSeat)...)
	for _, seat := range hidden {
		f := w.next()
		same(t, bare(f), &hanteiv1.WatchResponse{SeatId: seat, EndReason: "NOT_FOUND", GoesOn: true})
	}
	w.first(g.nurseSeat)
	_ = w.stop()

	try := func(ctx context.Context, r *hanteiv1.WatchRequest) error { return s.Play.Watch(r, &watch{ctx: ctx}) }
	var many []string
	for i := range 101 {
		many = append(many, fmt.Sprint("seat", i))
	}
	for name, c := range map[string]struct {
		err    error
		code   codes.Code
		reason string
		field  string
	}{
		"none left":      {try(calling(x, ""), &hanteiv1.WatchRequest{SeatId: hidden}), codes.NotFound, "NOT_FOUND", "seat_id"},
		"none named":     {try(calling(x, ""), &hanteiv1.WatchRequest{TableId: []string{g.id}}), codes.InvalidArgument, "SEAT_MISSING", "seat_id"},
		"another table":  {try(calling(x, ""), &hanteiv1.WatchRequest{SeatId: []string{g.gmSeat}, TableId: []string{closed.id}}), codes.NotFound, "NOT_FOUND", "table_id"},
		"another's":      {try(calling(x, g.gmSeat), &hanteiv1.WatchRequest{SeatId: []string{g.nurseSeat}}), codes.PermissionDenied, "NOT_YOUR_SEAT", "seat_id"},
		"a seat's other": {try(g.nurse, &hanteiv1.WatchRequest{SeatId: []string{g.gmSeat}}), codes.PermissionDenied, "NOT_YOUR_SEAT", "seat_id"},
		"twice":          {try(calling(x, ""), &hanteiv1.WatchRequest{SeatId: []string{g.gmSeat, g.gmSeat}}), codes.InvalidArgument, "INVALID_FIELD", "seat_id"},
		"too many":       {try(calling(x, ""), &hanteiv1.WatchRequest{SeatId: many}), codes.ResourceExhausted, "TOO_LARGE", "seat_id"},
	} {
		if info := refused(t, c.err, c.code, c.reason); info.GetMetadata()["field"] != c.field {
			t.Errorf("%s: field %q, want %q", name, info.GetMetadata()["field"], c.field)
		}
	}
	own := s.watchMany(g.nurse, "", g.nurseSeat)
	own.first(g.nurseSeat)
	_ = own.stop()
}

// TestWatchManyHundred: a hundred views, with a cursor that can be sent back.
func TestWatchManyHundred(t *testing.T) {
	s := start(t)
	x := s.bridge("X").Id
	var seats []string
	var last *table
	for len(seats) < 100 {
		last = s.table()
		last.admit(x)
		for range 46 {
			last.invite("aide")
		}
		r, err := s.Seat.ListSeats(calling(x, ""), &hanteiv1.ListSeatsRequest{TableId: last.id})
		s.ok(err)
		for _, seat := range r.Seats {
			if len(seats) < 100 {
				seats = append(seats, seat.Id)
			}
		}
	}
	w := s.watchMany(calling(x, ""), "", seats...)
	cursor := w.first(seats...).Cursor
	_ = w.stop()
	if len(cursor) > 3000 {
		t.Errorf("a cursor of %d characters", len(cursor))
	}
	last.sample("nurse")
	w = s.watchMany(calling(x, ""), cursor, seats...)
	told := 0
	for range seats {
		if f := w.next(); len(f.Events) > 0 {
			told++
			if f.TableId != last.id || len(f.Cursor) != len(cursor) {
				t.Errorf("frame %v", f)
			}
		}
	}
	if want := len(seats) - 2*49; told != want {
		t.Errorf("%d views are told, want %d", told, want)
	}
	_ = w.stop()
}

// TestWatchManyHidden: of what no seat sees, a bridge is told nothing, and its
// cursor has no other length for it.
func TestWatchManyHidden(t *testing.T) {
	s := start(t)
	x := s.bridge("X").Id
	g := s.tables(1, x)[0]
	w := s.watchMany(calling(x, ""), "", g.nurseSeat)
	first := w.first(g.nurseSeat)
	g.secret()
	w.nothing()
	g.spot()
	if f := w.next(); len(f.Events) == 0 || len(f.Cursor) != len(first.Cursor) {
		t.Errorf("frame %v", f)
	}
	_ = w.stop()
}

// TestWatchManyHeartbeat: a quiet stream beats as a whole.
func TestWatchManyHeartbeat(t *testing.T) {
	s := start(t, func(_ *host.Options, a *api.Options, _ *sqlite.Options) { a.Heartbeat = 5 * time.Millisecond })
	x := s.bridge("X").Id
	all := s.tables(2, x)
	seats := []string{all[0].nurseSeat, all[1].nurseSeat}
	w := s.watchMany(calling(x, ""), "", seats...)
	told := 0
	for beats := 0; beats < 3; {
		f := w.next()
		if f.PromptsTold {
			told++
			continue
		}
		beats++
		same(t, bare(f), &hanteiv1.WatchResponse{})
		if told < len(seats) {
			continue // the other view has not begun
		}
		resumed := s.watchMany(calling(x, ""), f.Cursor, seats...)
		resumed.next()
		_ = resumed.stop()
	}
	_ = w.stop()
}

// TestWatchManyTooSlow: who does not read is cut off with the cursor of all views.
func TestWatchManyTooSlow(t *testing.T) {
	s := start(t)
	s.buffer = 4
	s.restart()
	x := s.bridge("X").Id
	all := s.tables(2, x)
	seats := []string{all[0].nurseSeat, all[1].gmSeat}
	w := s.watchMany(calling(x, ""), "", seats...)
	cursor := w.first(seats...).Cursor
	for range 10 {
		all[0].spot()
	}
	all[1].spot()
	got := make(map[string][]string)
	var err error
	for err == nil {
		select {
		case f := <-w.frames:
			got[f.SeatId] = append(got[f.SeatId], eventIDs(f.Events)...)
		case err = <-w.done:
		case <-time.After(5 * time.Second):
			t.Fatal("it is still served")
		}
	}
	info := refused(t, err, codes.ResourceExhausted, "TOO_SLOW")
	if s.hub.Watching() != 0 {
		t.Error("it still watches")
	}
	want := make(map[string][]string)
	for i, c := range []string{cursor, info.GetMetadata()["cursor"]} {
		w := s.watchMany(calling(x, ""), c, seats...)
		for range seats {
			for {
				f := w.next()
				if i == 0 {
					want[f.SeatId] = append(want[f.SeatId], eventIDs(f.Events)...)
				} else {
					got[f.SeatId] = append(got[f.SeatId], eventIDs(f.Events)...)
				}
				if f.PromptsTold {
					break
				}
			}
		}
		_ = w.stop()
	}
	for _, seat := range seats {
		if !slices.Equal(got[seat], want[seat]) || len(want[seat]) == 0 {
			t.Errorf("seat %s: %d events, want %d", seat, len(got[seat]), len(want[seat]))
		}
	}
}

// TestWatchManyShutdown: the last frame says so, with the cursor of all views, and
// the next server goes on from it.
func TestWatchManyShutdown(t *testing.T) {
	for name, end := range map[string]func(*server, context.CancelCauseFunc){
		"hub":   func(s *server, _ context.CancelCauseFunc) { s.hub.Close() },
		"cause": func(_ *server, cancel context.CancelCauseFunc) { cancel(errors.New("the server shuts down")) },
	} {
		t.Run(name, func(t *testing.T) {
			s := start(t)
			x := s.bridge("X").Id
			all := s.tables(2, x)
			seats := []string{all[0].nurseSeat, all[1].gmSeat}
			ctx, cancel := context.WithCancelCause(calling(x, ""))
			defer cancel(nil)
			w := s.watchMany(ctx, "", seats...)
			w.first(seats...)
			end(s, cancel)
			f := w.next()
			if f.EndReason != stream.EndShutdown || f.GoesOn || f.Cursor == "" || f.SeatId != "" {
				t.Errorf("last frame %v", f)
			}
			if err := w.ended(); err != nil {
				t.Errorf("ended with %v", err)
			}
			for _, g := range all {
				g.spot()
			}
			s.restart()
			w = s.watchMany(calling(x, ""), f.Cursor, seats...)
			got := make(map[string]int)
			for range seats {
				f := w.next()
				got[f.SeatId] += len(f.Events)
			}
			for _, seat := range seats {
				if got[seat] == 0 {
					t.Errorf("seat %s misses what was played", seat)
				}
			}
			_ = w.stop()
		})
	}
}
