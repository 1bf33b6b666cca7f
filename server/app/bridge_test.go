package app_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protojson"

	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
	"github.com/hantei/hantei/server/stream"
)

// relay is a bridge with the tables that admit it.
type relay struct {
	*realServer
	id, token string
	places    []*place
}

func (w *realServer) relay(tables int) *relay {
	w.t.Helper()
	made, err := hanteiv1.NewBridgeServiceClient(w.conn).CreateBridge(w.holding(w.admin), &hanteiv1.CreateBridgeRequest{Name: "Relay"})
	w.ok(err)
	r := &relay{realServer: w, id: made.Bridge.Id, token: made.Token}
	for range tables {
		p := w.place("")
		_, err := hanteiv1.NewBridgeServiceClient(w.conn).AdmitBridge(w.holding(p.tokens["gm"]), &hanteiv1.AdmitBridgeRequest{
			TableId: p.id, BridgeId: r.id, AllSeats: true,
		})
		w.ok(err)
		r.places = append(r.places, p)
	}
	return r
}

// spot has the nurse of a table do what everybody sees, through the bridge.
func (r *relay) spot(p *place) error {
	_, err := hanteiv1.NewPlayServiceClient(r.conn).Act(r.calling(r.token, p.seats["player"]), &hanteiv1.ActRequest{
		TableId: p.id, Actor: "nurse", What: &hanteiv1.ActRequest_Action{Action: &tablev1.Action{
			Ruleset: &tablev1.Action_Coc{Coc: &cocv1.Action{Action: &cocv1.Action_Check{Check: &cocv1.Check{Skill: "spot"}}}},
		}},
	})
	return err
}

// past are the ids of all events that a seat sees.
func (r *relay) past(p *place, seat string) []string {
	r.t.Helper()
	var ids []string
	for cursor := ""; ; {
		page, err := hanteiv1.NewPlayServiceClient(r.conn).ListEvents(r.calling(r.token, seat), &hanteiv1.ListEventsRequest{
			TableId: p.id, Cursor: cursor, PageSize: 500,
		})
		r.ok(err)
		ids = append(ids, idsOf(page.Events)...)
		if cursor = page.Cursor; !page.More {
			return ids
		}
	}
}

func idsOf(events []*tablev1.EventView) []string {
	var ids []string
	for _, e := range events {
		ids = append(ids, e.EventId)
	}
	return ids
}

// reading is a stream that is read: next returns its frames with the name that
// server-sent events give them, and in the end io.EOF or what it failed with.
type reading struct {
	next func() (frame *hanteiv1.WatchResponse, kind string, err error)
	stop func()
}

// transports are the ways to watch. Each resumes from a cursor in its own way.
var transports = map[string]func(r *relay, cursor string, seats []string) reading{
	"gRPC": func(r *relay, cursor string, seats []string) reading {
		ctx, cancel := context.WithCancel(r.holding(r.token))
		s, err := hanteiv1.NewPlayServiceClient(r.conn).Watch(ctx, &hanteiv1.WatchRequest{SeatId: seats, Cursor: cursor})
		r.ok(err)
		return reading{func() (*hanteiv1.WatchResponse, string, error) {
			f, err := s.Recv()
			return f, "", err
		}, cancel}
	},
	"NDJSON": func(r *relay, cursor string, seats []string) reading {
		lines, stop := r.lines(cursor, seats)
		return reading{func() (*hanteiv1.WatchResponse, string, error) {
			line, err := lines()
			if err != nil {
				return nil, "", err
			}
			data, ok := strings.CutPrefix(line, `{"result":`)
			if !ok {
				return nil, "", errors.New(line)
			}
			f := &hanteiv1.WatchResponse{}
			return f, "", protojson.Unmarshal([]byte(strings.TrimSuffix(data, "}")), f)
		}, stop}
	},
	"SSE": func(r *relay, cursor string, seats []string) reading {
		// The URL stays that of the first time, as in a page that comes back.
		lines, stop := r.lines(stream.Beginning, seats, "Accept", "text/event-stream", "Last-Event-ID", cursor)
		return reading{func() (*hanteiv1.WatchResponse, string, error) {
			fields := map[string]string{}
			for {
				line, err := lines()
				if err != nil {
					return nil, "", err
				}
				if line == "" {
					break
				}
				name, value, _ := strings.Cut(line, ": ")
				fields[name] = value
			}
			if fields["event"] == "error" {
				return nil, "", errors.New(fields["data"])
			}
			f := &hanteiv1.WatchResponse{}
			if err := protojson.Unmarshal([]byte(fields["data"]), f); err != nil {
				return nil, "", err
			}
			if f.Cursor != fields["id"] {
				return nil, "", errors.New("an event whose id is not its cursor")
			}
			return f, fields["event"], nil
		}, stop}
	},
}

