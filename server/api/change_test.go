package api_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
	"github.com/hantei/hantei/server/auth"
	"google.golang.org/grpc/codes"
)

func opt(key, value string) *tablev1.Option { return &tablev1.Option{Key: key, Value: value} }

func (t *table) update(ctx context.Context, change func(*hanteiv1.UpdateTableRequest)) (*hanteiv1.Table, error) {
	r := &hanteiv1.UpdateTableRequest{TableId: t.id}
	change(r)
	out, err := t.Table.UpdateTable(ctx, r)
	return out.GetTable(), err
}

func (t *table) set(options ...*tablev1.Option) *hanteiv1.Table {
	t.tb.Helper()
	out, err := t.update(t.gm, func(r *hanteiv1.UpdateTableRequest) { r.Options = options })
	t.ok(err)
	return out
}

func (t *table) pause(on bool) *hanteiv1.Table {
	t.tb.Helper()
	out, err := t.update(t.gm, func(r *hanteiv1.UpdateTableRequest) { r.Paused = &on })
	t.ok(err)
	return out
}

func optionOf(all []*tablev1.Option, key string) string {
	for _, o := range all {
		if o.Key == key {
			return o.Value
		}
	}
	return ""
}

func TestUpdateTable(t *testing.T) {
	s := start(t)
	g := s.table()
	w := g.watch(as(t, auth.Principal{Seat: g.nurseSeat, Table: g.id}, "ja"), "")
	defer w.stop()
	w.next() // what is asked
	name, paused := "Another", true
	made, err := g.update(g.gm, func(r *hanteiv1.UpdateTableRequest) {
		r.Name, r.Paused, r.Options = &name, &paused, []*tablev1.Option{opt("npc_hp", "none"), opt("crit", "7")}
	})
	s.ok(err)
	if made.Name != name || !made.Paused || optionOf(made.Options, "npc_hp") != "none" || optionOf(made.Options, "crit") != "7" || optionOf(made.Options, "paused") != "true" {
		t.Errorf("%v", made)
	}
	f := w.next()
	if len(f.Events) != 1 || !f.OffersChanged {
		t.Fatalf("%v", f)
	}
	e := f.Events[0]
	if e.Name != "options_changed" || len(e.Changes) != 3 || len(e.Facts) != 2 || e.Text.GetText() != "卓のオプションが変わった：NPCの残りHPの見せ方、クリティカルの上限、プレイを止めている → なし、7、はい。" {
		t.Errorf("%v", e)
	}
	told := func() {
		t.Helper()
		r, err := g.Table.GetTable(g.nurse, &hanteiv1.GetTableRequest{TableId: g.id})
		s.ok(err)
		same(t, r.Table, made)
		all, err := g.Table.ListTables(g.admin, &hanteiv1.ListTablesRequest{})
		s.ok(err)
		same(t, all.Tables[0], made)
		if v := g.view(g.gm); optionOf(v.Options, "crit") != "7" {
			t.Errorf("%v", v.Options)
		}
	}
	told()
	// The same again is nothing new; the name is no event.
	head := g.head()
	again, err := g.update(g.gm, func(r *hanteiv1.UpdateTableRequest) {
		r.Paused, r.Options = &paused, []*tablev1.Option{opt("crit", "7")}
	})
	s.ok(err)
	same(t, again, made)
	made.Name = "Admin's"
	named, err := g.update(g.admin, func(r *hanteiv1.UpdateTableRequest) { r.Name = &made.Name })
	s.ok(err)
	same(t, named, made)
	if g.head() != head {
		t.Error("there is a commit of nothing")
	}
	w.nothing()
	s.restart()
	told()
}

