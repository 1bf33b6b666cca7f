package persona

import (
	"github.com/hantei/hantei/engine/rule"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"google.golang.org/protobuf/proto"
)

// Timings of skills that are no action: they are used at the start of a battle, or of a
// round (section 3.3).
const (
	timingBattleStart = "battle_start"
	timingRoundStart  = "round_start"
)

// roundSkills asks those who have skills for the start of a round, in the order of their
// initiative, one after the other. They take effect as if they were used on one's own
// square (PER-EXP-03, PER-SKL-01).
func (g *game) roundSkills(c *rule.Ctx) {
	for _, id := range g.byInitiative(&c.View) {
		s := g.timedSlot(c.Character(id), timingRoundStart, func(skill string) proto.Message { return &personav1.RoundStartSkills{Skill: skill} })
		if len(s.Choices) == 1 {
			continue
		}
		a := c.Ask(&rule.Window{
			Name: "round_start_skills", Rule: "PER-EXP-03", Kind: tablev1.WindowKind_WINDOW_KIND_ONE, Slots: []rule.Slot{s},
		})[0]
		skill := rule.Unpack[*personav1.RoundStartSkills](a).Skill
		if skill == "" {
			continue
		}
		u := use{row: g.pack.skill(skill), owner: id, lender: id}
		targets, _ := g.skillTargets(&c.View, u, nil)
		g.pay(c, id, u.row, "PER-EXP-03")
		if u.row.Class == analyze {
			g.sense(c, u)
		} else {
			g.takeEffect(c, id, u.row, targets, "PER-EXP-03")
		}
	}
}

func (g *game) validRoundStartSkills(v *rule.View, _ *tablev1.Window, who string, a *personav1.RoundStartSkills) *rule.Refusal {
	return g.validTimed(v, who, a.Skill, timingRoundStart, "PER-EXP-03", "answer.persona.round_start_skills.skill")
}

// timedSlot asks somebody for one of his skills of a timing, or for none; with none to
// use that is the only choice.
func (g *game) timedSlot(c *tablev1.Character, timing string, answer func(skill string) proto.Message) rule.Slot {
	s := rule.Slot{Character: c.Id, Default: "no", Choices: []*tablev1.PromptChoice{rule.Choice("no", answer(""))}}
	if !able(c) {
		return s
	}
	for _, id := range usable(c).GetSkills() {
		row := g.pack.skill(id)
		if row == nil || row.Timing != timing {
			continue
		}
		if refusal := mayPay(c, row, ""); refusal != nil {
			s.Choices = append(s.Choices, rule.Barred("use."+id, answer(id), refusal))
		} else {
			s.Choices = append(s.Choices, rule.Choice("use."+id, answer(id)))
		}
	}
	return s
}

// validTimed refuses a skill that is not for the time, or cannot be paid.
func (g *game) validTimed(v *rule.View, who, skill, timing, id, field string) *rule.Refusal {
	me := v.Character(who)
	row := g.pack.skill(skill)
	switch {
	case skill == "":
		return nil
	case usable(me) == nil:
		return rule.Refuse(whyPersonaNotSummoned, "PER-SKL-01", "")
	case row == nil || !hasSkill(me, skill) || row.Timing != timing:
		return rule.Refuse(whySkillMissing, id, field).Suggest(skill, usable(me).GetSkills())
	}
	return mayPay(me, row, field)
}
