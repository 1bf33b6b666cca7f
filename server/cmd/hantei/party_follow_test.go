package main

import (
	"bytes"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/hantei/hantei/engine/table"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"
)

// follower is a client that knows the table by its first view, and by the changes of the
// events that it is sent since.
type follower struct {
	// way is how it follows: "sse", "ndjson", "grpc", or "poll".
	way    string
	table  *table.Table
	cursor string
	frames <-chan followed
}

// followed is a frame of a stream, and its bytes as JSON.
type followed struct {
	frame *hanteiv1.WatchResponse
	bytes []byte
}

// follow has the players follow from now on, each in another way.
func (p *party) follow() {
	p.t.Helper()
	grpc := dial(p.t, p.s.grpc)
	for i, way := range []string{"sse", "grpc", "ndjson", "poll"} {
		s, v := p.players[i], p.look(p.players[i])
		s.follower = &follower{way: way, table: table.FromState(shown(p.t, v)), cursor: v.Cursor}
		switch way {
		case "sse":
			s.frames = decoded(p.t, watchLines(p.t, p.c.addr, s.token, v.Cursor, "text/event-stream"), "data: ", "")
		case "ndjson":
			s.frames = decoded(p.t, watchLines(p.t, p.c.addr, s.token, v.Cursor, "application/x-ndjson"), `{"result":`, "}")
		case "grpc":
			s.frames = encoded(p.t, watchGRPCFrom(p.t, grpc, s.token, v.Cursor))
		}
	}
}

// decoded are the frames of a stream over HTTP.
func decoded(t *testing.T, lines <-chan []byte, before, after string) <-chan followed {
	out := make(chan followed, 100)
	go func() {
		defer close(out)
		for line := range lines {
			b, ok := bytes.CutPrefix(line, []byte(before))
			if !ok {
				continue
			}
			f := &hanteiv1.WatchResponse{}
			if err := protojson.Unmarshal(bytes.TrimSuffix(b, []byte(after)), f); err != nil {
				t.Errorf("a frame: %v: %s", err, line)
				return
			}
			out <- followed{f, line}
		}
	}()
	return out
}

// encoded are the frames of a stream by gRPC.
func encoded(t *testing.T, frames <-chan *hanteiv1.WatchResponse) <-chan followed {
	out := make(chan followed, 100)
	go func() {
		defer close(out)
		for f := range frames {
			b, err := protojson.Marshal(f)
			if err != nil {
				t.Errorf("a frame: %v", err)
				return
			}
			out <- followed{f, b}
		}
	}()
	return out
}

// catchUp reads all that has happened, and checks it: streams bring the events that are
// listed, which tell of nothing that was not known yet when they came; and whoever applies
// their changes has the table that the view shows.
func (p *party) catchUp() {
	p.t.Helper()
	for _, s := range p.players {
		for _, e := range p.happened(s) {
			for _, c := range e.Changes {
				s.table.Apply(c)
			}
		}
		want, got := shown(p.t, p.look(s)), withoutShells(s.table.State())
		if !proto.Equal(want, got) {
			p.t.Fatalf("%s has another table by %s than the view shows (-view +followed):\n%s",
				s.name, s.way, cmp.Diff(want, got, protocmp.Transform()))
		}
	}
}

// happened are the events since the last time, as they are listed.
func (p *party) happened(s *sitter) []*tablev1.EventView {
	p.t.Helper()
	var all []*tablev1.EventView
	for more := true; more; {
		out := &hanteiv1.ListEventsResponse{}
		r := listEvents(p.table)
		r.path += "?page_size=500&cursor=" + s.cursor
		p.send(s, r, &hanteiv1.ListEventsRequest{}, out)
		all, s.cursor, more = append(all, out.Events...), out.Cursor, out.More
	}
	s.sent = nil
	for _, e := range all {
		p.event(s, e)
	}
	if s.frames == nil {
		return all
	}
	var streamed []*tablev1.EventView
	for timeout := time.After(30 * time.Second); len(streamed) < len(all); {
		select {
		case f, ok := <-s.frames:
			if !ok {
				p.t.Fatalf("%s: the stream has ended", s.name)
			}
			streamed = append(streamed, f.frame.Events...)
			if len(f.frame.Events) > 0 {
				p.unread(s, sent{f.bytes, f.frame}, p.steps[f.frame.Events[0].StepId])
			}
		case <-timeout:
			p.t.Fatalf("%s: %d of %d events came", s.name, len(streamed), len(all))
		}
	}
	for i, e := range all {
		if !proto.Equal(e, streamed[i]) {
			p.t.Errorf("%s: listed is %v, by %s came %v", s.name, e, s.way, streamed[i])
		}
	}
	return all
}

// event checks that a listed event tells of nothing that was not known when it came.
func (p *party) event(s *sitter, e *tablev1.EventView) {
	p.t.Helper()
	b, err := protojson.Marshal(e)
	if err != nil {
		p.t.Fatal(err)
	}
	p.unread(s, sent{b, e}, p.steps[e.StepId])
}

// shown is a view as a state, to which changes are applied: what both have has the same
// names.
func shown(t *testing.T, v *tablev1.TableView) *tablev1.State {
	t.Helper()
	b, err := protojson.Marshal(v)
	s := &tablev1.State{}
	if err == nil {
		err = protojson.UnmarshalOptions{DiscardUnknown: true}.Unmarshal(b, s)
	}
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range v.Characters {
		s.Characters[i].Position = nil
		if c.Position != nil {
			s.Characters[i].Position = &typev1.Position{Square: c.Position}
		}
	}
	if s.Dungeon != nil {
		s.Dungeon.Marks = nil
		for _, m := range v.Dungeon.GetMarks() {
			s.Dungeon.Marks = append(s.Dungeon.Marks, m.Mark)
		}
	}
	return withoutShells(s)
}

// withoutShells is a state without what cannot be told from nothing: shells in which nothing is left.
func withoutShells(s *tablev1.State) *tablev1.State {
	s = proto.CloneOf(s)
	s.Ruleset, s.Pack = "", ""
	if proto.Size(s.Details.GetPersona()) == 0 {
		s.Details = nil
	}
	if proto.Size(s.Dungeon) == 0 {
		s.Dungeon = nil
	}
	for _, c := range s.Characters {
		if proto.Size(c.Details.GetPersona()) == 0 {
			c.Details = nil
		}
	}
	return s
}
