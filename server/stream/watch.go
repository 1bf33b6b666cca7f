package stream

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/hantei/hantei/engine/rule"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"github.com/hantei/hantei/server/host"
	"github.com/hantei/hantei/server/store"
)

// Tables is what a watch reads of tables; *host.Host has it.
type Tables interface {
	// Look lets a seat look, and shows the table as it is now.
	Look(ctx context.Context, by host.Caller) (*host.Look, *host.Moment, error)
	// Holds refuses a caller whose token has died.
	Holds(ctx context.Context) error
	// Read reads commits after a number.
	Read(now *host.Moment, after int64) *host.Reader
	// Cursor makes the cursor of a reader of many views, and Marks reads it.
	Cursor(all []host.Mark) string
	Marks(cursor string) (host.Marks, bool)
	// Place stands for a seat in such cursors.
	Place(seat string) host.Place
}

// Beginning is the cursor of somebody who wants the whole history.
const Beginning = "beginning"

// page is how many commits are read from the log at once.
const page = 64

// Watcher lets seats watch their tables.
type Watcher struct {
	// Hub is where commits are published.
	Hub *Hub
	// Tables are the tables.
	Tables Tables
	// Heartbeat is how often a quiet stream sends one.
	Heartbeat time.Duration
	// Log is told of tables that cannot be read; nil drops it.
	Log *slog.Logger
}

// Watch sends frames to a seat until the context is done, the server shuts down,
// or the watcher falls behind. from is a cursor, Beginning, or empty for now.
//
// A context that is cancelled with a cause of its own ends the stream as a
// shutdown does, with an end frame; one that is merely cancelled has nobody left
// to send it to.
func (w *Watcher) Watch(ctx context.Context, by host.Caller, from string, send func(*Frame) error) error {
	beat := time.NewTicker(w.Heartbeat)
	defer beat.Stop()
	s := w.session(by)
	defer s.leave()
	s.beat = beat.C
	s.send = func(f *Frame) error {
		f.Cursor = s.look.Cursor(f.at)
		beat.Reset(w.Heartbeat)
		return send(f)
	}
	if err := s.begin(ctx, func(now int64) (int64, error) { return s.position(from, now) }); err != nil {
		return s.end(ctx, err)
	}
	return s.end(ctx, s.run(ctx))
}

// session is one watch of one table.
type session struct {
	w    *Watcher
	by   host.Caller
	send func(*Frame) error
	beat <-chan time.Time // when to send a heartbeat; nil if somebody else does
	sub  *subscriber
	look *host.Look
	here []*tablev1.Seat // who sat at the table when it was looked at last
	at   int64           // the last commit that was read
	sent atomic.Int64    // up to which nothing is left to send
	told asked
}

// session subscribes to a table.
func (w *Watcher) session(by host.Caller) *session {
	return &session{w: w, by: by, sub: w.Hub.subscribe(by.Table, by.Seat, by.Via)}
}

func (s *session) leave() { s.w.Hub.unsubscribe(s.by.Table, s.sub) }

// errClosing says that the server shuts down.
var errClosing = errors.New("stream: shutting down")

// errLeft says that the seat's tokens have died, or that the bridge may not watch
// for it any more.
var errLeft = errors.New("stream: the seat has left")

// errGone says that the table was removed, and its log with it.
var errGone = errors.New("stream: the table was removed")

// begin finds out where to begin: position says it, for the number of the newest
// commit. The subscription stands already, so that nothing is lost in between.
func (s *session) begin(ctx context.Context, position func(now int64) (int64, error)) error {
	// It may have died between being shown and the subscription.
	if err := s.w.Tables.Holds(ctx); err != nil {
		return err
	}
	look, now, err := s.w.Tables.Look(ctx, s.by)
	if err != nil {
		return err
	}
	s.look, s.here = look, now.Seats
	if s.at, err = position(now.Commit); err != nil {
		return err
	}
	if s.at > now.Commit {
		return s.refuse(tablev1.Reason_REASON_BAD_CURSOR)
	}
	s.sent.Store(s.at)
	return nil
}

