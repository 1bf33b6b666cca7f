package api_test

import (
	"context"
	"strings"
	"testing"

	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
	"github.com/hantei/hantei/server/auth"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/fieldmaskpb"
)

func (t *table) preview(actor string, a *cocv1.Action, answers ...*hanteiv1.SupposedAnswer) *hanteiv1.PreviewRequest {
	return &hanteiv1.PreviewRequest{
		TableId: t.id, Actor: actor, Answers: answers,
		What: &hanteiv1.PreviewRequest_Action{Action: &tablev1.Action{Ruleset: &tablev1.Action_Coc{Coc: a}}},
	}
}

func (t *table) odds(ctx context.Context, r *hanteiv1.PreviewRequest) *tablev1.OddsView {
	t.tb.Helper()
	o, err := t.Play.Preview(ctx, r)
	t.ok(err)
	return o.Odds
}

// happens is the probability of the first event of a name that the odds tell.
func happens(o *tablev1.OddsView, name string) string {
	for _, e := range o.Events {
		if e.Event.Name == name {
			return e.Probability.Fraction + " " + e.Probability.Decimal
		}
	}
	return ""
}

// TestPreview: the GM is told all that can come of an action, with the odds of each
// answer, and nothing is done.
func TestPreview(t *testing.T) {
	g := start(t).table().fight()
	w, head, before := g.watch(g.nurse, ""), g.head(), g.view(g.gm)
	o := g.odds(as(t, auth.Principal{Seat: g.gmSeat, Table: g.id}, "ja"), g.preview("nurse", attack("fist", "thug")))
	if o.Method != tablev1.OddsMethod_ODDS_METHOD_EXACT || o.Leaves == 0 || o.Samples != 0 || o.Margin != nil || len(o.Stops) > 0 {
		t.Errorf("%v", o)
	}
	q := o.Question
	if q == nil || q.Prompt != "defend" || q.Character != "thug" || q.DefaultChoice != "none" || q.Text.GetText() == "" {
		t.Fatalf("question %v", q)
	}
	for _, c := range q.Choices {
		if c.Text == "" || c.Odds == nil || happens(c.Odds, "attack_hit") == "" {
			t.Errorf("%s: %v", c.Choice, c.Odds)
		}
		if c.Choice == q.DefaultChoice && happens(c.Odds, "attack_hit") != happens(o, "attack_hit") {
			t.Error("around the question are not the odds of its default")
		}
	}
	for _, e := range o.Events {
		if e.Event.EventId != "" || len(e.Event.Changes) > 0 || e.Event.Name == "attack_hit" && !strings.Contains(e.Event.Text.GetText(), "攻撃") {
			t.Errorf("%v", e)
		}
	}
	dodged := g.odds(g.gm, g.preview("nurse", attack("fist", "thug"), &hanteiv1.SupposedAnswer{Prompt: "defend", Choice: "dodge"},
		&hanteiv1.SupposedAnswer{Prompt: "cover", Choice: "cover"}))
	if rows := dodged.Resources; len(rows) != 2 || rows[0].Character != "nurse" || rows[1].Character != "thug" || rows[1].Key != "hp" || rows[1].Before != 13 {
		t.Errorf("%v", rows)
	}
	if len(dodged.UnusedAnswers) != 1 || dodged.UnusedAnswers[0] != "cover" {
		t.Errorf("unused %v", dodged.UnusedAnswers)
	}
	if dodged.Question != nil && len(dodged.Question.Choices) > 0 && dodged.Question.Choices[0].Odds != nil {
		t.Error("who answers compares by himself")
	}
	after := g.view(g.gm)
	before.Cursor, after.Cursor = "", "" // made anew each time
	same(t, after, before)
	if g.head() != head {
		t.Error("something was stored")
	}
	w.next() // the first frame
	w.nothing()
}

// TestPreviewRefused: as Act is, to the letter.
func TestPreviewRefused(t *testing.T) {
	g := start(t).table().fight()
	both := func(ctx context.Context, actor string, a *cocv1.Action) {
		t.Helper()
		_, acted := g.Play.Act(ctx, g.request(actor, a))
		_, tried := g.Play.Preview(ctx, g.preview(actor, a))
		if acted == nil || tried == nil || told(acted) != told(tried) {
			t.Errorf("%s %v: act %v, preview %v", actor, a, acted, tried)
		}
	}
	both(g.nurse, "nurse", attack("sword", "thug"))
	both(g.nurse, "nurse", attack("fist", "thugg"))
	both(g.nurse, "student", attack("fist", "thug"))
	both(g.student, "student", attack("fist", "thug"))
	both(g.nurse, "", startCombat("nurse"))
	both(g.nurse, "nobody", attack("fist", "thug"))
	g.struck()
	both(g.gm, "thug", attack("knife", "nurse")) // PROMPT_PENDING

	g = g.server.table().fight()
	for _, r := range []*hanteiv1.PreviewRequest{
		g.preview("", rpPoints("nurse")),
		{TableId: g.id, Actor: "nurse"},
		{TableId: g.id, What: &hanteiv1.PreviewRequest_Offer{Offer: &hanteiv1.OfferChoice{}}},
		g.preview("nurse", attack("fist", "thug"), &hanteiv1.SupposedAnswer{Prompt: "defent", Choice: "dodge"}),
	} {
		_, err := g.Play.Preview(g.gm, r)
		if info := refused(t, err, codes.InvalidArgument, "INVALID_FIELD"); len(r.Answers) > 0 && info.GetMetadata()["nearest"] != "defend" {
			t.Errorf("%v", info)
		}
	}
	ctx, cancel := context.WithCancel(g.gm)
	cancel()
	if _, err := g.Play.Preview(ctx, g.preview("nurse", attack("fist", "thug"))); status.Code(err) != codes.Canceled {
		t.Errorf("nobody waits, and it is worked out: %v", err)
	}
}

