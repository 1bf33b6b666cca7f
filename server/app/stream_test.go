package app_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
)

func (s *server) nobodyWatches() {
	s.t.Helper()
	s.eventually("the handler has ended", func() bool { return s.play.watching.Load() == 0 })
}

func TestWatchNDJSON(t *testing.T) {
	s := start(t)
	ctx, cancel := context.WithCancel(t.Context())
	resp, next := s.lines(ctx, "/v1/watch?table_id=t1&cursor=c")
	if resp.StatusCode != 200 || resp.Header.Get("Content-Type") != "application/x-ndjson" {
		t.Fatalf("%d %v", resp.StatusCode, resp.Header)
	}
	for name, want := range map[string]string{"X-Accel-Buffering": "no", "Cache-Control": "no-store"} {
		if got := resp.Header.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	for i := range 3 {
		var line struct{ Result map[string]any }
		text := next()
		if err := json.Unmarshal([]byte(text), &line); err != nil || line.Result["cursor"] != "c1" {
			t.Fatalf("line %d: %s, %v", i, text, err)
		}
		if events := line.Result["events"].([]any); (i == 0) != (len(events) == 1) {
			t.Errorf("line %d: %s", i, text)
		}
	}
	cancel() // the client goes
	s.nobodyWatches()
}

func TestWatchSSE(t *testing.T) {
	s := start(t)
	ctx, cancel := context.WithCancel(t.Context())
	resp, next := s.lines(ctx, "/v1/watch?cursor=old", "Accept: text/html;q=0.5, text/event-stream", "Last-Event-ID: c")
	if resp.StatusCode != 200 || resp.Header.Get("Content-Type") != "text/event-stream" {
		t.Fatalf("%d %v", resp.StatusCode, resp.Header)
	}
	for _, want := range []string{"message", "heartbeat", "heartbeat"} {
		id, event, data, empty := next(), next(), next(), next()
		if id != "id: c1" || event != "event: "+want || !strings.HasPrefix(data, `data: {"cursor":`) || empty != "" {
			t.Fatalf("%q %q %q %q", id, event, data, empty)
		}
	}
	cancel()
	s.nobodyWatches()
}

func TestWatchGRPC(t *testing.T) {
	s := start(t)
	ctx, cancel := context.WithCancel(s.ctx())
	w, err := hanteiv1.NewPlayServiceClient(s.conn).Watch(ctx, &hanteiv1.WatchRequest{Cursor: "c"})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		m, err := w.Recv()
		if err != nil || m.GetCursor() != "c1" || (i == 0) != (len(m.GetEvents()) == 1) {
			t.Fatalf("message %d: %v, %v", i, m, err)
		}
	}
	cancel()
	if _, err := w.Recv(); status.Code(err) != codes.Canceled && err == nil {
		t.Error(err)
	}
	s.nobodyWatches()
}

func TestWatchRefusedAtOnce(t *testing.T) {
	s := start(t)
	for _, accept := range []string{"", "text/event-stream"} {
		a := s.get("/v1/watch?tableId=refused", "Accept: "+accept)
		if a.StatusCode != 404 || a.Header.Get("Content-Type") != "application/json" || a.field("status") != "NOT_FOUND" {
			t.Errorf("%q: %d %v %s", accept, a.StatusCode, a.Header, a.body)
		}
		a = s.get("/v1/watch", "Accept: "+accept, "Authorization: ")
		if a.StatusCode != 401 || a.field("reason") != "TOKEN_MISSING" {
			t.Errorf("%q: %d %s", accept, a.StatusCode, a.body)
		}
		a = s.get("/v1/watch?cursor="+strings.Repeat("x", 9000), "Accept: "+accept)
		if a.StatusCode != 400 || a.field("field") != "cursor" {
			t.Errorf("%q: %d %s", accept, a.StatusCode, a.body)
		}
	}
}

func TestWatchFails(t *testing.T) {
	s := start(t)
	_, next := s.lines(t.Context(), "/v1/watch?table_id=fails")
	next()
	if line := next(); line != `{"error":{"code":11,"status":"OUT_OF_RANGE","message":"fell behind"}}` {
		t.Errorf("NDJSON: %s", line)
	}
	if line := next(); line != "EOF" {
		t.Errorf("NDJSON goes on: %s", line)
	}
	_, next = s.lines(t.Context(), "/v1/watch?table_id=fails", "Accept: text/event-stream")
	for range 4 {
		next()
	}
	if event, data := next(), next(); event != "event: error" || data != `data: {"code":11,"status":"OUT_OF_RANGE","message":"fell behind"}` {
		t.Errorf("SSE: %s %s", event, data)
	}
}

// At shutdown every stream ends with a frame that says so, with the cursor from
// which to go on, whatever the transport.
func TestShutdownEndsStreams(t *testing.T) {
	s := start(t)
	w, err := hanteiv1.NewPlayServiceClient(s.conn).Watch(s.ctx(), &hanteiv1.WatchRequest{Cursor: "c", TableId: []string{"quiet"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Recv(); err != nil {
		t.Fatal(err)
	}
	_, ndjson := s.lines(t.Context(), "/v1/watch?table_id=quiet&cursor=c")
	ndjson()
	_, sse := s.lines(t.Context(), "/v1/watch?table_id=quiet&cursor=c", "Accept: text/event-stream")
	for range 4 {
		sse()
	}

	begin := time.Now()
	if err := s.stop(); err != nil {
		t.Errorf("Run: %v", err)
	}
	if took := time.Since(begin); took > 3*time.Second {
		t.Errorf("took %v", took)
	}

	if m, err := w.Recv(); err != nil || m.GetEndReason() != "SHUTTING_DOWN" || m.GetCursor() != "c1" {
		t.Errorf("gRPC: %v, %v", m, err)
	}
	if _, err := w.Recv(); !errors.Is(err, io.EOF) {
		t.Errorf("gRPC: %v after the end", err)
	}
	if line := ndjson(); !strings.Contains(line, `"endReason":"SHUTTING_DOWN"`) || !strings.Contains(line, `"cursor":"c1"`) || !strings.HasPrefix(line, `{"result":`) {
		t.Errorf("NDJSON: %s", line)
	}
	if line := ndjson(); line != "EOF" {
		t.Errorf("NDJSON: %s after the end", line)
	}
	if id, event := sse(), sse(); id != "id: c1" || event != "event: end" {
		t.Errorf("SSE: %s %s", id, event)
	}
	if got := strings.Join(s.closed, " "); got != "host store" {
		t.Errorf("closed: %s", got)
	}
}
