package host

import (
	"testing"

	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// TestTrail: causes are counted within their step, over commits and past what
// levers did in between.
func TestTrail(t *testing.T) {
	event := func(cause int32) *tablev1.Event { return &tablev1.Event{Cause: cause} }
	bytes := func(n int) [][]byte { return make([][]byte, n) }
	var tr trail
	causes := func(c *tablev1.Commit, events ...*tablev1.Event) []int64 {
		var out []int64
		for _, e := range tr.follow(c, events) {
			n := int64(0)
			if e.Cause != nil {
				n = e.Cause.sequence
			}
			out = append(out, n)
		}
		return out
	}
	check := func(what string, got []int64, want ...int64) {
		t.Helper()
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("%s: causes %v, want %v", what, got, want)
				return
			}
		}
	}
	// A step that waits: its second event is caused by its first, number 11.
	check("begin", causes(&tablev1.Commit{FirstEvent: 11, Runs: []*tablev1.StepRun{
		{Step: &tablev1.Step{}, Events: bytes(2), Suspended: true},
	}}, event(0), event(1)), 0, 11)
	// A lever counts by itself: its second event is caused by its own first.
	check("lever", causes(&tablev1.Commit{FirstEvent: 13, Runs: []*tablev1.StepRun{
		{Events: bytes(2), Suspended: true, Journal: []*tablev1.JournalEntry{{Entry: &tablev1.JournalEntry_Injected{Injected: &tablev1.Injected{Events: bytes(2)}}}}},
	}}, event(0), event(1)), 0, 13)
	// The step goes on: 5 is its fifth event, the lever's counted; 1 its first.
	check("go on", causes(&tablev1.Commit{FirstEvent: 15, Runs: []*tablev1.StepRun{
		{Events: bytes(3)},
		{Step: &tablev1.Step{}, Events: bytes(2)},
	}}, event(1), event(5), event(9), event(0), event(1)), 11, 15, 0, 0, 18)
	if len(tr.step) != 0 {
		t.Error("a step that is done is kept")
	}
}