// position is where the reader with a cursor begins.
func (s *session) position(from string, now int64) (int64, error) {
	switch from {
	case "":
		return now, nil
	case Beginning:
		return 0, nil
	}
	return s.look.Position(from)
}

func (s *session) run(ctx context.Context) error {
	if err := s.catchUp(ctx); err != nil {
		return err
	}
	for {
		// Whoever has left or has lost something is cut off at once, not when the
		// rest of the buffer is sent.
		if err := s.closing(ctx); err != nil {
			return err
		}
		if s.sub.behind() {
			return s.refuse(tablev1.Reason_REASON_TOO_SLOW)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-s.w.Hub.closing:
			return errClosing
		case <-s.sub.left:
			return errLeft
		case <-s.sub.gone:
			return errGone
		case <-s.sub.lost:
		case m := <-s.sub.moments:
			if err := s.live(ctx, m); err != nil {
				return err
			}
		case <-s.beat:
			if err := s.emit(&Frame{}); err != nil {
				return err
			}
		}
	}
}

// lookAgain looks at the table as it is now, with the role that the seat has now.
// A seat that is not there any more has left.
func (s *session) lookAgain(ctx context.Context) (*host.Moment, error) {
	look, now, err := s.w.Tables.Look(ctx, s.by)
	var refused *host.Refused
	switch {
	case errors.As(err, &refused):
		return nil, errLeft
	case err != nil:
		return nil, err
	}
	s.look, s.here = look, now.Seats
	return now, nil
}

// catchUp sends what the log has after the position. When it returns, the
// subscription has all that follows.
func (s *session) catchUp(ctx context.Context) error {
	now, err := s.lookAgain(ctx)
	if err != nil {
		return err
	}
	// The newest frame is held back until it is known that it is the newest: only
	// that one tells what is asked.
	var held *Frame
	reader := s.w.Tables.Read(now, s.at)
	for {
		moments, err := s.past(ctx, reader)
		if err != nil {
			return err
		}
		for _, m := range moments {
			if err := s.closing(ctx); err != nil {
				return err
			}
			events := m.events
			if len(events) > 0 {
				if held != nil {
					if err := s.emit(held); err != nil {
						return err
					}
				}
				held = &Frame{Events: events, OffersChanged: concerns(events)}
			}
			s.at = m.commit
			if held != nil {
				held.at = s.at // what is hidden behind it was read too
			} else {
				s.sent.Store(s.at)
			}
		}
		if len(moments) > 0 {
			continue
		}
		// More may have been published while this was sent than the buffer holds.
		// That is not the watcher's fault: the log has it.
		if !s.sub.behind() {
			break
		}
		s.sub = s.w.Hub.subscribe(s.by.Table, s.by.Seat, s.by.Via)
	}
	return s.present(ctx, held)
}

// seen is what the seat sees of a commit.
type seen struct {
	commit int64
	events []*tablev1.EventView
}

// past reads the next page of the log, as the seat sees it, when it is its turn.
func (s *session) past(ctx context.Context, reader *host.Reader) ([]seen, error) {
	select {
	case s.w.Hub.reading <- struct{}{}:
		defer func() { <-s.w.Hub.reading }()
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-s.w.Hub.closing:
		return nil, errClosing
	}
	moments, err := reader.Next(ctx, page)
	if err != nil {
		return nil, err
	}
	out := make([]seen, len(moments))
	for i, m := range moments {
		out[i] = seen{m.Commit, s.look.Events(m)}
	}
	return out, nil
}

// present tells what is asked now, with the frame that was held back if it is
// the newest commit's.
func (s *session) present(ctx context.Context, held *Frame) error {
	now, err := s.lookAgain(ctx)
	if err != nil {
		return err
	}
	if now.Commit != s.at {
		// The table has gone on; the subscription has the newer commits.
		if held == nil {
			return nil
		}
		return s.emit(held)
	}
	if held == nil {
		held = &Frame{}
	}
	s.told = s.ask(now)
	s.tell(held)
	return s.emit(held)
}