// lines opens a stream over HTTP; headers are names and values.
func (r *relay) lines(cursor string, seats []string, headers ...string) (next func() (string, error), stop func()) {
	r.t.Helper()
	ctx, cancel := context.WithCancel(r.t.Context())
	query := url.Values{"seat_id": seats, "cursor": {cursor}}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, r.url+"/v1/watch?"+query.Encode(), nil)
	r.ok(err)
	req.Header.Set("Authorization", "Bearer "+r.token)
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Do(req)
	r.ok(err)
	if resp.StatusCode != http.StatusOK {
		b, _ := io.ReadAll(resp.Body)
		r.t.Fatalf("%d %s", resp.StatusCode, b)
	}
	scan := bufio.NewScanner(resp.Body)
	scan.Buffer(nil, 1<<20)
	return func() (string, error) {
			if scan.Scan() {
				return scan.Text(), nil
			}
			return "", errors.Join(scan.Err(), io.EOF)
		}, func() {
			cancel()
			resp.Body.Close()
		}
}

// TestBridgeResumes: over every transport, a bridge that comes back after any frame
// misses nothing of its tables while they are played, and gets nothing twice.
func TestBridgeResumes(t *testing.T) {
	for name, open := range transports {
		t.Run(name, func(t *testing.T) {
			leaks := goleak.IgnoreCurrent()
			t.Cleanup(func() { goleak.VerifyNone(t, leaks) })
			r := startReal(t).relay(3)
			of := make(map[string]*place)
			var seats []string
			for _, p := range r.places {
				for _, who := range []string{"gm", "player", "observer"} {
					of[p.seats[who]] = p
					seats = append(seats, p.seats[who])
				}
			}
			const rounds = 25
			played := make(chan error, len(r.places))
			for _, p := range r.places {
				go func() {
					var err error
					for i := 0; i < rounds && err == nil; i++ {
						err = r.spot(p)
					}
					played <- err
				}()
			}
			random := rand.New(rand.NewPCG(3, 3))
			got := make(map[string][]string)
			cursor, left := stream.Beginning, len(r.places)
			var want map[string][]string
			for {
				for range len(played) {
					r.ok(<-played)
					left--
				}
				if left == 0 && want == nil {
					want = make(map[string][]string)
					for seat, p := range of {
						want[seat] = r.past(p, seat)
					}
				}
				if want != nil && !slices.ContainsFunc(seats, func(id string) bool { return len(got[id]) < len(want[id]) }) {
					break
				}
				s := open(r, cursor, seats)
				for range 1 + random.IntN(60) {
					f, _, err := s.next()
					r.ok(err)
					if f.Cursor == "" || f.EndReason != "" || f.SeatId != "" && f.TableId != of[f.SeatId].id {
						t.Fatalf("frame %v", f)
					}
					got[f.SeatId] = append(got[f.SeatId], idsOf(f.Events)...)
					cursor = f.Cursor
					if f.SeatId == "" {
						break // a heartbeat: it is quiet
					}
				}
				s.stop()
			}
			for _, id := range seats {
				if !slices.Equal(got[id], want[id]) {
					t.Errorf("seat %s: %d events, want the %d of its history", id, len(got[id]), len(want[id]))
				}
			}
		})
	}
}

