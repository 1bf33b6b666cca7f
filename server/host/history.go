package host

import (
	"context"
	"slices"

	"github.com/hantei/hantei/engine/resolve"
	"github.com/hantei/hantei/engine/rule"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"github.com/hantei/hantei/server/store"
)

// history reads a table's log backwards, as far as somebody wants to go. A chain is an
// action, or whatever else was commanded, with all that it took to resolve it: the
// answers, and what was done while it waited. It begins and ends where no step waits.
//
// An undo jumps: what came before it is the commit whose state it made the state
// again. What lies between was taken back with it, or changed nothing.
type history struct {
	ctx  context.Context
	t    *table
	read map[int64]*tablev1.Commit
}

// backPage is how many commits are read at once.
const backPage = 64

func (t *table) history(ctx context.Context) *history {
	return &history{ctx: ctx, t: t, read: make(map[int64]*tablev1.Commit)}
}

// at is a commit.
func (y *history) at(number int64) (*tablev1.Commit, error) {
	if c := y.read[number]; c != nil {
		return c, nil
	}
	page, err := y.t.host.store.Commits(y.ctx, y.t.id, max(0, number-backPage), backPage)
	if err != nil {
		return nil, err
	}
	for _, stored := range page {
		if y.read[stored.Number] == nil {
			if y.read[stored.Number], err = decode(stored); err != nil {
				return nil, err
			}
		}
	}
	if c := y.read[number]; c != nil {
		return c, nil
	}
	return nil, store.ErrNotFound
}

// since are the commits from one on.
func (y *history) since(first int64) ([]*tablev1.Commit, error) {
	var out []*tablev1.Commit
	for n := y.t.res.Number(); n >= first; n-- {
		c, err := y.at(n)
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	slices.Reverse(out)
	return out, nil
}

// begin is the first commit of the chain of which the given one is.
func (y *history) begin(number int64) (int64, error) {
	for ; number > 1; number-- {
		before, err := y.at(number - 1)
		if err != nil {
			return 0, err
		}
		if !waits(before) {
			break
		}
	}
	return number, nil
}

// stands reports whether a commit tells of something that can be taken back and was
// not. An undo is never taken back itself: what it did is. And no undo lets a table go
// on that was paused, or stops one.
func (y *history) stands(c *tablev1.Commit) bool {
	return c.Command.GetUndo() == nil && !pauses(c) && eventCount(c) > 0 && !y.t.res.Undone(c.FirstEvent)
}

// pauses reports whether a commit did nothing but stop play, or let it go on.
func pauses(c *tablev1.Commit) bool {
	set := c.Command.GetOptions().GetOptions()
	return len(set) > 0 && !slices.ContainsFunc(set, func(o *tablev1.Option) bool { return o.Key != rule.Paused })
}

// events are those of commits, in order.
func eventsOf(commits []*tablev1.Commit) ([]*tablev1.Event, error) {
	var out []*tablev1.Event
	for _, c := range commits {
		events, err := resolve.Events(c)
		if err != nil {
			return nil, err
		}
		out = append(out, events...)
	}
	return out, nil
}

func eventCount(c *tablev1.Commit) int64 {
	n := 0
	for _, run := range c.Runs {
		n += len(run.Events)
	}
	return int64(n)
}
