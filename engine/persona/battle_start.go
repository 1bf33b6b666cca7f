package persona

import (
	"slices"

	"github.com/hantei/hantei/engine/rule"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// timingBattleStart is the timing of skills for the start of a battle (section 3.3).
const timingBattleStart = "battle_start"

// battleStart asks those who have skills for the start of a battle, in the order of
// their initiative, one after the other (PER-SB-01).
func (g *game) battleStart(c *rule.Ctx, _ string, _ *personav1.BattleStart) {
	who := fighters(&c.View)
	slices.SortStableFunc(who, func(a, b string) int {
		return int(g.initiative(&c.View, c.Character(b)).Total() - g.initiative(&c.View, c.Character(a)).Total())
	})
	for _, id := range who {
		s := rule.Slot{Character: id, Default: "no", Choices: []*tablev1.PromptChoice{rule.Choice("no", &personav1.BattleStartSkills{})}}
		for _, row := range g.startSkills(c.Character(id)) {
			a := &personav1.BattleStartSkills{Skill: row.ID}
			if refusal := mayPay(c.Character(id), row, ""); refusal != nil {
				s.Choices = append(s.Choices, rule.Barred("use."+row.ID, a, refusal))
			} else {
				s.Choices = append(s.Choices, rule.Choice("use."+row.ID, a))
			}
		}
		if len(s.Choices) == 1 {
			continue
		}
		a := c.Ask(&rule.Window{
			Name: "battle_start_skills", Rule: "PER-SB-01", Kind: tablev1.WindowKind_WINDOW_KIND_ONE, Slots: []rule.Slot{s},
		})[0]
		if skill := rule.Unpack[*personav1.BattleStartSkills](a).Skill; skill != "" {
			g.useAtStart(c, id, g.pack.skill(skill))
		}
	}
	c.Then("", &personav1.BattleAmbush{})
}

// startSkills are the skills for the start of a battle that somebody can use.
func (g *game) startSkills(c *tablev1.Character) []*skillRow {
	var out []*skillRow
	for _, id := range usable(c).GetSkills() {
		if row := g.pack.skill(id); row != nil && row.Timing == timingBattleStart {
			out = append(out, row)
		}
	}
	return out
}

func (g *game) validBattleStartSkills(v *rule.View, _ *tablev1.Window, who string, a *personav1.BattleStartSkills) *rule.Refusal {
	const field = "answer.persona.battle_start_skills.skill"
	me := v.Character(who)
	row := g.pack.skill(a.Skill)
	switch {
	case a.Skill == "":
		return nil
	case usable(me) == nil:
		return rule.Refuse(whyPersonaNotSummoned, "PER-SKL-01", "")
	case row == nil || !hasSkill(me, a.Skill) || row.Timing != timingBattleStart:
		return rule.Refuse(whySkillMissing, "PER-SB-01", field).Suggest(a.Skill, usable(me).GetSkills())
	}
	return mayPay(me, row, field)
}

// useAtStart pays a skill and has it take effect: on all participants if it has that
// range, else on its user.
func (g *game) useAtStart(c *rule.Ctx, by string, row *skillRow) {
	g.pay(c, by, row, "PER-SB-01")
	targets := []string{by}
	if row.broad() {
		targets = fighters(&c.View)
	}
	g.takeEffect(c, by, row, targets, "PER-SB-01")
}