// live sends a moment that was published, unless it was read already or the seat
// sees nothing of it.
func (s *session) live(ctx context.Context, m *host.Moment) error {
	look, here := s.look.At(m)
	if !here {
		return errLeft
	}
	var events []*tablev1.EventView
	switch {
	case m.Commit > s.at+1:
		// The publisher keeps the order, so this cannot be; if it is, the log has
		// what is missing.
		return s.catchUp(ctx)
	case m.Commit == s.at+1:
		s.look = look
		events = s.look.Events(m)
		s.at = m.Commit
	case m.Commit < s.at || len(m.Told) > 0:
		return nil
	}
	s.look = look
	now := s.ask(m)
	changed := !now.same(s.told) || s.look.Concerned(s.here, m)
	s.here = m.Seats
	if len(events) == 0 && !changed {
		s.sent.Store(s.at)
		return nil
	}
	s.told = now
	f := &Frame{Events: events, OffersChanged: changed || concerns(events)}
	s.tell(f)
	return s.emit(f)
}

// ask is what is asked at a moment. Mostly it is what was asked at the one before,
// which is found out without making it anew.
func (s *session) ask(m *host.Moment) asked {
	if s.told.told && s.told.look == s.look && s.told.of.AsksAs(m) {
		return s.told
	}
	prompts, waiting := s.look.Prompts(m)
	return asked{told: true, prompts: prompts, waitingOn: waiting, of: m.Asking(), look: s.look}
}

// tell puts what is asked on a frame.
func (s *session) tell(f *Frame) {
	f.Asked, f.Prompts, f.WaitingOn = true, s.told.prompts, s.told.waitingOn
}

func (s *session) emit(f *Frame) error {
	if f.at == 0 {
		f.at = s.at
	}
	if f.End != "" {
		f.at = s.sent.Load() // not what was read and could not be sent any more
	}
	f.Table, f.Seat = s.by.Table, s.by.Seat
	if err := s.send(f); err != nil {
		return err
	}
	s.sent.Store(f.at)
	return nil
}

// closing reports why not to go on.
func (s *session) closing(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-s.w.Hub.closing:
		return errClosing
	case <-s.sub.left:
		return errLeft
	case <-s.sub.gone:
		return errGone
	default:
		return nil
	}
}

// end sends the end frame if the server shuts down or the table was removed, and
// says where a seat that has left had got to.
func (s *session) end(ctx context.Context, err error) error {
	if errors.Is(err, errLeft) && ctx.Err() == nil {
		return s.refuse(tablev1.Reason_REASON_TOKEN_UNKNOWN)
	}
	// The log is gone a moment before that is published.
	gone := errors.Is(err, errGone) || errors.Is(err, store.ErrNotFound)
	if s.look != nil && ctx.Err() == nil && (gone || errors.Is(s.closing(ctx), errGone)) {
		return s.emit(&Frame{End: EndDeleted})
	}
	if !shutsDown(ctx, err) {
		return err
	}
	if s.look == nil {
		return &host.Refused{Refusal: rule.Core(tablev1.Reason_REASON_SHUTTING_DOWN, "")}
	}
	return s.emit(&Frame{End: EndShutdown})
}

// shutsDown reports whether a stream ends with an error because the server does.
func shutsDown(ctx context.Context, err error) bool {
	if ctx.Err() != nil {
		// A cause of its own says that it was not the client who went away.
		return !errors.Is(context.Cause(ctx), ctx.Err())
	}
	return errors.Is(err, errClosing) || errors.Is(err, host.ErrClosed)
}

func (s *session) refuse(reason tablev1.Reason) error {
	r := &host.Refused{Refusal: rule.Core(reason, ""), Game: s.look.Game}
	if reason == tablev1.Reason_REASON_BAD_CURSOR {
		r.Refusal.Field = "cursor"
	} else {
		r.Cursor = s.look.Cursor(s.sent.Load())
	}
	return r
}
