package api_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/hantei/hantei/engine/resolve"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
	"google.golang.org/protobuf/proto"
)

// commit reads one of a table's commits.
func (t *table) commit(number int64) *tablev1.Commit {
	t.tb.Helper()
	page, err := t.store.Commits(context.Background(), t.id, number-1, 1)
	t.ok(err)
	c := &tablev1.Commit{}
	if len(page) == 0 || proto.Unmarshal(page[0].Bytes, c) != nil {
		t.tb.Fatalf("commit %d: %v", number, page)
	}
	return c
}

// reaches waits until the log has a commit. Nobody looks at the table meanwhile.
func (t *table) reaches(number int64) {
	t.tb.Helper()
	for begin := time.Now(); t.head().Number < number; time.Sleep(5 * time.Millisecond) {
		if time.Since(begin) > 20*time.Second {
			t.tb.Fatalf("the log stays at commit %d", t.head().Number)
		}
	}
}

// left is how long a prompt is still open, as the view of a seat says; 0 if it is
// open without end.
func (t *table) left(ctx context.Context, c *clock) time.Duration {
	t.tb.Helper()
	v := t.view(ctx)
	if len(v.Prompts) != 1 || len(v.WaitingOn) != 1 {
		t.tb.Fatalf("%d prompts, %d wait", len(v.Prompts), len(v.WaitingOn))
	}
	same(t.tb, v.WaitingOn[0].ExpireTime, v.Prompts[0].ExpireTime)
	if v.Prompts[0].ExpireTime == nil {
		return 0
	}
	return v.Prompts[0].ExpireTime.AsTime().Sub(time.Now().Add(time.Duration(c.ahead.Load())))
}

func about(tb testing.TB, got, want time.Duration) {
	tb.Helper()
	if got > want || got < want-5*time.Minute {
		tb.Errorf("%v are left, want %v", got, want)
	}
}

// TestDeadline: whoever does not decide in time gets the default, and whoever
// watches is told when that will be.
func TestDeadline(t *testing.T) {
	g := start(t).table(opt("deadline_player", "1")).fight()
	w := g.watch(g.nurse, "")
	defer w.stop()
	w.next()
	g.act(g.nurse, "nurse", endTurn())
	w.next()
	before := g.head().Number
	r := g.act(g.gm, "thug", attack("knife", "nurse"), "1D100=20")
	if len(r.Outcome.WaitingOn) != 1 || r.Outcome.WaitingOn[0].ExpireTime == nil {
		t.Errorf("the GM is told %v", r.Outcome.WaitingOn)
	}
	w.next()
	g.reaches(before + 3) // the attack, the cover, the defence
	for n, window := range []string{"cover", "defend"} {
		c := g.commit(before + 2 + int64(n))
		answer := c.Command.GetAnswer()
		if c.Command.Seat != "" || len(answer.GetAnswers()) != 1 || answer.Answers[0].By != tablev1.AnsweredBy_ANSWERED_BY_DEFAULT ||
			c.Runs[0].Journal[0].Label != window {
			t.Errorf("%s was answered by %v", window, c.Command)
		}
	}
	if f := w.next(); len(f.Prompts) != 1 || f.Prompts[0].ExpireTime == nil {
		t.Errorf("the nurse is told %v", f)
	}
	if f := w.next(); len(f.WaitingOn) != 0 || !slices.Contains(names(f.Events), "damage_rolled") {
		t.Errorf("%v", names(f.Events))
	}
}

// The GM's time is the GM's option: by default there is no end to it.
func TestDeadlineOfTheGM(t *testing.T) {
	c := &clock{}
	g := start(t, c.set).table(opt("deadline_player", "3600")).fight()
	g.act(g.gm, "nurse", attack("fist", "thug"), "1D100=20")
	if left := g.left(g.gm, c); left != 0 {
		t.Errorf("%v are left", left)
	}
	g.set(opt("deadline_gm", "7200"))
	about(t, g.left(g.gm, c), 2*time.Hour)
}

