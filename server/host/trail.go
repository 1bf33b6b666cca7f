package host

import (
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// Told is an event of a moment.
type Told struct {
	// Sequence is its number in the table's log.
	Sequence int64
	// Event is what happened.
	Event *tablev1.Event
	// Cause is the event that brought it about; nil if there is none.
	Cause *past
	// Undoes and Redoes are the events that an undo takes back, and brings back.
	Undoes, Redoes []past
}

// past is an event of the log, with the visibility of its commit.
type past struct {
	sequence   int64
	event      *tablev1.Event
	visibility *tablev1.Visibility
}

// trail follows a log and finds what events refer to: a cause is the number of
// an event within the step, and a step may go on over several commits. Only the
// events of the step that waits are kept.
type trail struct {
	step []past
}

// follow takes the next commit with its events.
func (t *trail) follow(c *tablev1.Commit, events []*tablev1.Event) []Told {
	out := make([]Told, 0, len(events))
	next := 0
	for _, run := range c.Runs {
		if run.Step != nil {
			t.step = nil
		}
		// What a lever does is counted by itself: its rule ran apart from the
		// step that waits, in whose journal it stands.
		alone := run.Step == nil && injected(run)
		own := len(t.step)
		for range run.Events {
			p := past{sequence: c.FirstEvent + int64(next), event: events[next], visibility: c.Visibility}
			t.step = append(t.step, p)
			base := 0
			if alone {
				base = own
			}
			out = append(out, Told{Sequence: p.sequence, Event: p.event, Cause: t.at(base, p.event.Cause)})
			next++
		}
		if !run.Suspended {
			t.step = nil
		}
	}
	return out
}

// at is the n-th event since a base, counted from 1, as a copy: the trail goes on.
func (t *trail) at(base int, n int32) *past {
	i := base + int(n) - 1
	if n < 1 || i >= len(t.step) {
		return nil
	}
	p := t.step[i]
	return &p
}

// injected reports whether a run is what a lever did while a step waited.
func injected(run *tablev1.StepRun) bool {
	return len(run.Journal) == 1 && run.Journal[0].GetInjected() != nil &&
		len(run.Journal[0].GetInjected().Events) == len(run.Events)
}

// continues reports whether a commit goes on with a step of an earlier one.
func continues(c *tablev1.Commit) bool {
	return len(c.Runs) > 0 && c.Runs[0].Step == nil && c.Command.GetCreate() == nil
}

// waits reports whether a step waits after a commit.
func waits(c *tablev1.Commit) bool {
	return len(c.Runs) > 0 && c.Runs[len(c.Runs)-1].Suspended
}

// begins reports whether a commit begins a step.
func begins(c *tablev1.Commit) bool {
	for _, run := range c.Runs {
		if run.Step != nil {
			return true
		}
	}
	return false
}
