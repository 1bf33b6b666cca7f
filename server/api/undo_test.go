package api_test

import (
	"context"
	"slices"
	"testing"

	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
	"github.com/hantei/hantei/server/auth"
	"google.golang.org/grpc/codes"
)

func eventOf(events []*tablev1.EventView, name string) *tablev1.EventView {
	for _, e := range events {
		if e.Name == name {
			return e
		}
	}
	return nil
}

func (t *table) events(ctx context.Context) []*tablev1.EventView {
	t.tb.Helper()
	r, err := t.Play.ListEvents(ctx, &hanteiv1.ListEventsRequest{TableId: t.id, PageSize: 500})
	t.ok(err)
	return r.Events
}

func hp(v *tablev1.TableView, id string) int32 {
	for _, c := range v.Characters {
		if c.Id == id {
			for _, r := range c.Resources {
				if r.Key == "hp" {
					return r.GetValue()
				}
			}
		}
	}
	return -1
}

func setHP(n int32) *tablev1.Operation {
	return &tablev1.Operation{Operation: &tablev1.Operation_Resource{Resource: &tablev1.ResourceInput{Key: "hp", Value: &n}}}
}

func ids(events []*tablev1.EventView) []string {
	var out []string
	for _, e := range events {
		out = append(out, e.EventId)
	}
	return out
}

// TestUndo: the GM takes back the last action, and then one before it; the state is
// that of then, the events are struck out and stay in the list, and the same action
// gets other dice.
func TestUndo(t *testing.T) {
	g := start(t).table().fight()
	before := g.view(g.gm)
	first := g.act(g.gm, "nurse", check("spot"), "1D100=50").Outcome
	mid := g.view(g.gm)
	second := g.act(g.gm, "nurse", endTurn()).Outcome

	o := g.undo(g.gm, "")
	e := eventOf(o.Events, "undone")
	if e == nil || !slices.Equal(e.Undoes, ids(second.Events)) || len(e.Redoes) != 0 || e.Text.GetText() != "GM takes back what was done: a slip." {
		t.Fatalf("%v, want %v undone", e, ids(second.Events))
	}
	if got := g.view(g.gm); got.StateHash != mid.StateHash {
		t.Errorf("the state is another: %v", got)
	}
	// Again, by an event: what was undone is not undone twice.
	o = g.undo(g.gm, first.Events[0].EventId)
	if e := eventOf(o.Events, "undone"); !slices.Equal(e.Undoes, ids(first.Events)) {
		t.Errorf("%v, want %v undone", e.Undoes, ids(first.Events))
	}
	if got := g.view(g.gm); got.StateHash != before.StateHash {
		t.Errorf("the state is another: %v", got)
	}
	all := g.events(g.gm)
	for _, id := range slices.Concat(ids(first.Events), ids(second.Events)) {
		if !slices.Contains(ids(all), id) {
			t.Errorf("the event %s is not in the list any more", id)
		}
	}
	// Dice are made from the commit's number, which never comes again.
	again := g.act(g.gm, "nurse", check("spot"), "1D100=50").Outcome
	if again.StepId == first.StepId || ids(again.Events)[0] == ids(first.Events)[0] {
		t.Error("the action got the old numbers")
	}
	_, err := g.Play.Undo(g.gm, &hanteiv1.UndoRequest{TableId: g.id, EventId: first.Events[0].EventId})
	refused(t, err, codes.FailedPrecondition, "EVENT_UNDONE")
	_, err = g.Play.Undo(g.gm, &hanteiv1.UndoRequest{TableId: g.id, EventId: "nothing"})
	refused(t, err, codes.NotFound, "NOT_FOUND")
}

// TestUndoOtherDice: with known dice, the same action after an undo has the dice of its
// own commit, not the old ones.
func TestUndoOtherDice(t *testing.T) {
	g := start(t).fixed()
	g.sample("nurse")
	roll := func() int32 {
		return eventOf(g.act(g.nurse, "nurse", check("spot")).Outcome.Events, "check_resolved").Dice[0].Faces[0]
	}
	var got []int32
	for range 4 {
		got = append(got, roll())
		g.undo(g.gm, "")
	}
	slices.Sort(got)
	if len(slices.Compact(got)) == 1 {
		t.Errorf("four times the same die: %v", got)
	}
}

