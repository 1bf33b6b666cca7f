package persona

import (
	"github.com/hantei/hantei/engine/dice"
	"github.com/hantei/hantei/engine/encounter"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

func (g *game) validTreasureSearch(v *rule.View, by string, _ *personav1.TreasureSearchScene) *rule.Refusal {
	me := v.Character(by)
	row := g.pack.skill(skTreasureSearch)
	switch {
	case !able(me):
		return rule.Refuse(whyActorIncapacitated, "PER-CHK-02", "")
	case encounter.In(v.Encounter(), by):
		return rule.Refuse(whyInDungeon, "PER-MAC-04", "")
	case row == nil || !hasSkill(me, skTreasureSearch):
		return rule.Refuse(whySkillMissing, "PER-MAC-04", "")
	}
	return mayPay(me, row, "")
}

func (g *game) offerTreasureSearch(v *rule.View, by string) []*tablev1.Offer {
	if encounter.In(v.Encounter(), by) || !hasSkill(v.Character(by), skTreasureSearch) {
		return nil
	}
	a := &personav1.TreasureSearchScene{}
	return []*tablev1.Offer{rule.NewOffer(a, g.validTreasureSearch(v, by, a), "treasure_search_scene")}
}

// treasureSearch looks for treasure outside of a dungeon, if the GM permits it: paid,
// then checked. What is found is worth the level of the Persona times 1D10; nothing
// waits for how it is taken (PER-MAC-04).
func (g *game) treasureSearch(c *rule.Ctx, by string, _ *personav1.TreasureSearchScene) {
	if !g.permitted(c, by) || g.validTreasureSearch(&c.View, by, nil) != nil {
		return // denied, or not possible any more: nothing is spent
	}
	g.pay(c, by, g.pack.skill(skTreasureSearch), "PER-MAC-04")
	if !g.personaCheck(c, "check", by, "PER-MAC-04") || !c.AsksLater() {
		return
	}
	budget := usable(c.Character(by)).GetLevel() * total(c, rule.Values, skTreasureSearch, by, dice.Dice{Count: 1, Sides: 10})
	c.Tell("PER-MAC-04", skTreasureSearch)
	fact := numberFact(fBudget, rule.Values, budget)
	fact.Of = by
	s := rule.Slot{Character: by, Default: kMacca, Choices: []*tablev1.PromptChoice{rule.Choice(kMacca, &personav1.TreasureReward{})}}
	if items := g.takes(&c.View, by, budget, true); len(items) > 0 {
		s.Choices = append(s.Choices, rule.Choice("items", &personav1.TreasureReward{}, g.piecesInput(&c.View, by, "persona.treasure_reward.items", items, budget)))
	}
	c.AskLater(&rule.Window{
		Name: "treasure_reward", Rule: "PER-MAC-04", Kind: tablev1.WindowKind_WINDOW_KIND_ONE,
		Slots: []rule.Slot{s}, Facts: []*typev1.Fact{fact},
	})
}

// permitted asks the GM, who is told if it was asked for in this scene before
// (PER-MAC-04).
func (g *game) permitted(c *rule.Ctx, by string) bool {
	w := &rule.Window{
		Name: "permit_treasure_search", Rule: "PER-MAC-04", Kind: tablev1.WindowKind_WINDOW_KIND_ONE, BecauseOf: by, About: by,
		Slots: []rule.Slot{{Default: "no", Choices: []*tablev1.PromptChoice{
			rule.Choice("yes", &personav1.PermitTreasureSearch{Permit: true}), rule.Choice("no", &personav1.PermitTreasureSearch{}),
		}}},
	}
	scene := table.Clock(c.State, typev1.Clock_CLOCK_SCENE)
	if before := details(c.Character(by)).GetSceneSearch(); before != nil && before.Scene == scene {
		w.Facts = []*typev1.Fact{rule.WordFact(fRepeat, "", rule.Public, "again")}
	} else {
		c.Change(piece(by, &personav1.Part{Part: &personav1.Part_SceneSearch{SceneSearch: &personav1.SceneSearch{Scene: scene}}}))
	}
	return rule.Unpack[*personav1.PermitTreasureSearch](c.Ask(w)[0]).GetPermit()
}

func (g *game) validTreasureReward(v *rule.View, w *tablev1.Window, who string, a *personav1.TreasureReward) *rule.Refusal {
	return g.mayTake(v, w, who, a.Items, true, "PER-MAC-04", "answer.persona.treasure_reward.items")
}

// takeTreasureReward gives the macca, or the items; the rest is lost (PER-MAC-04).
func (g *game) takeTreasureReward(c *rule.Ctx, w *tablev1.Window, a *personav1.TreasureReward) {
	who := w.Slots[0].Character
	if len(a.Items) == 0 {
		changeMacca(c, who, budgetOf(w), "reward", "PER-MAC-04")
		return
	}
	for _, i := range pieces(a.Items) {
		gain(c, who, i.Item, i.Count, "reward", "PER-MAC-04")
	}
}
