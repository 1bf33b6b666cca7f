package stream

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/hantei/hantei/engine/rule"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"github.com/hantei/hantei/server/host"
	"github.com/hantei/hantei/server/store"
)

// Why a part of a bridge's stream ends besides what package host says.
const (
	// EndUnknown is the end reason of a seat for which the bridge may not act to
	// begin with.
	EndUnknown = "NOT_FOUND"
	// EndBroken is the end reason of a seat whose table cannot be read.
	EndBroken = "INTERNAL"
)

// beginners is how many tables are loaded at once for a stream.
const beginners = 8

// WatchMany sends frames to a bridge, of the views of many seats in one stream. Each
// view is a part of the stream: its frames keep their order, those of different
// parts come as they come, and the parts that can go on do so when one ends. The
// cursor of each frame covers all parts. Seats in missing are those that the bridge
// named and may not watch.
//
// It ends as Watch does, and when no part is left.
func (w *Watcher) WatchMany(ctx context.Context, all []host.Caller, missing []string, from string, send func(*Frame) error) error {
	within, cancel := context.WithCancel(ctx)
	beat := time.NewTicker(w.Heartbeat)
	defer beat.Stop()
	m := &many{
		w: w, beat: beat, cancel: cancel, send: send,
		handed: make(chan handed), ended: make(chan ended, len(all)),
	}
	defer m.stop()
	for _, by := range all {
		m.parts = append(m.parts, m.part(within, by))
	}
	lost, err := m.begin(ctx, missing, from)
	if err != nil {
		return m.end(ctx, err)
	}
	m.begun = true
	for _, f := range lost {
		if err := m.emit(f); err != nil {
			return m.end(ctx, err)
		}
	}
	for _, p := range m.parts {
		m.running.Go(func() { m.ended <- ended{p, p.guard(func() error { return p.run(within) })} })
	}
	return m.end(ctx, m.run(ctx))
}

// many is a stream of many parts. Its own goroutine alone sends; each part has
// another, which hands over its frames and ends with the stream at the latest.
type many struct {
	w       *Watcher
	send    func(*Frame) error
	beat    *time.Ticker
	cancel  context.CancelFunc
	running sync.WaitGroup
	parts   []*part // those that have not ended
	begun   bool
	// rest are the marks of what is not watched, or not any more: should it come
	// back, its reader misses nothing.
	rest   []host.Mark
	handed chan handed
	ended  chan ended // has room for all
}

// part is the watch of one seat.
type part struct {
	*session
	place host.Place
	taken chan error // the answer to what was handed over; has room for it
}

// handed is a frame that a part hands over to be sent, ended says how a part has
// ended.
type (
	handed struct {
		part  *part
		frame *Frame
	}
	ended struct {
		part *part
		err  error
	}
)

// part subscribes to a table. A part goes on when its frame has been sent, so that
// what it has read beyond belongs into later cursors only.
func (m *many) part(within context.Context, by host.Caller) *part {
	p := &part{session: m.w.session(by), place: m.w.Tables.Place(by.Seat), taken: make(chan error, 1)}
	p.send = func(f *Frame) error {
		select {
		case m.handed <- handed{p, f}:
		case <-within.Done():
			return within.Err()
		}
		select {
		case err := <-p.taken:
			return err
		case <-within.Done(): // whether it was sent is known to the one that sends
			return within.Err()
		}
	}
	return p
}

// guard runs what a part does outside of the call's own goroutine, where nobody
// else would keep a panic from ending the program.
func (p *part) guard(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("stream: panic at table %s: %v\n%s", p.by.Table, r, debug.Stack())
		}
	}()
	return f()
}

// stop ends all parts and returns when they have ended.
func (m *many) stop() {
	m.cancel()
	m.running.Wait()
	for _, p := range m.parts {
		p.leave()
	}
	m.parts = nil
}

