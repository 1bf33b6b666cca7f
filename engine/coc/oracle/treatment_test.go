package oracle_test

import (
	"testing"

	"github.com/hantei/hantei/engine/coc/oracle"
	"github.com/hantei/hantei/engine/table"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	"google.golang.org/protobuf/proto"
	"pgregory.net/rapid"
)

// TestTreatment compares First Aid, Medicine and weeks of healing outside a fight
// (COC-INJ-05, 06).
func TestTreatment(t *testing.T) {
	many(t, func(t *rapid.T) {
		patient := drawSheet(t, "ada", pc)
		hp := table.Resource(patient, "hp")
		*hp.Max = rapid.Int32Range(40, 80).Draw(t, "most hp")
		*hp.Value = hp.GetMax() - rapid.Int32Range(0, 30).Draw(t, "lost hp")
		wounds := int32(rapid.IntRange(1, 12).Draw(t, "wounds"))
		details := patient.Details.GetCoc()
		for id := range wounds {
			details.Wounds = append(details.Wounds, &cocv1.Wound{Id: id + 1, Amount: rapid.Int32Range(1, 9).Draw(t, "wound")})
		}
		g := newGame(t, drawSheet(t, "doc", pc, "first_aid", "medicine"), patient)
		l := ledger{g, map[string][]string{}}
		for range inputsPerTable {
			if g.resource("ada", "hp") < 4 {
				return
			}
			if rapid.IntRange(0, 4).Draw(t, "what") == 4 {
				week(g, &l)
			} else {
				treatWound(g, &l, rapid.Int32Range(0, wounds+1).Draw(t, "wound"))
			}
			g.allUsed()
			g.settle()
		}
	})
}

// treatWound has the doctor treat a wound, 0 for the newest that is left.
func treatWound(g *game, l *ledger, id int32) {
	var m proto.Message = &cocv1.FirstAid{Target: "ada", Wound: id}
	skill, tried := "first_aid", (*cocv1.Wound).GetFirstAidTried
	if rapid.Bool().Draw(g.T, "medicine") {
		m = &cocv1.Medicine{Target: "ada", Wound: id}
		skill, tried = "medicine", (*cocv1.Wound).GetMedicineTried
	}
	why := "NO_WOUND"
	unhealed, hp, most := 0, g.resource("ada", "hp"), int(table.Resource(g.character("ada"), "hp").GetMax())
	for _, w := range g.character("ada").Details.GetCoc().Wounds {
		switch {
		case id == 0 && !tried(w), id == w.Id && !tried(w):
			why, unhealed = "", int(w.Amount-w.Healed)
		case id == w.Id:
			why = "WOUND_TREATED"
		}
	}
	g.same("refusal", g.try("doc", m), why)
	if why != "" {
		return
	}
	d := g.replay()
	roll := d(100)
	result := g.options.Check(oracle.Clamp(g.stat("doc", skill)), roll)
	g.same("result", fact(g.one("check_resolved"), "result"), result)
	l.expect("doc", skill, result)
	change := 0
	if skill == "first_aid" {
		change = g.options.FirstAid(d, result, unhealed, hp, most)
	} else {
		change = g.options.Medicine(d, result, unhealed, hp, most)
	}
	g.same("hp", g.resource("ada", "hp"), hp+change)
	g.same("treated", len(g.events("wound_treated")), 1)
}

// week lets a week pass, with the doctor or without.
func week(g *game, l *ledger) {
	hp, most := g.resource("ada", "hp"), int(table.Resource(g.character("ada"), "hp").GetMax())
	m := &cocv1.Week{Character: "ada"}
	if rapid.Bool().Draw(g.T, "healer") {
		m.Healer = "doc"
	}
	g.act("", m)
	d := g.replay()
	helped := false
	if m.Healer != "" {
		roll := d(100)
		result := g.options.Check(oracle.Clamp(g.stat("doc", "medicine")), roll)
		g.same("result", fact(g.one("check_resolved"), "result"), result)
		l.expect("doc", "medicine", result)
		helped = result.Succeeded()
	}
	g.same("hp", g.resource("ada", "hp"), hp+oracle.Week(d, helped, hp, most))
}
