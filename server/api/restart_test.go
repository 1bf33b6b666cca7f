package api_test

import (
	"testing"
	"time"

	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
	"github.com/hantei/hantei/server/api"
	"github.com/hantei/hantei/server/host"
	"github.com/hantei/hantei/server/store/sqlite"
)

// TestRestart: a server that is started anew while somebody is asked goes on as
// if nothing had been: the same prompts, dice, events and state.
func TestRestart(t *testing.T) {
	s := start(t)
	straight, broken := s.fixed().fight(), s.fixed().fight()
	play := func(g *table, between func()) (*hanteiv1.AnswerResponse, string) {
		g.struck()
		between()
		g.answer(g.student, "student", "cover")
		between()
		r := g.answer(g.student, "student", "dodge")
		between()
		return r, g.view(g.gm).StateHash
	}
	want, wantHash := play(straight, func() {})
	before := ""
	got, gotHash := play(broken, func() {
		v := broken.view(broken.gm)
		before = v.StateHash
		asked := broken.view(broken.student).Prompts
		broken.restart()
		after := broken.view(broken.student).Prompts
		if broken.view(broken.gm).StateHash != before {
			t.Error("the state is another one after the restart")
		}
		if len(asked) != len(after) {
			t.Fatalf("%d prompts, before %d", len(after), len(asked))
		}
		for i := range asked {
			same(t, after[i], asked[i])
		}
	})
	if gotHash != wantHash {
		t.Error("the state differs from that of a server that ran on")
	}
	if len(got.Outcome.Events) != len(want.Outcome.Events) {
		t.Fatalf("%d events, want %d", len(got.Outcome.Events), len(want.Outcome.Events))
	}
	for i, e := range got.Outcome.Events {
		w := want.Outcome.Events[i]
		e.EventId, w.EventId, e.StepId, w.StepId = "", "", "", ""
		if (e.Cause == "") != (w.Cause == "") {
			t.Errorf("the cause of %s", e.Name)
		}
		e.Cause, w.Cause = "", ""
		same(t, e, w)
	}
}

// TestIdle: a table that goes cold comes back as it was.
func TestIdle(t *testing.T) {
	s := start(t, func(h *host.Options, _ *api.Options, _ *sqlite.Options) { h.Idle = time.Millisecond })
	g := s.table().fight()
	g.struck()
	hash := g.view(g.gm).StateHash
	for range 5 {
		time.Sleep(5 * time.Millisecond)
		if got := g.view(g.gm).StateHash; got != hash {
			t.Fatal("the state has changed")
		}
	}
	g.answer(g.student, "student", "decline")
}
