package api_test

import (
	"context"
	"slices"
	"testing"

	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
	"google.golang.org/grpc/codes"
)

// TestToldTo: the GM is told which seats are told of what not all are told of; the
// players are not told of each other. It is the same on all ways, and follows the
// seats that there are now.
func TestToldTo(t *testing.T) {
	g := start(t).table().fight()
	gm, nurse := g.watch(g.gm, ""), g.watch(g.nurse, "")
	defer gm.stop()
	defer nurse.stop()
	gm.next()
	nurse.next()

	roll := func(a typev1.Audience) (told []string) {
		t.Helper()
		o := g.roll(g.nurse, &hanteiv1.RollRequest{Actor: "nurse", Formula: "1D100", Audience: a}).Outcome
		e := gm.next().Events[0]
		if a != typev1.Audience_AUDIENCE_GM {
			if own := nurse.next().Events[0]; len(own.ToldTo) != 0 || len(o.Events[0].ToldTo) != 0 {
				t.Errorf("%v: a player is told that it is told to %v", a, own.ToldTo)
			}
		}
		page, err := g.Play.ListEvents(g.gm, &hanteiv1.ListEventsRequest{TableId: g.id, PageSize: 500})
		g.ok(err)
		if past := page.Events[len(page.Events)-1]; past.EventId != e.EventId || !slices.Equal(past.ToldTo, e.ToldTo) {
			t.Errorf("%v: told to %v, and in the list to %v", a, e.ToldTo, past.ToldTo)
		}
		return e.ToldTo
	}
	if got := roll(typev1.Audience_AUDIENCE_PUBLIC); len(got) != 0 {
		t.Errorf("a public roll is told to %v", got)
	}
	if got := roll(typev1.Audience_AUDIENCE_OWNER); !slices.Equal(got, []string{g.gmSeat, g.nurseSeat}) {
		t.Errorf("a roll for its owner is told to %v", got)
	}
	if got := roll(typev1.Audience_AUDIENCE_GM); !slices.Equal(got, []string{g.gmSeat}) {
		t.Errorf("a roll for the GM is told to %v", got)
	}

	// A seat that came while the GM was watching counts.
	seat, err := g.Seat.InviteSeat(g.gm, &hanteiv1.InviteSeatRequest{TableId: g.id, Name: "Second GM", Role: tablev1.SeatRole_SEAT_ROLE_GM})
	g.ok(err)
	gm.next() // since who controls whom may have changed
	if got := roll(typev1.Audience_AUDIENCE_OWNER); !slices.Equal(got, []string{g.gmSeat, g.nurseSeat, seat.Seat.Id}) {
		t.Errorf("with a second GM it is told to %v", got)
	}
}

// TestStepID: the events of a command have its step id, for every seat, live and
// in the list, and those of another have another.
func TestStepID(t *testing.T) {
	g := start(t).table()
	g.sample("nurse", "student", "thug")
	w := g.watch(g.student, "")
	defer w.stop()
	w.next()
	o := g.act(g.gm, "", startCombat("nurse", "student", "thug")).Outcome
	live := w.next().Events
	if len(live) < 2 {
		t.Fatalf("%v", live)
	}
	for _, e := range append(live, o.Events...) {
		if e.StepId == "" || e.StepId != o.StepId {
			t.Errorf("%s: step %q, not %q", e.Name, e.StepId, o.StepId)
		}
	}
	next := g.act(g.nurse, "nurse", endTurn()).Outcome
	page, err := g.Play.ListEvents(g.student, &hanteiv1.ListEventsRequest{TableId: g.id, PageSize: 500})
	g.ok(err)
	count := map[string]int{}
	for _, e := range page.Events {
		count[e.StepId]++
	}
	if count[o.StepId] != len(live) || count[next.StepId] != len(next.Events) || o.StepId == next.StepId {
		t.Errorf("%v", count)
	}
}

// TestEventsAsSeat: the GM reads the past as a player, who was told the same.
func TestEventsAsSeat(t *testing.T) {
	g := start(t).table().fight()
	g.act(g.nurse, "nurse", endTurn())
	g.roll(g.nurse, &hanteiv1.RollRequest{Actor: "nurse", Formula: "1D100", Audience: typev1.Audience_AUDIENCE_OWNER})
	g.roll(g.nurse, &hanteiv1.RollRequest{Actor: "nurse", Formula: "1D100", Audience: typev1.Audience_AUDIENCE_GM})
	list := func(ctx context.Context, asSeat, cursor string) (*hanteiv1.ListEventsResponse, error) {
		return g.Play.ListEvents(ctx, &hanteiv1.ListEventsRequest{TableId: g.id, PageSize: 500, AsSeat: asSeat, Cursor: cursor})
	}
	own, err := list(g.nurse, "", "")
	g.ok(err)
	all, err := list(g.gm, "", "")
	g.ok(err)
	as, err := list(g.gm, g.nurseSeat, "")
	g.ok(err)
	if len(as.Events) != len(own.Events) || len(as.Events) == 0 || len(as.Events) >= len(all.Events) {
		t.Fatalf("%d events, the player has %d, the GM %d", len(as.Events), len(own.Events), len(all.Events))
	}
	for i := range as.Events {
		same(t, as.Events[i], own.Events[i])
	}
	// The GM's own cursor leads to the same place in the player's past.
	after, err := list(g.gm, g.nurseSeat, g.view(g.gm).Cursor)
	g.ok(err)
	if len(after.Events) != 0 {
		t.Errorf("after the end: %v", after.Events)
	}
	_, err = list(g.nurse, g.gmSeat, "")
	refused(t, err, codes.PermissionDenied, "NOT_YOUR_SEAT")
	_, err = list(g.gm, "nobody", "")
	refused(t, err, codes.NotFound, "NOT_FOUND")
}