// TestUndoToTheBeginning: all can be taken back but the making of the table.
func TestUndoToTheBeginning(t *testing.T) {
	g := start(t).table().fight()
	for range 4 { // three characters and the fight
		g.undo(g.gm, "")
	}
	if v := g.view(g.gm); len(v.Characters) != 0 || v.Encounter != nil {
		t.Errorf("%v", v)
	}
	_, err := g.Play.Undo(g.gm, &hanteiv1.UndoRequest{TableId: g.id})
	refused(t, err, codes.FailedPrecondition, "NOTHING_TO_UNDO")
	_, err = g.Play.Undo(g.gm, &hanteiv1.UndoRequest{TableId: g.id, EventId: g.events(g.gm)[0].EventId})
	refused(t, err, codes.FailedPrecondition, "NOTHING_TO_UNDO")
}

// TestUndoWhileAStepWaits: the step is cancelled, its question withdrawn, and what it
// had brought is taken back; and the log is read again all the same.
func TestUndoWhileAStepWaits(t *testing.T) {
	g := start(t).table().fight()
	g.act(g.nurse, "nurse", endTurn())
	before := g.view(g.gm)
	o := g.act(g.gm, "thug", attack("knife", "nurse"), "1D100=20").Outcome
	if o.State != hanteiv1.StepState_STEP_STATE_WAITING {
		t.Fatal(o)
	}
	g.override("nurse", setHP(2)) // stands in the step's journal, and goes with it
	undone := g.undo(g.gm, o.Events[0].EventId)
	if undone.State != hanteiv1.StepState_STEP_STATE_DONE || len(undone.WaitingOn) != 0 || eventOf(undone.Events, "prompt_withdrawn") == nil {
		t.Errorf("%v", undone)
	}
	for restarted := range 2 {
		if got := g.view(g.gm); got.StateHash != before.StateHash || len(got.WaitingOn) != 0 {
			t.Errorf("the state is another: %v", got)
		}
		if restarted == 0 {
			g.restart()
		}
	}
	_, err := g.Play.Undo(g.gm, &hanteiv1.UndoRequest{TableId: g.id, EventId: eventOf(undone.Events, "undone").EventId})
	refused(t, err, codes.InvalidArgument, "INVALID_FIELD")
	g.act(g.gm, "thug", endTurn())
}

// TestUndoOfAnUndo: the undo is taken back by its event, and all is as it was before
// it: the events are facts again.
func TestUndoOfAnUndo(t *testing.T) {
	g := start(t).table().fight()
	o := g.override("nurse", setHP(2))
	g.override("student", setHP(3))
	before := g.view(g.gm)
	undo := g.undo(g.gm, o.Events[0].EventId)
	g.override("nurse", setHP(5)) // on the other branch
	e := eventOf(g.undo(g.gm, eventOf(undo.Events, "undone").EventId).Events, "undone")
	if want := eventOf(undo.Events, "undone").Undoes; !slices.Equal(e.Redoes, want) || len(e.Undoes) != 1 {
		t.Errorf("redone %v, want %v; undone %v", e.Redoes, want, e.Undoes)
	}
	if got := g.view(g.gm); got.StateHash != before.StateHash {
		t.Errorf("the state is another: %v", got)
	}
	// What was redone is undone by the next, and the old undo is no more.
	_, err := g.Play.Undo(g.gm, &hanteiv1.UndoRequest{TableId: g.id, EventId: eventOf(undo.Events, "undone").EventId})
	refused(t, err, codes.FailedPrecondition, "EVENT_UNDONE")
	g.undo(g.gm, "")
	if v := g.view(g.gm); hp(v, "nurse") != 2 || hp(v, "student") == 3 {
		t.Errorf("nurse %d, student %d", hp(v, "nurse"), hp(v, "student"))
	}
	// And an undo of an undo can be taken back, too.
	again := eventOf(g.events(g.gm), "undone") // the first
	for _, e := range g.events(g.gm) {
		if e.Name == "undone" && len(e.Redoes) > 0 {
			again = e
		}
	}
	e = eventOf(g.undo(g.gm, again.EventId).Events, "undone")
	if v := g.view(g.gm); hp(v, "nurse") != 5 || len(e.Redoes) != 1 || len(e.Undoes) != 1 {
		t.Errorf("nurse %d; redone %v, undone %v", hp(v, "nurse"), e.Redoes, e.Undoes)
	}
}