func TestUpdateTableRefusals(t *testing.T) {
	s := start(t)
	g := s.table()
	seat, err := g.Seat.InviteSeat(g.gm, &hanteiv1.InviteSeatRequest{TableId: g.id, Name: "O", Role: tablev1.SeatRole_SEAT_ROLE_OBSERVER})
	s.ok(err)
	observer := as(t, auth.Principal{Seat: seat.Seat.Id, Table: g.id})
	head := g.head()
	on := true
	options := func(all ...*tablev1.Option) func(*hanteiv1.UpdateTableRequest) {
		return func(r *hanteiv1.UpdateTableRequest) { r.Options = all }
	}
	name := func(n string) func(*hanteiv1.UpdateTableRequest) {
		return func(r *hanteiv1.UpdateTableRequest) { r.Name = &n }
	}
	pause := func(r *hanteiv1.UpdateTableRequest) { r.Paused = &on }
	for what, c := range map[string]struct {
		ctx    context.Context
		change func(*hanteiv1.UpdateTableRequest)
		code   codes.Code
		reason string
		field  string
	}{
		"player":         {g.nurse, name("x"), codes.PermissionDenied, "NOT_YOUR_SEAT", ""},
		"player pauses":  {g.nurse, pause, codes.PermissionDenied, "NOT_YOUR_SEAT", ""},
		"observer":       {observer, options(opt("npc_hp", "exact")), codes.PermissionDenied, "NOT_YOUR_SEAT", ""},
		"admin's option": {g.admin, options(opt("npc_hp", "exact")), codes.PermissionDenied, "NOT_YOUR_SEAT", "options"},
		"admin pauses":   {g.admin, pause, codes.PermissionDenied, "NOT_YOUR_SEAT", "options"},
		"nothing":        {g.gm, func(*hanteiv1.UpdateTableRequest) {}, codes.InvalidArgument, "INVALID_FIELD", "name"},
		"empty name":     {g.gm, name(" "), codes.InvalidArgument, "INVALID_FIELD", "name"},
		"bad name":       {g.admin, name("a\u202eb"), codes.InvalidArgument, "INVALID_FIELD", "name"},
		"unknown option": {g.gm, options(opt("npc_hq", "exact")), codes.InvalidArgument, "INVALID_FIELD", "options.key"},
		"bad value":      {g.gm, options(opt("npc_hp", "some")), codes.InvalidArgument, "INVALID_FIELD", "options.value"},
		"bad number":     {g.gm, options(opt("crit", "x")), codes.InvalidArgument, "INVALID_FIELD", "options.value"},
		"twice":          {g.gm, options(opt("crit", "5"), opt("crit", "6")), codes.InvalidArgument, "INVALID_FIELD", "options.key"},
		"paused twice": {g.gm, func(r *hanteiv1.UpdateTableRequest) { pause(r); options(opt("paused", "true"))(r) },
			codes.InvalidArgument, "INVALID_FIELD", "options.key"},
		"good and bad": {g.gm, func(r *hanteiv1.UpdateTableRequest) { name("New")(r); options(opt("crit", "0x5"))(r) },
			codes.InvalidArgument, "INVALID_FIELD", "options.value"},
	} {
		_, err := g.update(c.ctx, c.change)
		if info := refused(t, err, c.code, c.reason); info.GetMetadata()["field"] != c.field || t.Failed() {
			t.Fatalf("%s: %v", what, info)
		}
	}
	r, err := g.Table.GetTable(g.gm, &hanteiv1.GetTableRequest{TableId: g.id})
	s.ok(err)
	if r.Table.Name != "Test" || g.head() != head {
		t.Error("something was changed")
	}
}

// What players see changes with the option, and for what is told from then on:
// the past stays as it was.
func TestUpdateVisibility(t *testing.T) {
	s := start(t)
	g := s.table().fight()
	hp := func() *typev1.Resource {
		for _, c := range g.view(g.nurse).Characters {
			for _, r := range c.Resources {
				if c.Id == "thug" && r.Key == "hp" {
					return r
				}
			}
		}
		return nil
	}
	past := func(n int) []*tablev1.EventView {
		r, err := g.Play.ListEvents(g.nurse, &hanteiv1.ListEventsRequest{TableId: g.id})
		s.ok(err)
		return r.Events[:n]
	}
	if hp().Value != nil {
		t.Fatal("the number is seen from the beginning")
	}
	r, err := g.Play.ListEvents(g.nurse, &hanteiv1.ListEventsRequest{TableId: g.id})
	s.ok(err)
	before := r.Events
	g.set(opt("npc_hp", "exact"))
	if hp().Value == nil {
		t.Error("the number is not seen")
	}
	for i, e := range past(len(before)) {
		same(t, e, before[i])
	}
	g.set(opt("npc_hp", "band"))
	if hp().Value != nil {
		t.Error("the number is still seen")
	}
}

// Options change while somebody is asked, and the server goes down in between:
// the step goes on as it began, and by the new options from there.
func TestUpdateWhileAStepWaits(t *testing.T) {
	s := start(t)
	g := s.table().fight()
	g.struck()
	g.set(opt("given_dice", "all"), opt("window_policy", "always_ask"), opt("party_sheets", "hidden"))
	s.restart()
	g.answer(g.student, "student", "decline")
	r := g.answer(g.nurse, "nurse", "dodge")
	if len(r.Outcome.Prompts) != 1 || r.Outcome.Prompts[0].Name != "dice" {
		t.Fatalf("%v", r.Outcome)
	}
	g.set(opt("given_dice", "off"))
	s.restart()
	// By hand is not possible any more, so the server rolls for who was asked.
	_, err := g.Play.Answer(g.nurse, &hanteiv1.AnswerRequest{TableId: g.id, PromptId: "-", GivenDice: []string{"1D100=1"}, Answers: []*hanteiv1.SlotAnswer{
		{Character: "nurse"},
	}})
	refused(t, err, codes.InvalidArgument, "BAD_DICE")
	if r = g.answer(g.nurse, "nurse", "server_rolls"); r.Outcome.State != hanteiv1.StepState_STEP_STATE_DONE {
		t.Fatalf("%v", r.Outcome)
	}
}

