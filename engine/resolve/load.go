package resolve

import (
	"bytes"
	"fmt"

	"github.com/hantei/hantei/engine/table"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// Load folds a stored commit. Commits come in order, from the first on. It
// needs no rules: what happened stands in the events.
func (r *Resolver) Load(c *tablev1.Commit) error {
	if c.Number != r.number+1 || c.FirstEvent != r.event+1 {
		return fmt.Errorf("resolve: commit %d (first event %d) does not follow commit %d (event %d)", c.Number, c.FirstEvent, r.number, r.event)
	}
	if create := c.Command.GetCreate(); create != nil {
		r.table.Begin(create.Ruleset, create.Pack)
	}
	if u := c.Command.GetUndo(); u != nil && (u.To < 1 || u.To >= c.Number) {
		return fmt.Errorf("resolve: commit %d goes back to commit %d", c.Number, u.To)
	}
	events, err := Events(c)
	if err != nil {
		return fmt.Errorf("resolve: commit %d: %w", c.Number, err)
	}
	chain := chainOver(r.chain, c)
	if !bytes.Equal(chain[:], c.Chain) {
		return fmt.Errorf("resolve: commit %d does not continue the chain: the log was altered", c.Number)
	}
	next := 0
	for i, run := range c.Runs {
		if run.Step != nil {
			r.table.Forget()
			r.running = &running{
				step: run.Step, base: r.table.Mark(), commit: c.Number, run: int32(i),
				first: c.FirstEvent + int64(next),
			}
		}
		for range run.Events {
			r.apply(events[next])
			if err := r.loadUndone(events[next], c.FirstEvent+int64(next)); err != nil {
				return fmt.Errorf("resolve: commit %d: %w", c.Number, err)
			}
			next++
		}
		if r.running == nil {
			continue // made outside of steps: the table, a sheet
		}
		r.running.journal = append(r.running.journal, run.Journal...)
		r.running.events = append(r.running.events, run.Events...)
		if !run.Suspended {
			r.running = nil
		}
	}
	r.number, r.event, r.chain = c.Number, r.event+int64(next), chain
	r.dice.follow(events)
	return nil
}

func (r *Resolver) apply(e *tablev1.Event) {
	for _, c := range e.Changes {
		r.table.Apply(c)
	}
}

// WindowsAfter are the windows after an event, of those before it.
func WindowsAfter(before []*tablev1.Window, e *tablev1.Event) []*tablev1.Window {
	t := table.FromState(&tablev1.State{Windows: before})
	for _, c := range e.Changes {
		if c.GetWindow() != nil {
			t.Apply(c)
		}
	}
	return t.State().Windows
}
