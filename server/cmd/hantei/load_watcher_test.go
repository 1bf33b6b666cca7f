package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
)

// watcher follows a table as one of its seats and keeps what it was told.
type watcher struct {
	l     *load
	stage *stage
	token string
	sse   bool // else gRPC
	// leaves is true if it goes away now and then and comes back, late if it stops
	// reading. How soon these have their frames is their own affair.
	leaves, late bool
	open         func(ctx context.Context, cursor string) (stream, error)

	first   chan struct{} // closed when it is connected
	came    atomic.Int64  // how often it came back
	mu      sync.Mutex
	cut     bool // it was too slow once
	cursor  string
	told    []heard
	reading chan struct{} // closed while it reads
}

// window is how many bytes of a stream may be on their way to a client.
const window = 64 << 10

// heard is an event as a watcher or the log told it.
type heard struct {
	id  string
	sum uint64
	at  time.Time
}

func tell(e *tablev1.EventView) (heard, error) {
	b, err := proto.MarshalOptions{Deterministic: true}.Marshal(e)
	if err != nil {
		return heard{}, err
	}
	h := fnv.New64a()
	_, _ = h.Write(b) // never fails
	return heard{id: e.EventId, sum: h.Sum64(), at: time.Now()}, nil
}

// stream is a Watch that is open.
type stream interface {
	// next is the next frame. A *tooSlow says that the watcher was cut off.
	next() (*hanteiv1.WatchResponse, error)
	close()
}

type tooSlow struct{ cursor string }

func (*tooSlow) Error() string { return "too slow" }

// watch begins to watch: half of all from the beginning, half from where the log
// has come to. It returns when the watcher is connected.
func (l *load) watch(i int, sse, leaves bool, s *stage) *watcher {
	l.t.Helper()
	w := &watcher{
		l: l, stage: s, token: s.gm, sse: sse, leaves: leaves, cursor: "beginning",
		first: make(chan struct{}), reading: make(chan struct{}),
	}
	close(w.reading)
	if i/len(l.stages)%2 == 1 || i%2 == 1 {
		w.token = s.player
	}
	if i%3 == 0 {
		var err error
		if w.told, w.cursor, err = l.log(s, w.token); err != nil {
			l.t.Fatal(err)
		}
	}
	if sse {
		w.open = w.overSSE
	} else {
		// With a window of its own choice, the client would let more and more come that
		// nobody reads.
		c := dial(l.t, l.child.grpc, grpc.WithInitialWindowSize(window), grpc.WithInitialConnWindowSize(window))
		w.open = func(ctx context.Context, cursor string) (stream, error) { return w.overGRPC(ctx, c, cursor) }
	}
	l.watchers = append(l.watchers, w)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := w.run(ctx); err != nil && ctx.Err() == nil {
			l.t.Errorf("a watcher of table %s: %v", s.id, err)
		}
	}()
	l.t.Cleanup(func() {
		cancel()
		<-ended
	})
	select {
	case <-w.first:
	case <-time.After(60 * time.Second):
		l.t.Fatal("a watcher does not get its first frame")
	}
	return w
}

// run watches until the context is done, and goes on where it was after each end
// of a stream.
func (w *watcher) run(ctx context.Context) error {
	for {
		err := w.follow(ctx)
		var slow *tooSlow
		switch {
		case errors.As(err, &slow):
			w.mu.Lock()
			w.cursor = slow.cursor
			w.cut = true
			w.mu.Unlock()
		case err != nil:
			return err
		}
		w.came.Add(1)
	}
}

// follow takes the frames of one stream, all there are or as many as it likes.
func (w *watcher) follow(ctx context.Context) error {
	s, err := w.open(ctx, w.cursor)
	if err != nil {
		return err
	}
	defer s.close()
	likes := -1
	if w.leaves {
		likes = rand.IntN(40)
	}
	for n := 0; n != likes; n++ {
		w.mu.Lock()
		reading := w.reading
		w.mu.Unlock()
		select {
		case <-reading:
		case <-ctx.Done():
			return ctx.Err()
		}
		f, err := s.next()
		if err != nil {
			return err
		}
		if err := w.take(f); err != nil {
			return err
		}
	}
	return nil
}

