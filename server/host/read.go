package host

import (
	"context"
	"errors"
	"fmt"

	"github.com/hantei/hantei/engine/resolve"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"github.com/hantei/hantei/server/store"
)

// Reader reads past commits of a table from the store, in order. It needs
// nothing of the hot table but the names.
type Reader struct {
	host  *Host
	table string
	after int64
	names names
	trail trail
	chain []byte // of the commit before
	begun bool
}

// Read returns a reader that begins after a commit. now is a look at the
// present, for the names.
func (h *Host) Read(now *Moment, after int64) *Reader {
	return &Reader{host: h, table: now.Table, after: after, names: now.names}
}

// Next returns the next commits, at most limit; none if there are no more now.
func (r *Reader) Next(ctx context.Context, limit int) ([]*Moment, error) {
	page, err := r.host.store.Commits(ctx, r.table, r.after, limit)
	if err != nil {
		return nil, err
	}
	out := make([]*Moment, 0, len(page))
	for _, stored := range page {
		c, err := decode(stored)
		if err != nil {
			return nil, err
		}
		if !r.begun {
			if err := r.begin(ctx, c); err != nil {
				return nil, err
			}
		}
		// What lies before a snapshot is folded no more: whoever reads it compares
		// the chain instead.
		if !resolve.Continues(r.chain, c) {
			return nil, fmt.Errorf("host: commit %d of table %s does not continue the chain: the log was altered", c.Number, r.table)
		}
		r.chain = c.Chain
		events, err := resolve.Events(c)
		if err != nil {
			return nil, err
		}
		told := r.trail.follow(c, events)
		if err := r.host.recall(ctx, r.table, told); err != nil {
			return nil, err
		}
		out = append(out, &Moment{
			Table: r.table, Commit: c.Number, Told: told, Visibility: c.Visibility,
			Waits: waits(c), command: c.Command, names: r.names,
		})
		r.after = c.Number
	}
	return out, nil
}

// begin looks at what lies before the first commit that is read.
func (r *Reader) begin(ctx context.Context, first *tablev1.Commit) error {
	r.begun = true
	if first.Number > 1 {
		before, err := r.host.commit(ctx, r.table, first.Number-1)
		if err != nil {
			return err
		}
		r.chain = before.Chain
	}
	if !continues(first) {
		return nil
	}
	var err error
	r.trail, err = r.host.trailAt(ctx, r.table, first.Number-1)
	return err
}

// trailAt is the trail after a commit: the events of the step that waits then.
func (h *Host) trailAt(ctx context.Context, table string, number int64) (trail, error) {
	var back []*tablev1.Commit // newest first
	for n := number; n >= 1; n-- {
		c, err := h.commit(ctx, table, n)
		if err != nil {
			return trail{}, err
		}
		if !waits(c) {
			break
		}
		back = append(back, c)
		if begins(c) {
			break
		}
	}
	var t trail
	for i := len(back) - 1; i >= 0; i-- {
		events, err := resolve.Events(back[i])
		if err != nil {
			return trail{}, err
		}
		t.follow(back[i], events)
	}
	return t, nil
}

// commit reads one commit.
func (h *Host) commit(ctx context.Context, table string, number int64) (*tablev1.Commit, error) {
	page, err := h.store.Commits(ctx, table, number-1, 1)
	if err != nil {
		return nil, err
	}
	if len(page) == 0 || page[0].Number != number {
		return nil, store.ErrNotFound
	}
	return decode(page[0])
}

// recall adds to events what they take back and bring back.
func (h *Host) recall(ctx context.Context, table string, told []Told) (err error) {
	for i := range told {
		e := told[i].Event
		if told[i].Undoes, err = h.pastEvents(ctx, table, e.Undoes); err != nil {
			return err
		}
		if told[i].Redoes, err = h.pastEvents(ctx, table, e.Redoes); err != nil {
			return err
		}
	}
	return nil
}

// pastEvents reads events with their visibility. Their sequence numbers are in order,
// and mostly follow each other; those of which there is no event are left out.
func (h *Host) pastEvents(ctx context.Context, table string, sequences []int64) ([]past, error) {
	var out []past
	for len(sequences) > 0 {
		number, err := h.store.CommitOfEvent(ctx, table, sequences[0])
		if errors.Is(err, store.ErrNotFound) {
			sequences = sequences[1:]
			continue
		}
		if err != nil {
			return nil, err
		}
		page, err := h.store.Commits(ctx, table, number-1, loadPage)
		if err != nil {
			return nil, err
		}
		left := len(sequences)
		for _, stored := range page {
			if len(sequences) == 0 || sequences[0] >= stored.FirstEvent+int64(stored.Events) {
				continue
			}
			c, err := decode(stored)
			if err != nil {
				return nil, err
			}
			events, err := resolve.Events(c)
			if err != nil {
				return nil, err
			}
			for len(sequences) > 0 && sequences[0] < c.FirstEvent+int64(len(events)) {
				if n := sequences[0]; n >= c.FirstEvent {
					out = append(out, past{sequence: n, event: events[n-c.FirstEvent], visibility: c.Visibility})
				}
				sequences = sequences[1:]
			}
		}
		if len(sequences) == left {
			return nil, fmt.Errorf("host: event %d of table %s is missing", sequences[0], table)
		}
	}
	return out, nil
}

// pastEvent reads one event with its visibility; an empty past if there is none.
func (h *Host) pastEvent(ctx context.Context, table string, sequence int64) (past, error) {
	number, err := h.store.CommitOfEvent(ctx, table, sequence)
	if errors.Is(err, store.ErrNotFound) {
		return past{}, nil
	}
	if err != nil {
		return past{}, err
	}
	c, err := h.commit(ctx, table, number)
	if err != nil {
		return past{}, err
	}
	events, err := resolve.Events(c)
	if err != nil {
		return past{}, err
	}
	return past{sequence: sequence, event: events[sequence-c.FirstEvent], visibility: c.Visibility}, nil
}
