package api_test

import (
	"testing"
	"time"

	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
)

// waiting makes a request that waits for others, and returns where its answer comes.
func (t *table) waiting(r *hanteiv1.ActRequest) <-chan *hanteiv1.ActResponse {
	out := make(chan *hanteiv1.ActResponse, 1)
	watching := t.hub.Watching()
	go func() {
		defer close(out)
		got, err := t.Play.Act(t.gm, r)
		if err != nil {
			t.tb.Error(err)
			return
		}
		out <- got
	}()
	for begin := time.Now(); t.hub.Watching() == watching; time.Sleep(time.Millisecond) {
		if time.Since(begin) > 10*time.Second {
			t.tb.Fatal("it does not wait")
		}
	}
	return out
}

func names(all []*tablev1.EventView) []string {
	var out []string
	for _, e := range all {
		out = append(out, e.Name)
	}
	return out
}

// TestWaitForOthers: the reply to who waits has what the others decided and what
// came of it, and its cursor goes on behind that.
func TestWaitForOthers(t *testing.T) {
	g := start(t).table().fight()
	g.act(g.nurse, "nurse", endTurn())
	strike := g.request("thug", attack("knife", "nurse"), "1D100=20")
	strike.WaitSeconds, strike.RequestId = 25, "strike"
	got := g.waiting(strike)
	g.answer(g.student, "student", "decline")
	g.answer(g.nurse, "nurse", "dodge")
	r := <-got
	if r.Outcome.State != hanteiv1.StepState_STEP_STATE_DONE || len(r.Outcome.WaitingOn) != 0 {
		t.Fatalf("%v", r.Outcome)
	}
	all, err := g.Play.ListEvents(g.gm, &hanteiv1.ListEventsRequest{TableId: g.id, PageSize: 500})
	g.ok(err)
	told := all.Events[len(all.Events)-len(r.Outcome.Events):]
	for i, e := range r.Outcome.Events {
		same(t, e, told[i])
	}
	if told[0].Name != "check_resolved" {
		t.Errorf("%v", names(told))
	}
	after, err := g.Play.ListEvents(g.gm, &hanteiv1.ListEventsRequest{TableId: g.id, Cursor: r.Outcome.Cursor})
	g.ok(err)
	if len(after.Events) != 0 {
		t.Errorf("behind the cursor: %v", names(after.Events))
	}
	// Who asks again need not wait as long: it is the same request.
	strike.WaitSeconds = 1
	again, err := g.Play.Act(g.gm, strike)
	g.ok(err)
	again.Outcome.Cursor = r.Outcome.Cursor // they stand at the same place, and differ
	same(t, again, r)
	strike.WaitSeconds = 0
	first, err := g.Play.Act(g.gm, strike)
	g.ok(err)
	if first.Outcome.State != hanteiv1.StepState_STEP_STATE_WAITING {
		t.Errorf("%v", first.Outcome)
	}
}

// Whoever waits and is asked himself gets the reply with the question.
func TestWaitUntilAsked(t *testing.T) {
	g := start(t).table(opt("given_dice", "all")).fight()
	g.act(g.nurse, "nurse", endTurn())
	strike := g.request("thug", attack("knife", "nurse"), "1D100=20")
	strike.WaitSeconds = 25
	got := g.waiting(strike)
	g.answer(g.student, "student", "decline")
	g.answer(g.nurse, "nurse", "none")
	r := <-got
	if r.Outcome.State != hanteiv1.StepState_STEP_STATE_WAITING || len(r.Outcome.Prompts) != 1 || r.Outcome.Prompts[0].Name != "dice" {
		t.Fatalf("%v", r.Outcome)
	}
}

// The time may be over, and the server may go down: the reply is what there is.
func TestWaitInVain(t *testing.T) {
	s := start(t)
	g := s.table().fight()
	g.act(g.nurse, "nurse", endTurn())
	strike := g.request("thug", attack("knife", "nurse"), "1D100=20")
	strike.WaitSeconds = 1
	r, err := g.Play.Act(g.gm, strike)
	s.ok(err)
	if r.Outcome.State != hanteiv1.StepState_STEP_STATE_WAITING || len(r.Outcome.Events) == 0 || len(r.Outcome.WaitingOn) != 1 {
		t.Fatalf("%v", r.Outcome)
	}
	g = s.table().fight()
	g.act(g.nurse, "nurse", endTurn())
	strike.TableId, strike.WaitSeconds = g.id, 25
	got := g.waiting(strike)
	s.hub.Close()
	if r := <-got; r.GetOutcome().GetState() != hanteiv1.StepState_STEP_STATE_WAITING {
		t.Errorf("%v", r)
	}
}