// TestUndoBringsBack: a character that was removed comes back under its old name, and
// is nobody's until the GM gives it to a seat; one that was made goes, and its seat
// has it no more.
func TestUndoBringsBack(t *testing.T) {
	g := start(t).table()
	g.sample("nurse", "thug")
	_, err := g.Character.UpdateCharacter(g.gm, &hanteiv1.UpdateCharacterRequest{TableId: g.id, CharacterId: "nurse", Name: "Anna"})
	g.ok(err)
	_, err = g.Character.UpdateCharacter(g.gm, &hanteiv1.UpdateCharacterRequest{TableId: g.id, CharacterId: "nurse", Name: "Berta"})
	g.ok(err)
	before := g.view(g.gm)
	_, err = g.Character.DeleteCharacter(g.gm, &hanteiv1.DeleteCharacterRequest{TableId: g.id, CharacterId: "nurse"})
	g.ok(err)
	o := g.undo(g.gm, "")
	if got := g.view(g.gm); got.StateHash != before.StateHash || got.Characters[0].Name != "Berta" {
		t.Errorf("%v", got)
	}
	e := eventOf(g.events(g.nurse), "restored")
	if e == nil || e.Changes[0].GetCharacter().GetAfter().GetName() != "Berta" || eventOf(o.Events, "undone") == nil {
		t.Errorf("the player is told %v", e)
	}
	g.undo(g.gm, "")
	if got := g.view(g.gm).Characters[0].Name; got != "Anna" {
		t.Errorf("is called %s", got)
	}

	g.sample("student")
	seats := func() (with int) {
		for _, s := range g.view(g.gm).Seats {
			if slices.Contains(s.Characters, "student") {
				with++
			}
		}
		return with
	}
	if seats() != 1 {
		t.Fatal("the student has no seat")
	}
	g.undo(g.gm, "")
	if seats() != 0 {
		t.Error("a seat has a character that is not there")
	}
	gone := eventOf(g.events(g.student), "restored")
	for _, e := range g.events(g.student) {
		if e.Name == "restored" {
			gone = e
		}
	}
	if c := gone.Changes[0].GetCharacter(); c.GetCharacter() != "student" || !c.GetRemoved() {
		t.Errorf("the player is told %v", gone)
	}
}

// TestUndoFence: what a player can take back, and why not.
func TestUndoFence(t *testing.T) {
	g := start(t).table().fight()
	g.fenced(g.nurse, "", "last")
	// The own end of turn, with nothing after it.
	before := g.view(g.gm)
	end := g.act(g.nurse, "nurse", endTurn()).Outcome
	g.fenced(g.student, "", "last")
	g.fenced(g.student, end.Events[0].EventId, "own action")
	// A secret roll of the GM changes nothing: it does not matter, and stays.
	secret := g.roll(g.gm, &hanteiv1.RollRequest{Formula: "1D100", Audience: typev1.Audience_AUDIENCE_GM}).Outcome
	e := eventOf(g.undo(g.nurse, "").Events, "undone")
	if e == nil || !slices.Equal(e.Undoes, ids(end.Events)) || e.Text.GetText() != "a player takes back what was done: a slip." {
		t.Errorf("%v", e)
	}
	if got := g.view(g.gm); got.StateHash != before.StateHash {
		t.Errorf("the state is another: %v", got)
	}
	// It can still be revealed, and is what the GM takes back next.
	shown := &hanteiv1.ActRequest{TableId: g.id, What: &hanteiv1.ActRequest_Action{Action: reveal(secret.Events[0].EventId)}}
	_, err := g.Play.Act(g.gm, shown)
	g.ok(err)
	g.undo(g.gm, "") // the revelation
	e = eventOf(g.undo(g.gm, "").Events, "undone")
	if !slices.Equal(e.Undoes, ids(secret.Events)) {
		t.Errorf("%v, want %v", e.Undoes, ids(secret.Events))
	}
	_, err = g.Play.Act(g.gm, shown)
	refused(t, err, codes.FailedPrecondition, "EVENT_UNDONE")
	if got := g.view(g.gm); got.StateHash != before.StateHash {
		t.Errorf("the state is another: %v", got)
	}

	// A hidden change after it is told as any other.
	end = g.act(g.nurse, "nurse", endTurn()).Outcome
	g.override("thug", &tablev1.Operation{Operation: &tablev1.Operation_Stat{Stat: &tablev1.StatInput{Key: "knife", Value: 1}}})
	g.fenced(g.nurse, "", "last")
	g.fenced(g.nurse, end.Events[0].EventId, "last")
	g.undo(g.gm, "")

	// Dice, a question.
	g.act(g.gm, "thug", attack("knife", "nurse"), "1D100=20")
	g.fenced(g.nurse, "", "last") // of a step that waits
	g.undo(g.gm, "")
	g.undo(g.gm, "") // the end of the turn
	g.act(g.nurse, "nurse", check("spot"))
	g.fenced(g.nurse, "", "dice")
	// A roll that one declared, and may not know the result of.
	g.undo(g.gm, "")
	hidden := g.request("nurse", check("spot"))
	hidden.Audience = typev1.Audience_AUDIENCE_GM
	_, err = g.Play.Act(g.nurse, hidden)
	g.ok(err)
	g.fenced(g.nurse, "", "last")

	// Who only looks on, takes nothing back.
	r, err := g.Seat.InviteSeat(g.gm, &hanteiv1.InviteSeatRequest{TableId: g.id, Name: "Looker", Role: tablev1.SeatRole_SEAT_ROLE_OBSERVER})
	g.ok(err)
	_, err = g.Play.Undo(as(t, auth.Principal{Seat: r.Seat.Id, Table: g.id}), &hanteiv1.UndoRequest{TableId: g.id})
	refused(t, err, codes.PermissionDenied, "NOT_YOUR_SEAT")
}

