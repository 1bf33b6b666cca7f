package stream

import (
	"context"
	"time"

	"github.com/hantei/hantei/server/host"
)

// Await waits for what others decide after a seat's command: until nothing
// blocks any more, until the seat itself is asked, or until the time is over. It
// returns the outcome with all that has happened until then. The command was
// carried out: what goes wrong while it waits only ends the waiting.
func (w *Watcher) Await(ctx context.Context, by host.Caller, o *host.Outcome, wait time.Duration) *host.Outcome {
	sub := w.Hub.subscribe(by.Table, by.Seat, by.Via)
	defer func() { w.Hub.unsubscribe(by.Table, sub) }()
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	for o.Waits && !asks(o) {
		now, err := w.goOn(ctx, by, o)
		if err != nil {
			return o
		}
		if o = now; !o.Waits || asks(o) {
			return o
		}
		select {
		case <-ctx.Done():
			return o
		case <-w.Hub.closing:
			return o
		case <-sub.left:
			return o
		case <-sub.gone:
			return o
		case <-sub.lost:
			// The log has what found no room.
			sub = w.Hub.subscribe(by.Table, by.Seat, by.Via)
		case <-sub.moments:
		}
	}
	return o
}

// goOn is an outcome with what the log has after it.
func (w *Watcher) goOn(ctx context.Context, by host.Caller, o *host.Outcome) (*host.Outcome, error) {
	look, now, err := w.Tables.Look(ctx, by)
	if err != nil {
		return nil, err
	}
	at, err := look.Position(o.Cursor)
	if err != nil || at >= now.Commit {
		return o, err
	}
	after := *o
	reader := w.Tables.Read(now, at)
	for at < now.Commit {
		moments, err := reader.Next(ctx, page)
		if err != nil {
			return nil, err
		}
		for _, m := range moments {
			if m.Commit <= now.Commit {
				after.Events = append(after.Events, look.Events(m)...)
				at = m.Commit
			}
		}
	}
	after.Waits, after.Cursor = now.Waits, look.Cursor(at)
	after.Prompts, after.WaitingOn = look.Prompts(now)
	return &after, nil
}

// asks reports whether the caller is waited for.
func asks(o *host.Outcome) bool {
	for _, p := range o.Prompts {
		if !p.Standing {
			return true
		}
	}
	return false
}
