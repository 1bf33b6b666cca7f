package persona

import (
	"slices"

	"github.com/hantei/hantei/engine/encounter"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// codedItems are the rules of using items that have code.
var codedItems = []string{"PER-ITM-01", "PER-ITM-02"}

func (g *game) registerItems(r *rule.Ruleset) {
	rule.Register(r, rule.Action[*personav1.UseItem]{Rule: "PER-ITM-01", Group: groupTurn, Offers: g.offerItem, Valid: g.validItem, Run: g.useItem})
}

// useItem uses a consumable with the main hand, on those on the own square; it is gone
// then (PER-ITM-01). No Persona is needed.
func (g *game) useItem(c *rule.Ctx, by string, a *personav1.UseItem) {
	row := g.pack.item(a.Item)
	targets, _ := g.itemTargets(&c.View, by, row, a.Targets)
	g.spend(c, by, personav1.Hand_HAND_MAIN_HAND, "use_item")
	c.Emit(c.Event(itemLost, "PER-ITM-01", by).
		Words(fItem, "", rule.Values, row.ID).
		Number(fCount, "", rule.Values, 1).
		Change(setCarried(by, row.ID, carried(c.Character(by), row.ID)-1)))
	for _, id := range targets {
		g.consume(c, id, row)
	}
	c.Then("", handOver(by, personav1.Hand_HAND_MAIN_HAND, "use_item"))
}

// consume has a consumable take effect on somebody.
func (g *game) consume(c *rule.Ctx, who string, row *itemRow) {
	if n := restored(c.Character(who), row, kHP); n > 0 {
		g.heal(c, who, n, because(row.ID), "PER-ITM-01")
	}
	if n := restored(c.Character(who), row, kMP); n > 0 {
		g.refresh(c, who, n, because(row.ID), "PER-ITM-01")
	}
	g.cure(c, who, row)
	if row.lasting() {
		g.lasts(c, who, row.ID, 0, "PER-ITM-02")
	}
}

// restored are the hit or magic points that a consumable gives.
func restored(c *tablev1.Character, row *itemRow, key string) int32 {
	most := table.Resource(c, key).GetMax()
	switch {
	case row.Restore:
		return most
	case key == kMP:
		return row.MP
	case row.Revive == "one":
		return 1
	case row.Revive == "half":
		return max(1, most/2)
	case row.Revive == "full":
		return most
	}
	return row.HP
}

// cure takes away one bad status, the first by its key, or all of them. The rules know
// none themselves: bad are those that are of no skill or item, and no part of being
// unable to act or of losing the Persona.
func (g *game) cure(c *rule.Ctx, who string, row *itemRow) {
	if row.Cure == "" {
		return
	}
	for _, s := range slices.Clone(c.Character(who).Statuses) {
		if slices.Contains([]string{stDead, stUnconscious, stIncapacitated, stPersonaDisabled}, s.Key) ||
			g.pack.skill(s.Key) != nil || g.pack.item(s.Key) != nil {
			continue
		}
		g.loseStatus(c, who, s, "PER-ITM-01")
		if row.Cure == "one" {
			return
		}
	}
}

func (g *game) validItem(v *rule.View, by string, a *personav1.UseItem) *rule.Refusal {
	const field = "action.persona.use_item.item"
	if _, refusal := g.onTurn(v, by, a.Hand, false); refusal != nil {
		return refusal
	}
	me, row := v.Character(by), g.pack.item(a.Item)
	switch {
	case row == nil || carried(me, a.Item) < 1:
		return rule.Refuse(whyItemMissing, "PER-ITM-01", field).Suggest(a.Item, itemsOf(me))
	case row.Kind != kindConsumable:
		return rule.Refuse(whyNotUsable, "PER-ITM-01", field)
	}
	_, refusal := g.itemTargets(v, by, row, a.Targets)
	return refusal
}

// itemsOf lists what somebody carries.
func itemsOf(c *tablev1.Character) []string {
	var out []string
	for _, i := range details(c).GetInventory() {
		out = append(out, i.Item)
	}
	return out
}

// itemTargets are those on whom an item takes effect: the one who is named or else
// oneself, or all PCs on the square. What brings somebody back is for the incapacitated
// alone (PER-ITM-01).
func (g *game) itemTargets(v *rule.View, by string, row *itemRow, named []string) ([]string, *rule.Refusal) {
	const field = "action.persona.use_item.targets"
	here := on(v, place(v.Character(by)), alive)
	switch {
	case row.Range == "all":
		named = append(slices.Clip(named), on(v, place(v.Character(by)), func(c *tablev1.Character) bool { return alive(c) && isPC(c) })...)
	case len(named) == 0:
		named = []string{by}
	case len(named) > 1:
		return nil, invalid(field)
	}
	var out []string
	for _, id := range named {
		if !slices.Contains(here, id) {
			return nil, rule.Refuse(whyTargetNotOnSquare, "PER-ITM-01", field).Suggest(id, here)
		}
		if !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	for _, id := range out {
		if row.Revive != "" && !has(v.Character(id), stIncapacitated) {
			return nil, rule.Refuse(whyTargetNotIncapacitated, "PER-ITM-01", field)
		}
	}
	return inOrder(v, out), nil
}

func (g *game) offerItem(v *rule.View, by string) []*tablev1.Offer {
	if !encounter.In(v.Encounter(), by) {
		return nil
	}
	var out []*tablev1.Offer
	for _, item := range itemsOf(v.Character(by)) {
		row := g.pack.item(item)
		if row == nil || row.Kind != kindConsumable {
			continue
		}
		var targets []string
		for _, id := range on(v, place(v.Character(by)), alive) {
			if row.Revive == "" || has(v.Character(id), stIncapacitated) {
				targets = append(targets, id)
			}
		}
		a := &personav1.UseItem{Item: item}
		try := &personav1.UseItem{Item: item, Targets: targets[:min(1, len(targets))]}
		o := rule.NewOffer(a, g.validItem(v, by, try), "use_item", item)
		if row.Range != "all" {
			o.Inputs = []*tablev1.Input{rule.CharacterInput("targets", "persona.use_item.targets", targets)}
		}
		out = append(out, o)
	}
	return out
}