func TestPaused(t *testing.T) {
	s := start(t)
	g := s.table().fight()
	ending := g.request("nurse", endTurn())
	ending.RequestId = "r"
	first, err := g.Play.Act(g.nurse, ending)
	s.ok(err)
	g.act(g.gm, "thug", attack("knife", "nurse"), "1D100=20")
	w := g.watch(g.nurse, "")
	defer w.stop()
	w.next()
	g.pause(true)
	if f := w.next(); f.Events[0].Name != "options_changed" {
		t.Errorf("%v", f)
	}
	acting := func(ctx context.Context, actor string) error {
		_, err := g.Play.Act(ctx, g.request(actor, check("spot")))
		return err
	}
	refused(t, acting(g.nurse, "nurse"), codes.FailedPrecondition, "TABLE_PAUSED")
	refused(t, acting(g.gm, "thug"), codes.FailedPrecondition, "TABLE_PAUSED")
	_, err = g.Play.Answer(g.student, &hanteiv1.AnswerRequest{TableId: g.id, PromptId: "-", Answers: []*hanteiv1.SlotAnswer{
		{Character: "student", How: &hanteiv1.SlotAnswer_Choice{Choice: "decline"}},
	}})
	refused(t, err, codes.FailedPrecondition, "TABLE_PAUSED")
	// What was done already is answered again.
	again, err := g.Play.Act(g.nurse, ending)
	s.ok(err)
	if again.Outcome.StepId != first.Outcome.StepId {
		t.Error("the answer is another one")
	}
	// The GM's levers, sheets and looking go on.
	_, err = g.Play.Act(g.gm, &hanteiv1.ActRequest{TableId: g.id, What: &hanteiv1.ActRequest_Action{Action: note("x")}})
	s.ok(err)
	if f := w.next(); f.Events[0].Name != "rule_noted" {
		t.Errorf("%v", f)
	}
	g.sample("officer")
	w.next()
	v := g.view(g.nurse)
	if len(v.Offers) == 0 || len(g.view(g.student).Prompts) != 1 {
		t.Error("nothing is shown")
	}
	for _, o := range v.Offers {
		if o.Possible || o.Reason == "TABLE_PAUSED" && o.ReasonText == "" {
			t.Errorf("%v", o)
		}
	}
	if !slices.ContainsFunc(v.Offers, func(o *tablev1.OfferView) bool { return o.Reason == "TABLE_PAUSED" }) {
		t.Error("no offer says why")
	}
	s.restart()
	refused(t, acting(g.nurse, "nurse"), codes.FailedPrecondition, "TABLE_PAUSED")
	g.pause(false)
	g.answer(g.student, "student", "decline")
}

func TestDeleteTable(t *testing.T) {
	s := start(t)
	g, other := s.table().fight(), s.table()
	g.struck()
	w := g.watch(g.nurse, "")
	w.next()
	elsewhere := other.watch(other.gm, "")
	defer elsewhere.stop()
	elsewhere.next()
	remove := func(ctx context.Context) error {
		_, err := g.Table.DeleteTable(ctx, &hanteiv1.DeleteTableRequest{TableId: g.id})
		return err
	}
	for _, ctx := range []context.Context{g.gm, g.nurse} {
		refused(t, remove(ctx), codes.PermissionDenied, "NOT_YOUR_SEAT")
	}
	refused(t, remove(other.gm), codes.NotFound, "NOT_FOUND")
	refused(t, remove(context.Background()), codes.Unauthenticated, "TOKEN_MISSING")
	w.nothing()

	s.ok(remove(g.admin))
	if f := w.next(); f.EndReason != "TABLE_DELETED" || f.Cursor == "" {
		t.Errorf("%v", f)
	}
	if err := <-w.done; err != nil {
		t.Error(err)
	}
	refused(t, remove(g.admin), codes.NotFound, "NOT_FOUND")
	for name, call := range calls(s) {
		if name == "DeleteTable" {
			continue
		}
		refused(t, call(g.gm, g.id), codes.NotFound, "NOT_FOUND")
		if t.Failed() {
			t.Fatal(name)
		}
	}
	for _, token := range []string{g.gmToken, g.nurseToken} {
		if _, err := s.host.PrincipalByToken(t.Context(), auth.HashToken(token)); !errors.Is(err, auth.ErrUnknownToken) {
			t.Errorf("the token still opens something: %v", err)
		}
	}
	all, err := g.Table.ListTables(g.admin, &hanteiv1.ListTablesRequest{})
	s.ok(err)
	if len(all.Tables) != 1 || all.Tables[0].Id != other.id {
		t.Errorf("%v", all)
	}
	elsewhere.nothing()
	s.restart()
	refused(t, remove(g.admin), codes.NotFound, "NOT_FOUND")
	// One that nobody has asked for since the server started.
	_, err = g.Table.DeleteTable(g.admin, &hanteiv1.DeleteTableRequest{TableId: other.id})
	s.ok(err)
}
