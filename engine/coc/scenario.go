package coc

import (
	"slices"

	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
)

// scenarios is how many scenarios of the table have ended.
func scenarios(s *tablev1.State) int32 { return table.Clock(s, typev1.Clock_CLOCK_SCENARIO) }

// ended reports whether the scenario has ended in which a mark was earned.
func ended(s *tablev1.State, m *cocv1.GrowthMark) bool { return m.Scenario < scenarios(s) }

// endScenario ends the scenario: growth is rolled from now on (COC-GRW-02). Standing
// prompts take their defaults, and what lasts for a scenario ends: the +10 right
// (COC-CHK-05), a broken weapon (COC-COND-03), the calm after psychoanalysis
// (COC-SAN-06).
func (g *game) endScenario(c *rule.Ctx, r *rule.Ruleset) {
	rule.SettleAll(c, r)
	e := c.Event(scenarioEnded, "COC-GRW-02", "").Change(rule.SetClock(typev1.Clock_CLOCK_SCENARIO, scenarios(c.State)+1))
	for _, ch := range c.State.Characters {
		if s := table.Status(ch, stPlus10); s != nil {
			e.Change(rule.EndStatus(ch.Id, s))
		}
		for _, w := range details(ch).GetWeapons() {
			if w.State == cocv1.WeaponState_WEAPON_STATE_BROKEN {
				e.Change(setWeapon(ch.Id, w, g.mend))
			}
		}
	}
	c.Emit(e)
	for _, id := range c.CharacterIDs() {
		for _, m := range slices.Clone(details(c.Character(id)).GetGrowthMarks()) { // those that lapse go
			if m.Kind == markCritical && !m.Declared && m.Scenario == scenarios(c.State)-1 {
				g.lapses(c, id, m, "COC-GRW-02")
			}
		}
		if details(c.Character(id)).GetMind().GetInsanitySuppressed() {
			g.relapse(c, id)
		}
	}
}

// mend makes a broken weapon whole (COC-COND-03).
func (g *game) mend(w *cocv1.Weapon) {
	w.State = cocv1.WeaponState_WEAPON_STATE_OK
	if t := g.template(w); !t.natural() {
		w.Durability = proto.Int32(t.Durability)
	}
}

// relapse has an indefinite insanity show again that was suppressed (COC-SAN-06).
func (g *game) relapse(c *rule.Ctx, who string) {
	in := details(c.Character(who)).GetInsanity()
	c.Emit(c.Event(insanityGained, "COC-SAN-06", who).
		Words(fKind, "", rule.Mind, "indefinite").
		Number(fLength, "", rule.Public, in.GetLength()).
		Words(fUnit, "", rule.Public, unitWord(in.GetUnit())).
		Change(setInsanity(who, lasting(c.Character(who)))).
		Change(setSuppressed(c.Character(who), false)...))
}

// lapses tells that a mark was not used.
func (g *game) lapses(c *rule.Ctx, who string, m *cocv1.GrowthMark, ruleID string) {
	c.Emit(tellMark(c.Event(growthLapsed, ruleID, who), m).Change(endMark(who, m)))
}

// lapseSkillless has the marks lapse for which no skill was chosen until the next
// scenario began (COC-GRW-05).
func (g *game) lapseSkillless(c *rule.Ctx) {
	for _, id := range c.CharacterIDs() {
		for _, m := range slices.Clone(details(c.Character(id)).GetGrowthMarks()) {
			if m.Skill == "" && ended(c.State, m) {
				g.lapses(c, id, m, "COC-GRW-05")
			}
		}
	}
}

func (g *game) offerEndScenario(*rule.View, string) []*tablev1.Offer {
	return []*tablev1.Offer{rule.NewOffer(&cocv1.EndScenario{}, nil, "gm_end_scenario")}
}
