package persona

import (
	"github.com/hantei/hantei/engine/dice"
	"github.com/hantei/hantei/engine/rule"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

// hiroemon has those who hold it take items after a victory, worth the level of their
// Persona times 3D10 (PER-MAC-05). Nothing waits for it.
func (g *game) hiroemon(c *rule.Ctx, who []string) {
	for _, id := range inOrder(&c.View, who) {
		me := c.Character(id)
		if !able(me) || !hasSkill(me, skHiroemon) {
			continue
		}
		if c.Flag("hiroemon_check") && !g.personaCheck(c, "hiroemon_check/"+id, id, "PER-MAC-05") {
			continue
		}
		if !c.AsksLater() {
			continue
		}
		budget := usable(me).GetLevel() * total(c, rule.Values, skHiroemon+"/"+id, id, dice.Dice{Count: 3, Sides: 10})
		c.Tell("PER-MAC-05", skHiroemon+"/"+id)
		fact := numberFact(fBudget, rule.Values, budget)
		fact.Of = id
		s := rule.Slot{Character: id, Default: "none", Choices: []*tablev1.PromptChoice{rule.Choice("none", &personav1.HiroemonReward{})}}
		if items := g.takes(&c.View, id, budget, false); len(items) > 0 {
			s.Choices = append(s.Choices, rule.Choice("items", &personav1.HiroemonReward{}, g.piecesInput(&c.View, id, "persona.hiroemon_reward.items", items, budget)))
		}
		c.AskLater(&rule.Window{
			Name: "hiroemon_reward", Rule: "PER-MAC-05", Kind: tablev1.WindowKind_WINDOW_KIND_ONE,
			Slots: []rule.Slot{s}, Facts: []*typev1.Fact{fact},
		})
	}
}

func (g *game) validHiroemonReward(v *rule.View, w *tablev1.Window, who string, a *personav1.HiroemonReward) *rule.Refusal {
	return g.mayTake(v, w, who, a.Items, false, "PER-MAC-05", "answer.persona.hiroemon_reward.items")
}

// takeHiroemonReward gives what was taken (PER-MAC-05).
func (g *game) takeHiroemonReward(c *rule.Ctx, w *tablev1.Window, a *personav1.HiroemonReward) {
	who := w.Slots[0].Character
	for _, i := range pieces(a.Items) {
		gain(c, who, i.Item, i.Count, "reward", "PER-MAC-05")
	}
}
