package resolve

import (
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"google.golang.org/protobuf/proto"
)

// Suspended is a step that waits, as whoever foresees how it goes on needs it.
type Suspended struct {
	// Step that waits.
	Step *tablev1.Step
	// Before is a copy of the state before the step.
	Before *tablev1.State
	// Journal are the dice and the answers that the step has had, and what was done
	// while it waited, in order. It is only read.
	Journal []*tablev1.JournalEntry
}

// Suspended returns the step that waits; nil if none does, or if its replay came out
// otherwise than it was committed.
func (r *Resolver) Suspended() *Suspended {
	if r.running == nil || r.frozen {
		return nil
	}
	r.table.Rollback(r.running.base)
	before := proto.CloneOf(r.State())
	r.reapply(r.running)
	return &Suspended{Step: r.running.step, Before: before, Journal: r.running.journal}
}
