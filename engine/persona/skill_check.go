package persona

import (
	"github.com/hantei/hantei/engine/encounter"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// codedAction are the rules of the normal action that have code.
var codedAction = []string{"PER-ACT-01"}

func (g *game) registerAction(r *rule.Ruleset) {
	rule.Register(r, rule.Action[*personav1.UseSkillCheck]{Rule: "PER-ACT-01", Group: groupTurn, Offers: g.offerSkillCheck, Valid: g.validSkillCheck, Run: g.skillCheck})
}

// skillCheck rolls a skill of the sheet with the main hand; what it means is the GM's to
// say (PER-ACT-01).
func (g *game) skillCheck(c *rule.Ctx, by string, a *personav1.UseSkillCheck) {
	g.spend(c, by, personav1.Hand_HAND_MAIN_HAND, "use_skill_check")
	if a.Skill == kPersonaSkill {
		g.personaCheck(c, "check", by, "PER-CHK-02")
	} else {
		g.roll(c, check{label: "check", by: by, name: a.Skill, target: skillTarget(c.Character(by), a.Skill, "PER-CHK-01"), id: "PER-CHK-01"})
	}
	c.Then("", handOver(by, personav1.Hand_HAND_MAIN_HAND, "use_skill_check"))
}

// handOver is the end of a hand of one character.
func handOver(by string, hand personav1.Hand, action string) *personav1.HandEnd {
	return &personav1.HandEnd{Characters: []string{by}, Hand: handWord(hand), Action: action}
}

func (g *game) validSkillCheck(v *rule.View, by string, a *personav1.UseSkillCheck) *rule.Refusal {
	if _, refusal := g.onTurn(v, by, a.Hand, false); refusal != nil {
		return refusal
	}
	return mayCheck(v.Character(by), a.Skill, "PER-ACT-01", "action.persona.use_skill_check.skill")
}

func (g *game) offerSkillCheck(v *rule.View, by string) []*tablev1.Offer {
	if !encounter.In(v.Encounter(), by) {
		return nil
	}
	var out []*tablev1.Offer
	for _, k := range checkKeys {
		if table.Stat(v.Character(by), k) == nil {
			continue
		}
		a := &personav1.UseSkillCheck{Skill: k}
		o := rule.NewOffer(a, g.validSkillCheck(v, by, a), "use_skill_check", k)
		o.Stat = k
		out = append(out, o)
	}
	return out
}