// What was waited before a pause counts, what was waited in it does not.
func TestDeadlineStopsWhilePaused(t *testing.T) {
	c := &clock{}
	g := start(t, c.set).table(opt("deadline_player", "7200")).fight()
	g.struck()
	about(t, g.left(g.student, c), 2*time.Hour)
	c.ahead.Add(int64(time.Hour))
	g.pause(true)
	if left := g.left(g.student, c); left != 0 {
		t.Errorf("paused, and %v are left", left)
	}
	c.ahead.Add(int64(100 * time.Hour))
	g.pause(false)
	about(t, g.left(g.student, c), time.Hour)
	// A longer time holds at once.
	g.set(opt("deadline_player", "10800"))
	about(t, g.left(g.student, c), 2*time.Hour)
}

// Whoever watches is told when the end of the time moves and nothing else does: the
// clock of the machine is set back.
func TestDeadlineMoves(t *testing.T) {
	c := &clock{}
	g := start(t, c.set).table(opt("deadline_player", "7200")).fight()
	c.ahead.Add(int64(10 * time.Hour)) // before the server's start nothing counts
	g.struck()
	for name, ctx := range map[string]context.Context{"GM": g.gm, "student": g.student} {
		w := g.watch(ctx, "")
		defer w.stop()
		before := w.next()
		c.ahead.Add(-int64(time.Hour))
		g.act(g.gm, "", rpPoints("thug")) // which no player sees
		after := w.next()
		if len(before.WaitingOn) != 1 || len(after.WaitingOn) != 1 {
			t.Fatalf("%s: %v, then %v", name, before.WaitingOn, after.WaitingOn)
		}
		same(t, after, &hanteiv1.WatchResponse{
			TableId: g.id, SeatId: after.SeatId, Cursor: after.Cursor, Events: after.Events, OffersChanged: true,
			PromptsTold: true, Prompts: g.view(ctx).Prompts, WaitingOn: g.view(ctx).WaitingOn,
		})
		if moved := before.WaitingOn[0].ExpireTime.AsTime().Sub(after.WaitingOn[0].ExpireTime.AsTime()); moved < 50*time.Minute {
			t.Errorf("%s: the end has moved by %v", name, moved)
		}
	}
}

// A deadline survives the server, whose absence does not count; the answer to the
// request that asked is the same as before.
func TestDeadlineSurvivesTheServer(t *testing.T) {
	c := &clock{}
	s := start(t, c.set)
	g := s.table(opt("deadline_player", "7200")).fight()
	g.act(g.nurse, "nurse", endTurn())
	strike := g.request("thug", attack("knife", "nurse"), "1D100=20")
	strike.RequestId = "strike"
	first, err := g.Play.Act(g.gm, strike)
	s.ok(err)
	c.ahead.Add(int64(time.Hour))
	g.roll(g.gm, &hanteiv1.RollRequest{Formula: "1D6"}) // tells the log of the hour
	s.stop()
	c.ahead.Add(int64(100 * time.Hour))
	s.open(c.set)
	about(t, g.left(g.student, c), time.Hour)
	g.roll(g.gm, &hanteiv1.RollRequest{Formula: "1D6"})
	c.ahead.Add(int64(30 * time.Minute))
	s.stop()
	s.open(c.set)
	// It was up for half an hour of which the log knows nothing.
	about(t, g.left(g.student, c), time.Hour)
	again, err := g.Play.Act(g.gm, strike)
	s.ok(err)
	same(t, again, first)
}

// A server that starts looks after tables that nobody asks for.
func TestDeadlineOfAColdTable(t *testing.T) {
	s := start(t)
	g := s.table(opt("deadline_player", "1")).fight()
	g.act(g.nurse, "nurse", endTurn())
	g.act(g.gm, "thug", attack("knife", "nurse"), "1D100=20")
	s.stop()
	s.open()
	g.reaches(g.head().Number + 2)
	if wakes, err := s.store.Wakes(context.Background()); err != nil || len(wakes) != 0 {
		t.Errorf("%v, %v", wakes, err)
	}
	// And it says the same as its log.
	res := resolve.New(game().Rules, nil)
	for n := int64(1); n <= g.head().Number; n++ {
		if err := res.Load(g.commit(n)); err != nil {
			t.Fatal(err)
		}
	}
	if res.Waiting() || res.Hash() != g.view(g.gm).StateHash {
		t.Error("the log says something else")
	}
}