// TestUndoIsDoneOnce: who repeats the request gets the same answer, whatever has
// happened since, and nothing is taken back twice; a bridge does it for a seat.
func TestUndoIsDoneOnce(t *testing.T) {
	g := start(t).table()
	bridge := g.bridge("relay").Id
	g.admit(bridge)
	g.sample("nurse", "thug")
	g.override("thug", setHP(2))
	r := &hanteiv1.UndoRequest{TableId: g.id, RequestId: "r", Reason: "a slip"}
	first, err := g.Play.Undo(calling(bridge, g.gmSeat), r)
	g.ok(err)
	head := g.head()
	for range 2 {
		again, err := g.Play.Undo(calling(bridge, g.gmSeat), r)
		g.ok(err)
		same(t, again, first)
		if g.head() != head {
			t.Error("it was done twice")
		}
		g.override("thug", setHP(1))
		head = g.head()
		g.restart()
	}
	r.Reason = "another"
	_, err = g.Play.Undo(calling(bridge, g.gmSeat), r)
	refused(t, err, codes.AlreadyExists, "REQUEST_ID_REUSED")
}

// TestUndoOptions: the options come back, and with them who sees what; whether the
// table is paused stays, and is no reason not to take something back.
func TestUndoOptions(t *testing.T) {
	g := start(t).table().fight()
	g.set(opt("party_sheets", "hidden"), opt("crit", "7"))
	end := g.act(g.nurse, "nurse", endTurn()).Outcome
	pause := func(yes bool) {
		_, err := g.Table.UpdateTable(g.gm, &hanteiv1.UpdateTableRequest{TableId: g.id, Paused: &yes})
		g.ok(err)
	}
	pause(true)
	_, err := g.Play.Undo(g.nurse, &hanteiv1.UndoRequest{TableId: g.id})
	refused(t, err, codes.FailedPrecondition, "TABLE_PAUSED")
	e := eventOf(g.undo(g.gm, "").Events, "undone")
	if !slices.Equal(e.Undoes, ids(end.Events)) {
		t.Errorf("%v, want %v undone", e.Undoes, ids(end.Events))
	}
	if c := sheetOf(g.view(g.student), "nurse"); len(c.Stats) != 0 {
		t.Error("the student sees the nurse's sheet")
	}
	g.undo(g.gm, "") // the options
	if c := sheetOf(g.view(g.student), "nurse"); len(c.Stats) == 0 {
		t.Error("the student does not see the nurse's sheet")
	}
	row, err := g.Table.GetTable(g.gm, &hanteiv1.GetTableRequest{TableId: g.id})
	g.ok(err)
	if !row.Table.Paused {
		t.Error("the table goes on")
	}
	for _, o := range row.Table.Options {
		if o.Key == "crit" && o.Value == "7" {
			t.Errorf("the table is told to have %v", o)
		}
	}
	pause(false)
	g.act(g.nurse, "nurse", endTurn())
	pause(true)
	pause(false)
	g.undo(g.nurse, "") // over the pause
}

