package persona

import (
	"slices"

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
		faces := c.RollFor(rule.Values, skHiroemon+"/"+id, id, dice.Dice{Count: 3, Sides: 10})
		budget := usable(me).GetLevel() * sum(faces)
		c.Tell("PER-MAC-05", skHiroemon+"/"+id)
		fact := numberFact(fBudget, rule.Values, budget)
		fact.Of = id
		items := &tablev1.Input{
			Name: "items", Path: "persona.hiroemon_reward.items", Kind: tablev1.InputKind_INPUT_KIND_ITEM,
			Choices: g.affordable(me, budget), MinCount: 1, MaxCount: 300,
		}
		s := rule.Slot{Character: id, Default: "none", Choices: []*tablev1.PromptChoice{choice("none", &personav1.HiroemonReward{})}}
		if len(items.Choices) > 0 {
			s.Choices = append(s.Choices, choice("items", &personav1.HiroemonReward{}, items))
		}
		c.AskLater(&rule.Window{
			Name: "hiroemon_reward", Rule: "PER-MAC-05", Kind: tablev1.WindowKind_WINDOW_KIND_ONE,
			Slots: []rule.Slot{s}, Facts: []*typev1.Fact{fact},
		})
	}
}

// affordable are the items of which one can be had for a budget, and carried.
func (g *game) affordable(me *tablev1.Character, budget int32) []string {
	var out []string
	for _, r := range g.pack.items {
		if r.Price <= budget && (r.Limit == nil || carried(me, r.ID) < *r.Limit) {
			out = append(out, r.ID)
		}
	}
	return out
}

func (g *game) validHiroemonReward(v *rule.View, w *tablev1.Window, who string, a *personav1.HiroemonReward) *rule.Refusal {
	const field = "answer.persona.hiroemon_reward.items"
	total := int32(0)
	for _, id := range a.Items {
		row := g.pack.item(id)
		if row == nil {
			return rule.Refuse(whyItemMissing, "PER-MAC-05", field).Suggest(id, idsOf(g.pack.items))
		}
		total += row.Price
	}
	if total > budgetOf(w) {
		return rule.Refuse(whyOverBudget, "PER-MAC-05", field)
	}
	for _, i := range pieces(a.Items) {
		if limit := g.pack.item(i.Item).Limit; limit != nil && carried(v.Character(who), i.Item)+i.Count > *limit {
			return rule.Refuse(whyCarryLimit, "PER-MAC-09", field).Name(i.Item)
		}
	}
	return nil
}

// budgetOf is what a question lets one take.
func budgetOf(w *tablev1.Window) int32 {
	for _, f := range w.Facts {
		if f.Key == fBudget.String() {
			return f.GetNumber()
		}
	}
	return 0
}

// pieces counts equal items, in the order in which they were named.
func pieces(items []string) []*personav1.ItemCount {
	var out []*personav1.ItemCount
	for _, id := range items {
		i := slices.IndexFunc(out, func(c *personav1.ItemCount) bool { return c.Item == id })
		if i < 0 {
			out, i = append(out, &personav1.ItemCount{Item: id}), len(out)
		}
		out[i].Count++
	}
	return out
}

// takeHiroemonReward gives what was taken (PER-MAC-05).
func (g *game) takeHiroemonReward(c *rule.Ctx, w *tablev1.Window, a *personav1.HiroemonReward) {
	who := w.Slots[0].Character
	for _, i := range pieces(a.Items) {
		c.Emit(c.Event(itemGained, "PER-MAC-05", who).
			Words(fItem, "", rule.Values, i.Item).
			Number(fCount, "", rule.Values, i.Count).
			Words(fReason, "", rule.Values, "reward").
			Change(setCarried(who, i.Item, carried(c.Character(who), i.Item)+i.Count)))
	}
}