// TestPreviewStops: a player is told what he may know, and where that ends. The thug's
// values make no difference to a byte of it.
func TestPreviewStops(t *testing.T) {
	s := start(t)
	tables := []*table{s.table().fight(), s.table().fight()}
	for _, key := range []string{"dodge", "armour", "con", "fist"} {
		value := int32(17)
		r := &hanteiv1.UpdateCharacterRequest{
			TableId: tables[1].id, CharacterId: "thug", UpdateMask: &fieldmaskpb.FieldMask{Paths: []string{"sheet.stats"}},
			Sheet: &tablev1.SheetInput{Stats: []*tablev1.StatInput{{Key: key, Value: value}}},
		}
		if key == "armour" {
			r.Sheet.Stats[0].Value = 3
		}
		_, err := s.Character.UpdateCharacter(tables[1].gm, r)
		s.ok(err)
	}
	for _, a := range []*cocv1.Action{
		attack("fist", "thug"),
		{Action: &cocv1.Action_Opposed{Opposed: &cocv1.Opposed{Skill: "spot", Target: "thug", TargetSkill: "dodge"}}},
		check("spot"),
	} {
		o, other := tables[0].odds(tables[0].nurse, tables[0].preview("nurse", a)), tables[1].odds(tables[1].nurse, tables[1].preview("nurse", a))
		same(t, other, o)
		if x, y := proto.Size(o), proto.Size(other); x != y {
			t.Errorf("%v: %d bytes, and %d", a, x, y)
		}
		gm, otherGM := tables[0].odds(tables[0].gm, tables[0].preview("nurse", a)), tables[1].odds(tables[1].gm, tables[1].preview("nurse", a))
		if proto.Equal(gm, otherGM) && a.GetCheck() == nil {
			t.Errorf("%v: the values make no difference to the GM either", a)
		}
		if len(gm.Stops) > 0 || (len(o.Stops) == 0) != (a.GetCheck() != nil) || len(o.Stops) > 0 && len(o.Resources)+len(o.Statuses) > 0 {
			t.Errorf("%v: stops %v", a, o.Stops)
		}
		if happens(o, "check_resolved") == "" || happens(o, "check_resolved") != happens(gm, "check_resolved") {
			t.Errorf("%v: one's own roll is not told: %v", a, o)
		}
	}
	o := tables[0].odds(tables[0].nurse, tables[0].preview("nurse", attack("fist", "thug")))
	if len(o.Stops) != 1 || o.Stops[0].Character != "thug" || o.Stops[0].Label != "defend" || o.Stops[0].Probability.Fraction != "1/2" {
		t.Errorf("stops %v", o.Stops)
	}
	if happens(o, "attack_missed") != "9/20 0.450000" || happens(o, "defence_rolled") != "" {
		t.Errorf("%v", o)
	}
}

// TestPreviewPrompt: where somebody is asked the GM is told what each answer comes to,
// with the dice as they lie. A player is not: what has led there may be hidden.
func TestPreviewPrompt(t *testing.T) {
	g := start(t).table().fight()
	g.struck()
	asked := g.view(g.student).Prompts
	if len(asked) != 1 {
		t.Fatal("the student is not asked")
	}
	v, p := g.view(g.gm), asked[0]
	of := func(id string, answers ...*hanteiv1.SupposedAnswer) *hanteiv1.PreviewRequest {
		return &hanteiv1.PreviewRequest{TableId: g.id, What: &hanteiv1.PreviewRequest_PromptId{PromptId: id}, Answers: answers}
	}
	head := g.head()
	o := g.odds(g.gm, of(p.Id))
	q := o.Question
	if q == nil || q.Prompt != p.Name || q.Character != p.Character || q.Probability.Fraction != "1" || len(q.Choices) < 2 {
		t.Fatalf("%v", q)
	}
	for _, c := range q.Choices {
		if c.Text == "" || c.Odds == nil || happens(c.Odds, "check_resolved") == "1 1.000000" {
			t.Errorf("%v", c)
		}
	}
	if proto.Equal(q.Choices[0].Odds, q.Choices[1].Odds) {
		t.Error("the answers make no difference")
	}
	covered := g.odds(g.gm, of(p.Id, &hanteiv1.SupposedAnswer{Prompt: p.Name, Choice: "cover"}))
	if len(covered.UnusedAnswers) > 0 || happens(covered, "covered") != "1 1.000000" {
		t.Errorf("%v", covered)
	}
	after := g.view(g.gm)
	v.Cursor, after.Cursor = "", ""
	same(t, after, v)
	if g.head() != head {
		t.Error("something was stored")
	}

	_, err := g.Play.Preview(g.student, of(p.Id))
	refused(t, err, codes.PermissionDenied, "NOT_YOUR_SEAT")
	_, err = g.Play.Preview(g.nurse, of(p.Id)) // whom nobody asks
	refused(t, err, codes.NotFound, "NOT_FOUND")
	_, err = g.Play.Preview(g.gm, of("nothing"))
	refused(t, err, codes.NotFound, "NOT_FOUND")
	g.answer(g.student, "student", "decline")
	_, err = g.Play.Preview(g.gm, of(p.Id))
	refused(t, err, codes.FailedPrecondition, "PROMPT_CLOSED")
}