func (w *watcher) take(f *hanteiv1.WatchResponse) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, e := range f.Events {
		one, err := tell(e)
		if err != nil {
			return err
		}
		w.told = append(w.told, one)
	}
	if len(f.Events) > 0 {
		w.l.frames.Add(1)
	}
	w.cursor = f.Cursor
	select {
	case <-w.first:
	default:
		close(w.first)
	}
	return nil
}

// hold has the watcher read nothing more until release.
func (w *watcher) hold() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.reading = make(chan struct{})
}

func (w *watcher) release() {
	w.mu.Lock()
	defer w.mu.Unlock()
	select {
	case <-w.reading:
	default:
		close(w.reading)
	}
}

// held reports whether the watcher reads nothing.
func (w *watcher) held() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	select {
	case <-w.reading:
		return false
	default:
		return true
	}
}

// wasCut reports whether the watcher was cut off.
func (w *watcher) wasCut() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.cut
}

// last is the id of the last event that the watcher was told of.
func (w *watcher) last() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.told) == 0 {
		return ""
	}
	return w.told[len(w.told)-1].id
}

type grpcStream struct {
	recv   func() (*hanteiv1.WatchResponse, error)
	cancel context.CancelFunc
}

func (w *watcher) overGRPC(ctx context.Context, c direct, cursor string) (stream, error) {
	ctx, cancel := context.WithCancel(ctx)
	s, err := hanteiv1.NewPlayServiceClient(c.conn).Watch(tokenIn(ctx, w.token), &hanteiv1.WatchRequest{Cursor: cursor})
	if err != nil {
		cancel()
		return nil, err
	}
	return grpcStream{s.Recv, cancel}, nil
}

func (s grpcStream) close() { s.cancel() }

func (s grpcStream) next() (*hanteiv1.WatchResponse, error) {
	f, err := s.recv()
	for _, d := range status.Convert(err).Details() {
		if info, ok := d.(*errdetails.ErrorInfo); ok && info.Reason == "TOO_SLOW" {
			return nil, &tooSlow{info.Metadata["cursor"]}
		}
	}
	return f, err
}

type sseStream struct {
	lines *bufio.Scanner
	body  interface{ Close() error }
}

func (w *watcher) overSSE(ctx context.Context, cursor string) (stream, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+w.l.child.http+"/v1/watch?cursor="+cursor, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+w.token)
	req.Header.Set("Accept", "text/event-stream")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	if res.StatusCode != http.StatusOK {
		_ = res.Body.Close()
		return nil, errors.New(res.Status)
	}
	lines := bufio.NewScanner(res.Body)
	lines.Buffer(nil, 1<<20)
	return sseStream{lines, res.Body}, nil
}

func (s sseStream) close() { _ = s.body.Close() }

func (s sseStream) next() (*hanteiv1.WatchResponse, error) {
	failed := false
	for s.lines.Scan() {
		line := s.lines.Text()
		failed = failed || line == "event: error"
		data, ok := strings.CutPrefix(line, "data: ")
		switch {
		case !ok:
			continue
		case failed:
			var why struct{ Reason, Cursor string }
			if err := json.Unmarshal([]byte(data), &why); err != nil {
				return nil, err
			}
			if why.Reason == "TOO_SLOW" {
				return nil, &tooSlow{why.Cursor}
			}
			return nil, errors.New(data)
		}
		f := &hanteiv1.WatchResponse{}
		return f, protojson.Unmarshal([]byte(data), f)
	}
	if err := s.lines.Err(); err != nil {
		return nil, err
	}
	return nil, fmt.Errorf("the stream ends without an end frame")
}

// log is what a seat may see of its table's log, and the cursor behind it.
func (l *load) log(s *stage, token string) ([]heard, string, error) {
	var all []heard
	r := &hanteiv1.ListEventsRequest{TableId: s.id, PageSize: 500}
	for {
		var page hanteiv1.ListEventsResponse
		if err := l.ways[0].call(token, listEvents(s.id), r, &page); err != nil {
			return nil, "", err
		}
		for _, e := range page.Events {
			one, err := tell(e)
			if err != nil {
				return nil, "", err
			}
			all = append(all, one)
		}
		if r.Cursor = page.Cursor; !page.More {
			return all, page.Cursor, nil
		}
	}
}