// TestBridgeStreamEnds: over every transport, a dismissal and a deletion end what
// they are about, and the shutdown ends the rest, with the cursor of all.
func TestBridgeStreamEnds(t *testing.T) {
	for name, open := range transports {
		t.Run(name, func(t *testing.T) {
			leaks := goleak.IgnoreCurrent()
			t.Cleanup(func() { goleak.VerifyNone(t, leaks) })
			w := startReal(t)
			r := w.relay(3)
			a, b, c := r.places[0], r.places[1], r.places[2]
			seats := []string{a.seats["gm"], b.seats["player"], c.seats["observer"]}
			s := open(r, stream.Beginning, seats)
			defer s.stop()
			for told := 0; told < len(seats); {
				f, _, err := s.next()
				r.ok(err)
				if f.PromptsTold {
					told++
				}
			}
			// next passes over heartbeats.
			next := func() (*hanteiv1.WatchResponse, string) {
				t.Helper()
				for {
					f, kind, err := s.next()
					r.ok(err)
					if f.EndReason != "" || f.SeatId != "" {
						return f, kind
					}
				}
			}
			ends := func(p *place, seat, why string) {
				t.Helper()
				f, kind := next()
				if f.TableId != p.id || f.SeatId != seat || f.EndReason != why || !f.GoesOn || kind != "" && kind != "message" {
					t.Errorf("%s: frame %v", kind, f)
				}
			}
			plays := func(p *place, seat string) string {
				t.Helper()
				r.ok(r.spot(p))
				f, _ := next()
				if f.SeatId != seat || len(f.Events) == 0 {
					t.Errorf("frame %v", f)
				}
				return f.Cursor
			}
			plays(a, seats[0])
			_, err := hanteiv1.NewBridgeServiceClient(w.conn).DismissBridge(w.holding(a.tokens["gm"]), &hanteiv1.DismissBridgeRequest{TableId: a.id, BridgeId: r.id})
			r.ok(err)
			ends(a, seats[0], "BRIDGE_DISMISSED")
			if err := r.spot(a); outcome(err) != "NOT_FOUND" {
				t.Errorf("a dismissed bridge plays: %v", err)
			}
			plays(b, seats[1])
			_, err = hanteiv1.NewTableServiceClient(w.conn).DeleteTable(w.holding(w.admin), &hanteiv1.DeleteTableRequest{TableId: b.id})
			r.ok(err)
			ends(b, seats[1], "TABLE_DELETED")
			last := plays(c, seats[2])
			if err := w.stop(); err != nil {
				t.Error(err)
			}
			f, kind := next()
			if f.EndReason != "SHUTTING_DOWN" || f.GoesOn || len(f.Cursor) != len(last) || kind != "" && kind != "end" {
				t.Errorf("%s: last frame %v", kind, f)
			}
			if f, _, err := s.next(); !errors.Is(err, io.EOF) {
				t.Errorf("after the end: %v, %v", f, err)
			}
		})
	}
}

// TestBridgeTooSlow: a bridge that does not read is cut off, and has missed nothing
// when it goes on from the cursor that it is told.
func TestBridgeTooSlow(t *testing.T) {
	r := startReal(t).relay(1)
	p := r.places[0]
	seats := []string{p.seats["gm"], p.seats["player"]}
	s := transports["gRPC"](r, stream.Beginning, seats)
	defer s.stop()
	// More than may wait for each seat, and than fits into what lies in between.
	for range 450 {
		r.ok(r.spot(p))
	}
	got := make(map[string][]string)
	read := func(s reading, until func(*hanteiv1.WatchResponse) bool) error {
		for {
			f, _, err := s.next()
			if err != nil {
				return err
			}
			got[f.SeatId] = append(got[f.SeatId], idsOf(f.Events)...)
			if until(f) {
				return nil
			}
		}
	}
	err := read(s, func(*hanteiv1.WatchResponse) bool { return false })
	cursor := ""
	for _, d := range status.Convert(err).Details() {
		if info, ok := d.(*errdetails.ErrorInfo); ok {
			cursor = info.Metadata["cursor"]
		}
	}
	if outcome(err) != "TOO_SLOW" || cursor == "" {
		t.Fatalf("it ended with %v", err)
	}
	rest := transports["gRPC"](r, cursor, seats)
	defer rest.stop()
	told := 0
	r.ok(read(rest, func(f *hanteiv1.WatchResponse) bool {
		if f.PromptsTold {
			told++
		}
		return told == len(seats)
	}))
	for _, seat := range seats {
		if want := r.past(p, seat); !slices.Equal(got[seat], want) {
			t.Errorf("seat %s: %d events, want %d", seat, len(got[seat]), len(want))
		}
	}
}

// TestBridgeREST: the header names the seat over REST, too.
func TestBridgeREST(t *testing.T) {
	r := startReal(t).relay(1)
	p := r.places[0]
	view := func(seat string) (int, string) {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, r.url+"/v1/tables/"+p.id+"/view", nil)
		r.ok(err)
		req.Header.Set("Authorization", "Bearer "+r.token)
		if seat != "" {
			req.Header.Set("Hantei-Seat", seat)
		}
		client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
		resp, err := client.Do(req)
		r.ok(err)
		defer resp.Body.Close()
		b, err := io.ReadAll(resp.Body)
		r.ok(err)
		return resp.StatusCode, string(b)
	}
	if code, body := view(p.seats["player"]); code != http.StatusOK || !strings.Contains(body, `"nurse"`) {
		t.Errorf("%d %s", code, body)
	}
	for seat, want := range map[string]string{"": `"reason":"SEAT_MISSING"`, p.seats["revoked"]: `"reason":"NOT_YOUR_SEAT"`} {
		if code, body := view(seat); code == http.StatusOK || !strings.Contains(body, want) || !strings.Contains(body, "Hantei-Seat") {
			t.Errorf("%q: %d %s", seat, code, body)
		}
	}
}