// TestUndoIsKept: a server that starts anew, from a snapshot, and a copy of the table
// know what was taken back.
func TestUndoIsKept(t *testing.T) {
	g := start(t).table()
	g.sample("nurse", "thug")
	secret := g.roll(g.gm, &hanteiv1.RollRequest{Formula: "1D100", Audience: typev1.Audience_AUDIENCE_GM}).Outcome.Events[0].EventId
	g.override("thug", setHP(3))
	undo := eventOf(g.undo(g.gm, secret).Events, "undone").EventId
	g.rolls(30)
	hash := g.view(g.gm).StateHash
	g.restart()
	if s := g.snapshot(0); s.Number < 30 {
		t.Fatalf("a snapshot of commit %d", s.Number)
	}
	told := g.history(g.nurse)
	g.restart()
	shown := &hanteiv1.ActRequest{TableId: g.id, What: &hanteiv1.ActRequest_Action{Action: reveal(secret)}}
	_, err := g.Play.Act(g.gm, shown)
	refused(t, err, codes.FailedPrecondition, "EVENT_UNDONE")

	copied, r := g.server.imported(g.export(g.gm).Content)
	if r.StateHash != hash {
		t.Error("the copy has another state")
	}
	was, is := g.history(g.nurse), copied.history(copied.nurse)
	if len(is) != len(was)+1 || len(was) != len(told) { // in the copy an epoch of dice begins
		t.Errorf("%d events at the table, %d in the copy", len(was), len(is))
	}
	var undone *tablev1.EventView
	for _, e := range copied.events(copied.gm) {
		if e.Name == "undone" {
			undone = e
		}
	}
	if undone == nil || len(undone.Undoes) != 2 {
		t.Fatalf("%v", undone)
	}
	_, err = copied.Play.Undo(copied.gm, &hanteiv1.UndoRequest{TableId: copied.id, EventId: undone.Undoes[0]})
	refused(t, err, codes.FailedPrecondition, "EVENT_UNDONE")
	// And the undo can be taken back in both.
	g.undo(g.gm, undo)
	copied.undo(copied.gm, undone.EventId)
	if g.view(g.gm).StateHash != copied.view(copied.gm).StateHash {
		t.Error("the tables differ")
	}
	_, err = g.Play.Act(g.gm, shown)
	g.ok(err)
}

// TestUndoTellsNoSecret: who was not told of something is not told that it was taken
// back, by the stream, the list or the view.
func TestUndoTellsNoSecret(t *testing.T) {
	g := start(t).table(opt("party_sheets", "hidden"))
	g.sample("nurse", "student", "thug")
	g.override("thug", setHP(12))
	w := g.watch(g.student, "")
	defer w.stop()
	w.next()
	before, told := g.view(g.student), len(g.events(g.student))
	g.roll(g.gm, &hanteiv1.RollRequest{Formula: "1D100", Audience: typev1.Audience_AUDIENCE_GM})
	g.roll(g.nurse, &hanteiv1.RollRequest{Actor: "nurse", Formula: "1D100", Audience: typev1.Audience_AUDIENCE_OWNER})
	thug := g.request("thug", check("spot"), "1D100=40")
	thug.Audience = typev1.Audience_AUDIENCE_GM
	_, err := g.Play.Act(g.gm, thug)
	g.ok(err)
	g.override("thug", setHP(10))                                                                                                // whose band stays
	g.override("thug", &tablev1.Operation{Operation: &tablev1.Operation_Stat{Stat: &tablev1.StatInput{Key: "knife", Value: 1}}}) // hidden
	g.override("nurse", &tablev1.Operation{Operation: &tablev1.Operation_Stat{Stat: &tablev1.StatInput{Key: "spot", Value: 1}}}) // of a hidden sheet
	last := eventOf(g.events(g.gm), "rolled")
	undo := eventOf(g.undo(g.gm, last.EventId).Events, "undone")
	if len(undo.Undoes) < 6 {
		t.Errorf("%v", undo.Undoes)
	}
	g.undo(g.gm, undo.EventId)
	if got := g.events(g.student); len(got) != told {
		t.Errorf("the student is told %v", got[told:])
	}
	after := g.view(g.student)
	after.Cursor, before.Cursor = "", ""
	same(t, after, before)
	w.nothing()

	// Beside something that all were told of, only that is told.
	last = eventOf(g.roll(g.gm, &hanteiv1.RollRequest{Formula: "1D100"}).Outcome.Events, "rolled")
	g.roll(g.gm, &hanteiv1.RollRequest{Formula: "1D100", Audience: typev1.Audience_AUDIENCE_GM})
	w.next()
	g.undo(g.gm, last.EventId)
	f := w.next()
	if e := f.Events[0]; len(f.Events) != 1 || !slices.Equal(e.Undoes, []string{last.EventId}) || e.Text.GetText() != "GM takes back what was done: a slip." {
		t.Errorf("the student is told %v", f.Events)
	}
	same(t, eventOf(g.events(g.student), "undone"), f.Events[0])
}
