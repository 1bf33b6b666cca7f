package api_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"
)

func sheetOf(v *tablev1.TableView, id string) *tablev1.CharacterView {
	for _, c := range v.Characters {
		if c.Id == id {
			return c
		}
	}
	return nil
}

// TestOverride: every kind of operation writes what it names, and nothing else.
func TestOverride(t *testing.T) {
	g := start(t).table()
	g.sample("nurse", "thug")
	_, err := g.Play.Act(g.gm, &hanteiv1.ActRequest{TableId: g.id, What: &hanteiv1.ActRequest_Action{Action: &tablev1.Action{Ruleset: &tablev1.Action_Core{Core: &tablev1.CoreAction{
		Action: &tablev1.CoreAction_Modify{Modify: &tablev1.Modify{Character: "nurse", Value: 5}},
	}}}}})
	g.ok(err)
	for _, c := range []struct {
		name string
		op   *tablev1.Operation
		got  func(*tablev1.CharacterView) any
		want any
	}{
		{"resource", setHP(3), func(c *tablev1.CharacterView) any { return c.Resources[0].GetValue() }, int32(3)},
		{"maximum", &tablev1.Operation{Operation: &tablev1.Operation_Resource{Resource: &tablev1.ResourceInput{Key: "hp", Max: proto.Int32(20)}}},
			func(c *tablev1.CharacterView) any { return c.Resources[0].GetMax() }, int32(20)},
		{"stat", &tablev1.Operation{Operation: &tablev1.Operation_Stat{Stat: &tablev1.StatInput{Key: "spot", Value: 77}}}, func(c *tablev1.CharacterView) any {
			for _, s := range c.Stats {
				if s.Key == "spot" {
					return s.GetValue()
				}
			}
			return nil
		}, int32(77)},
		{"status", &tablev1.Operation{Operation: &tablev1.Operation_Status{Status: &tablev1.StatusInput{Key: "knocked_down"}}},
			func(c *tablev1.CharacterView) any { return len(c.Statuses) }, 1},
		{"end of a status", &tablev1.Operation{Operation: &tablev1.Operation_Status{Status: &tablev1.StatusInput{Key: "knocked_down", Ends: true}}},
			func(c *tablev1.CharacterView) any { return len(c.Statuses) }, 0},
		{"end of a modifier", &tablev1.Operation{Operation: &tablev1.Operation_EndModifier{EndModifier: "gm.check"}},
			func(c *tablev1.CharacterView) any { return len(c.Modifiers) }, 0},
		{"part", &tablev1.Operation{Operation: &tablev1.Operation_Part{Part: &tablev1.Part{Ruleset: &tablev1.Part_Coc{Coc: &cocv1.Part{
			Part: &cocv1.Part_Wounds{Wounds: &cocv1.Wound{Id: 1, Amount: 4}},
		}}}}}, func(c *tablev1.CharacterView) any { return c.Details.GetCoc().GetWounds()[0].Amount }, int32(4)},
		{"position", &tablev1.Operation{Operation: &tablev1.Operation_Position{Position: &tablev1.PositionInput{Square: &typev1.Square{X: 3, Y: 2}}}},
			func(c *tablev1.CharacterView) any { return c.Position.GetX() }, int32(3)},
		{"off the map", &tablev1.Operation{Operation: &tablev1.Operation_Position{Position: &tablev1.PositionInput{}}},
			func(c *tablev1.CharacterView) any { return c.Position == nil }, true},
	} {
		o := g.override("nurse", c.op)
		if e := o.Events[0]; len(o.Events) != 1 || e.Name != "gm_override" || e.Rule != "COC-GM-01" || e.Text.GetText() != "Nurse: the keeper changes the sheet (so be it)." {
			t.Errorf("%s: %v", c.name, o.Events)
		}
		if got := c.got(sheetOf(g.view(g.nurse), "nurse")); !cmp.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	for _, c := range []struct {
		field string
		op    *tablev1.Operation
	}{
		{"operation", nil},
		{"operation", &tablev1.Operation{}},
		{"operation.resource.key", &tablev1.Operation{Operation: &tablev1.Operation_Resource{Resource: &tablev1.ResourceInput{Key: "ki", Value: proto.Int32(1)}}}},
		{"operation.resource.value", &tablev1.Operation{Operation: &tablev1.Operation_Resource{Resource: &tablev1.ResourceInput{Key: "hp"}}}},
		{"operation.resource.value", setHP(21)},
		{"operation.resource.value", setHP(-10000)},
		{"operation.resource.value", &tablev1.Operation{Operation: &tablev1.Operation_Resource{Resource: &tablev1.ResourceInput{Key: "mp", Value: proto.Int32(-1)}}}},
		{"operation.resource.max", &tablev1.Operation{Operation: &tablev1.Operation_Resource{Resource: &tablev1.ResourceInput{Key: "hp", Max: proto.Int32(-1)}}}},
		{"operation.stat.key", &tablev1.Operation{Operation: &tablev1.Operation_Stat{Stat: &tablev1.StatInput{Key: "spott"}}}},
		{"operation.stat.value", &tablev1.Operation{Operation: &tablev1.Operation_Stat{Stat: &tablev1.StatInput{Key: "spot", Value: -1}}}},
		{"operation.stat.value", &tablev1.Operation{Operation: &tablev1.Operation_Stat{Stat: &tablev1.StatInput{Key: "spot", Value: 10000}}}},
		{"operation.status.key", &tablev1.Operation{Operation: &tablev1.Operation_Status{Status: &tablev1.StatusInput{Key: "tired"}}}},
		{"operation.end_modifier", &tablev1.Operation{Operation: &tablev1.Operation_EndModifier{EndModifier: "gm.check"}}},
		{"operation.part", &tablev1.Operation{Operation: &tablev1.Operation_Part{}}},
		{"operation.part", &tablev1.Operation{Operation: &tablev1.Operation_Part{Part: &tablev1.Part{}}}},
	} {
		_, err := g.Play.Override(g.gm, &hanteiv1.OverrideRequest{TableId: g.id, Character: "nurse", Operation: c.op})
		if info := refused(t, err, codes.InvalidArgument, "INVALID_FIELD"); info.GetMetadata()["field"] != c.field {
			t.Errorf("%v: %v, want %s", c.op, info, c.field)
		}
	}
	_, err = g.Play.Override(g.nurse, &hanteiv1.OverrideRequest{TableId: g.id, Character: "nurse", Operation: setHP(1)})
	refused(t, err, codes.PermissionDenied, "NOT_YOUR_SEAT")
	_, err = g.Play.Override(g.gm, &hanteiv1.OverrideRequest{TableId: g.id, Character: "nobody", Operation: setHP(1)})
	if info := refused(t, err, codes.FailedPrecondition, "BAD_TARGET"); info.GetMetadata()["field"] != "character" {
		t.Errorf("%v", info)
	}
}

// TestOverrideReason: why the keeper overrides is his; that he did is told to those who
// see what changed.
func TestOverrideReason(t *testing.T) {
	g := start(t).table()
	g.sample("nurse", "thug")
	g.override("nurse", setHP(3))
	if e := eventOf(g.events(g.student), "gm_override"); e == nil || len(e.Facts) != 0 || len(e.Changes) != 1 {
		t.Errorf("the student is told %v", e)
	}
	before := len(g.events(g.student))
	g.override("thug", &tablev1.Operation{Operation: &tablev1.Operation_Stat{Stat: &tablev1.StatInput{Key: "knife", Value: 1}}})
	if after := g.events(g.student); len(after) != before {
		t.Errorf("the student is told %v", after[before:])
	}
	g.undo(g.gm, "")
	if after := g.events(g.student); len(after) != before {
		t.Errorf("the student is told of the undo: %v", after[before:])
	}
}

// TestOverrideWhileAStepWaits: what the rules read after the prompt is the new value;
// what they did before it stays as it was, over a restart too.
func TestOverrideWhileAStepWaits(t *testing.T) {
	g := start(t).table().fight()
	g.struck()
	before := g.events(g.gm)
	g.override("nurse", setHP(2))
	g.restart()
	g.answer(g.student, "student", "decline")
	if _, err := g.Play.Answer(g.gm, &hanteiv1.AnswerRequest{TableId: g.id, PromptId: "-", GivenDice: []string{"1D4=3", "1D4=3"}, Answers: []*hanteiv1.SlotAnswer{
		{Character: "nurse", How: &hanteiv1.SlotAnswer_Choice{Choice: "none"}},
	}}); err != nil {
		t.Fatal(err, details(err))
	}
	v := g.view(g.gm)
	if got := hp(v, "nurse"); got >= 2 || len(v.WaitingOn) > 0 && v.WaitingOn[0].Name == "defend" {
		t.Errorf("the nurse has %d hit points; %v", got, v.WaitingOn)
	}
	after := g.events(g.gm)
	for i, e := range before {
		same(t, after[i], e)
	}
}
