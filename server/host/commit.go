package host

import (
	"context"

	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"github.com/hantei/hantei/server/store"
	"google.golang.org/protobuf/proto"
)

// conclusion is what becomes true with a commit.
type conclusion struct {
	// by and request identify the request; no record is kept without an id.
	by      Caller
	request Request
	// record is what to keep of the answer beside the commit.
	record record
	// seats are the seats afterwards, where the commit changes their characters;
	// changed are those.
	seats   []*tablev1.Seat
	changed []store.SeatCharacters
	// table is what changes of the table beside its log.
	table store.TableUpdate
}

// conclude stamps a commit with its visibility, appends it, and tells it. Until
// it returns without an error the resolver is ahead of the log.
func (t *table) conclude(ctx context.Context, c *tablev1.Commit, with conclusion) (*Moment, error) {
	t.ahead = true
	events := t.res.Made()
	seats, vis, called := t.seats, t.vis, t.names
	if with.seats != nil {
		seats = with.seats
	}
	fresh := with.seats != nil
	for _, e := range events {
		fresh = fresh || restamps(e)
	}
	told, known := vis, called
	if fresh {
		vis, called = stamp(t.game.Rules.Options, t.res.State(), seats), namesOf(t.res.State())
		// Those who knew a character that is gone are told of it, by its name.
		told, known = withGone(vis, told), called.withGone(known)
	}
	c.Visibility, c.Command.Via = told, with.by.Via
	lines := t.trail.follow(c, events)
	if err := t.host.recall(ctx, t.id, lines); err != nil {
		return nil, err
	}
	c.TimeMs, c.UpSinceMs = t.host.now().UnixMilli(), t.host.upSince
	bytes, err := proto.Marshal(c)
	if err != nil {
		return nil, err
	}
	t.seats, t.vis, t.names = seats, vis, called
	t.asking.follow(c, t.game.Rules, t.res.State())
	m := t.present()
	m.Visibility, m.names, m.command = told, known, c.Command
	wake := m.due.first()
	if wake != t.wakeTime {
		with.table.WakeTimeMS = &wake
	}
	entry := store.Entry{
		Commit:     store.Commit{Number: c.Number, FirstEvent: c.FirstEvent, Events: len(events), Bytes: bytes},
		Characters: with.changed, Table: with.table,
	}
	var kept record
	if with.request.ID != "" {
		if kept, err = with.record.of(m, t.asked); err != nil {
			return nil, err
		}
		if entry.Request, err = with.request.entry(with.by, kept, c.TimeMs); err != nil {
			return nil, err
		}
	}
	if err := t.host.store.Append(ctx, t.id, entry); err != nil {
		return nil, err
	}
	t.ahead = false
	t.asked = m.Windows
	if wake != t.wakeTime {
		t.wakeTime = wake
		t.host.wakeAt(t.id, wake)
	}
	m.Told = lines
	if with.request.ID != "" {
		t.done.add(with.by.principal(), with.request, kept)
	}
	t.host.tell.Publish(m)
	return m, nil
}