// begin finds out where each part begins, some tables at a time. It returns the
// last frames of parts that cannot begin, or an error if the stream cannot.
func (m *many) begin(ctx context.Context, missing []string, from string) ([]*Frame, error) {
	where, err := m.start(from)
	if err != nil {
		return nil, err
	}
	errs := make([]error, len(m.parts))
	room := make(chan struct{}, beginners)
	var all sync.WaitGroup
	for i, p := range m.parts {
		all.Go(func() {
			room <- struct{}{}
			defer func() { <-room }()
			errs[i] = p.guard(func() error {
				return p.begin(ctx, func(now int64) (int64, error) {
					if at, ok := where.of(p.place, p.by.Table); ok {
						return at, nil
					}
					return now, nil // it is new to this reader
				})
			})
		})
	}
	all.Wait()
	var lost []*Frame
	var last error = &host.Refused{Refusal: rule.Core(tablev1.Reason_REASON_NOT_FOUND, "seat_id")}
	here := m.parts[:0:0]
	for i, p := range m.parts {
		why, err := cannotBegin(errs[i])
		switch {
		case err != nil:
			return nil, err
		case why == "":
			here = append(here, p)
			continue
		case why == EndBroken:
			last = errs[i]
		}
		m.w.report(ctx, p.by, why, errs[i])
		p.leave()
		m.forgo(where, p.place, p.by.Table)
		lost = append(lost, &Frame{Table: tableOf(p.by, why), Seat: p.by.Seat, End: why, GoesOn: true})
	}
	for _, id := range missing {
		m.forgo(where, m.w.Tables.Place(id), "")
		lost = append(lost, &Frame{Seat: id, End: EndUnknown, GoesOn: true})
	}
	if m.parts = here; len(here) == 0 {
		return nil, last
	}
	if where.marks.Single() && !slices.ContainsFunc(here, func(p *part) bool { _, ok := where.of(p.place, p.by.Table); return ok }) {
		return nil, badCursor()
	}
	return lost, nil
}

// start is from where a stream begins.
type start struct {
	beginning bool
	marks     host.Marks
}

func (m *many) start(from string) (start, error) {
	switch from {
	case "":
		return start{}, nil
	case Beginning:
		return start{beginning: true}, nil
	}
	marks, ok := m.w.Tables.Marks(from)
	if !ok {
		return start{}, badCursor()
	}
	return start{marks: marks}, nil
}

// of is where the view of a seat begins; false for now.
func (s start) of(place host.Place, table string) (int64, bool) {
	if s.beginning {
		return 0, true
	}
	return s.marks.Of(place, table)
}

// forgo keeps how far a view was read that is not watched.
func (m *many) forgo(where start, place host.Place, table string) {
	if at, ok := where.of(place, table); ok {
		m.rest = append(m.rest, host.Mark{Place: place, Commit: at})
	}
}

// tableOf is the table that a part's last frame names: none if the bridge may not
// know it.
func tableOf(by host.Caller, why string) string {
	if why == EndUnknown {
		return ""
	}
	return by.Table
}

// cannotBegin says why a part cannot begin, or what the whole stream fails for.
func cannotBegin(err error) (why string, fatal error) {
	var refused *host.Refused
	switch {
	case err == nil:
		return "", nil
	case errors.As(err, &refused) && refused.Reason == rule.Core(tablev1.Reason_REASON_BAD_CURSOR, "").Reason:
		return "", err
	case errors.As(err, &refused), errors.Is(err, store.ErrNotFound):
		return EndUnknown, nil // since it was looked for
	case stops(err):
		return "", err
	}
	return EndBroken, nil
}

// stops reports whether an error is about the whole server or the whole stream.
func stops(err error) bool {
	return errors.Is(err, errClosing) || errors.Is(err, host.ErrClosed) || errors.Is(err, store.ErrClosed) ||
		errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// run sends what parts hand over until none is left, or the stream ends.
func (m *many) run(ctx context.Context) error {
	for len(m.parts) > 0 {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-m.w.Hub.closing:
			return errClosing
		case h := <-m.handed:
			err := m.hand(h)
			h.part.taken <- err
			if err != nil {
				return err
			}
		case e := <-m.ended:
			if err := m.partEnded(ctx, e); err != nil {
				return err
			}
		case <-m.beat.C:
			if err := m.emit(&Frame{}); err != nil {
				return err
			}
		}
	}
	return nil
}

