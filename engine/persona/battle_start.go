package persona

import (
	"slices"

	"github.com/hantei/hantei/engine/rule"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"google.golang.org/protobuf/proto"
)

// battleStart asks those who have skills for the start of a battle, in the order of
// their initiative, one after the other (PER-SB-01).
func (g *game) battleStart(c *rule.Ctx, _ string, _ *personav1.BattleStart) {
	who := fighters(&c.View)
	slices.SortStableFunc(who, func(a, b string) int {
		return int(g.initiative(&c.View, c.Character(b)).Total() - g.initiative(&c.View, c.Character(a)).Total())
	})
	for _, id := range who {
		s := g.timedSlot(c.Character(id), timingBattleStart, func(skill string) proto.Message { return &personav1.BattleStartSkills{Skill: skill} })
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

func (g *game) validBattleStartSkills(v *rule.View, _ *tablev1.Window, who string, a *personav1.BattleStartSkills) *rule.Refusal {
	return g.validTimed(v, who, a.Skill, timingBattleStart, "PER-SB-01", "answer.persona.battle_start_skills.skill")
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