// hand sends a part's frame. The cursor says that it was sent.
func (m *many) hand(h handed) error {
	before := h.part.sent.Swap(h.frame.at)
	err := m.emit(h.frame)
	if err != nil {
		h.part.sent.Store(before)
	}
	return err
}

// emit sends a frame with the cursor of all parts.
func (m *many) emit(f *Frame) error {
	f.Cursor = m.cursor()
	m.beat.Reset(m.w.Heartbeat)
	return m.send(f)
}

// cursor is that of all parts, and of those that were.
func (m *many) cursor() string {
	marks := make([]host.Mark, 0, len(m.parts)+len(m.rest))
	for _, p := range m.parts {
		marks = append(marks, host.Mark{Place: p.place, Commit: p.sent.Load()})
	}
	marks = append(marks, m.rest...)
	return m.w.Tables.Cursor(marks)
}

// partEnded takes leave of a part, or says what the stream ends with.
func (m *many) partEnded(ctx context.Context, e ended) error {
	var refused *host.Refused
	why := ""
	switch {
	case errors.Is(e.err, errLeft):
		if why = e.part.why(); why == whyTokenDied {
			return m.refuse(tablev1.Reason_REASON_TOKEN_UNKNOWN)
		}
	case errors.Is(e.err, errGone), errors.Is(e.part.closing(ctx), errGone), errors.Is(e.err, store.ErrNotFound):
		why = EndDeleted
	case errors.As(e.err, &refused): // it fell behind
		return m.refuse(tablev1.Reason_REASON_TOO_SLOW)
	case stops(e.err):
		return e.err
	default:
		why = EndBroken
	}
	m.w.report(ctx, e.part.by, why, e.err)
	by := e.part.by
	if err := m.emit(&Frame{Table: by.Table, Seat: by.Seat, End: why, GoesOn: len(m.parts) > 1}); err != nil {
		return err
	}
	e.part.leave()
	m.rest = append(m.rest, host.Mark{Place: e.part.place, Commit: e.part.sent.Load()})
	m.parts = slices.DeleteFunc(m.parts, func(p *part) bool { return p == e.part })
	return nil
}

// why a part may not watch any more. If the publisher has not said it, what it was
// allowed has been taken away all the same.
func (p *part) why() string {
	select {
	case <-p.sub.left:
		return p.sub.why
	default:
		return host.EndDismissed
	}
}

// end sends the last frame if the server shuts down.
func (m *many) end(ctx context.Context, err error) error {
	if err == nil || !shutsDown(ctx, err) {
		return err
	}
	m.cancel()
	m.running.Wait() // what parts have read and not sent is not in the cursor
	if !m.begun {    // a cursor would not have them all
		return &host.Refused{Refusal: rule.Core(tablev1.Reason_REASON_SHUTTING_DOWN, "")}
	}
	return m.emit(&Frame{End: EndShutdown})
}

// refuse ends the stream and says from where to go on.
func (m *many) refuse(reason tablev1.Reason) error {
	return &host.Refused{Refusal: rule.Core(reason, ""), Cursor: m.cursor()}
}

func badCursor() error {
	return &host.Refused{Refusal: rule.Core(tablev1.Reason_REASON_BAD_CURSOR, "cursor")}
}

// report tells the log of a table that cannot be read: nobody else is told why.
func (w *Watcher) report(ctx context.Context, by host.Caller, why string, err error) {
	if why == EndBroken && w.Log != nil {
		w.Log.LogAttrs(ctx, slog.LevelError, "a table cannot be watched", slog.String("table", by.Table), slog.Any("cause", err))
	}
}
