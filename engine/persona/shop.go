package persona

import (
	"slices"

	"github.com/hantei/hantei/engine/rule"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// openPlace is what is open of shops and facilities; nil for nothing.
func openPlace(s *tablev1.State) *personav1.Place { return tableDetails(s).GetPlace() }

// mayShop refuses to buy and sell while a session is running and no shop is open
// (PER-MAC-06).
func mayShop(v *rule.View, id string) *rule.Refusal {
	if inSession(v.State) && !openPlace(v.State).GetShop() {
		return rule.Refuse(whyNoShop, id, "")
	}
	return nil
}

// ranked reports whether an item's rank suits the session: that which is running, or
// was the last (PER-MAC-08).
func (g *game) ranked(s *tablev1.State, row *itemRow) bool {
	return (row.rank()-1)*12 <= session(s).GetLevel()
}

// sold refuses what no shop here sells. A list of the GM's decides alone; without one
// it is the price in parentheses, then the rank (PER-MAC-06, PER-MAC-08).
func (g *game) sold(s *tablev1.State, item, field string) *rule.Refusal {
	row, at := g.pack.item(item), openPlace(s)
	switch {
	case at.GetShop() && at.Listed:
		if !slices.Contains(at.Stock, item) {
			return rule.Refuse(whyNotForSale, "PER-MAC-06", field).Suggest(item, at.Stock)
		}
	case row == nil:
		return rule.Refuse(whyNotForSale, "PER-MAC-06", field).Suggest(item, idsOf(g.pack.items))
	case row.Unsold:
		return rule.Refuse(whyNotForSale, "PER-MAC-06", field).Name(item)
	case !g.ranked(s, row):
		return rule.Refuse(whyRankTooHigh, "PER-MAC-08", field)
	}
	return nil
}

func (g *game) validBuy(v *rule.View, by string, a *personav1.Buy) *rule.Refusal {
	const field = "action.persona.buy.item"
	me := v.Character(by)
	if refusal := mayTrade(me); refusal != nil {
		return refusal
	}
	if refusal := mayShop(v, "PER-MAC-06"); refusal != nil {
		return refusal
	}
	if refusal := g.sold(v.State, a.Item, field); refusal != nil {
		return refusal
	}
	switch row, n := g.pack.item(a.Item), times(a.Count); {
	case n > g.room(me, a.Item):
		return rule.Refuse(whyCarryLimit, "PER-MAC-09", field)
	case row.Price*n > resource(me, kMacca):
		return rule.Refuse(whyInsufficientMacca, "PER-MAC-06", field)
	}
	return nil
}

// buy pays the price and takes the items (PER-MAC-06).
func (g *game) buy(c *rule.Ctx, by string, a *personav1.Buy) {
	row, n := g.pack.item(a.Item), times(a.Count)
	changeMacca(c, by, -row.Price*n, "bought", "PER-MAC-06")
	gain(c, by, row.ID, n, "bought", "PER-MAC-06")
}

// offerBuy lists what is for sale, fits and can be paid. With nothing of the kind it
// says why: of what is for sale, if anything is.
func (g *game) offerBuy(v *rule.View, by string) []*tablev1.Offer {
	if !g.shopping(v, by) {
		return nil
	}
	const path = "persona.buy."
	var items []string
	var why *rule.Refusal
	most, me := int32(1), v.Character(by)
	for _, r := range g.pack.items {
		switch refusal := g.validBuy(v, by, &personav1.Buy{Item: r.ID}); {
		case refusal == nil:
			items = append(items, r.ID)
			most = max(most, within(resource(me, kMacca), r.Price, g.room(me, r.ID)))
		case why == nil || g.sold(v.State, r.ID, "") == nil:
			why = refusal
		}
	}
	if len(items) > 0 {
		why = nil
	}
	o := rule.NewOffer(&personav1.Buy{}, why, "buy")
	o.Inputs = []*tablev1.Input{itemInput("item", path+"item", items), rule.NumberInput("count", path+"count", 1, most)}
	return []*tablev1.Offer{o}
}

// shopping reports whether somebody is offered to buy and sell: in a dungeon only
// where a shop is open.
func (g *game) shopping(v *rule.View, by string) bool {
	return trades(v.Character(by)) && (v.Encounter() == nil || openPlace(v.State).GetShop())
}

// itemInput asks for one of these items.
func itemInput(name, path string, items []string) *tablev1.Input {
	return &tablev1.Input{Name: name, Path: path, Kind: tablev1.InputKind_INPUT_KIND_ITEM, Choices: items, MinCount: 1, MaxCount: 1}
}

func (g *game) validSell(v *rule.View, by string, a *personav1.Sell) *rule.Refusal {
	const field = "action.persona.sell.item"
	me := v.Character(by)
	if refusal := mayTrade(me); refusal != nil {
		return refusal
	}
	if refusal := mayShop(v, "PER-MAC-07"); refusal != nil {
		return refusal
	}
	n, have, worn := times(a.Count), carried(me, a.Item), wears(me, a.Item)
	switch {
	case worn > 0 && n > have-worn:
		return rule.Refuse(whyItemEquipped, "PER-MAC-07", field)
	case n > have:
		return rule.Refuse(whyItemMissing, "PER-MAC-07", field).Suggest(a.Item, carriedItems(me))
	}
	return nil
}

// sell gives items up for a tenth of their price each, rounded down (PER-MAC-07).
func (g *game) sell(c *rule.Ctx, by string, a *personav1.Sell) {
	row, n := g.pack.item(a.Item), times(a.Count)
	c.Emit(c.Event(itemLost, "PER-MAC-07", by).
		Words(fItem, "", rule.Values, row.ID).
		Number(fCount, "", rule.Values, n).
		Words(fReason, "", rule.Values, "sold").
		Change(setCarried(by, row.ID, carried(c.Character(by), row.ID)-n)))
	changeMacca(c, by, row.Price/10*n, "sold", "PER-MAC-07")
}

// offerSell lists what is carried.
func (g *game) offerSell(v *rule.View, by string) []*tablev1.Offer {
	if !g.shopping(v, by) {
		return nil
	}
	var out []*tablev1.Offer
	me := v.Character(by)
	for _, item := range carriedItems(me) {
		a := &personav1.Sell{Item: item}
		o := rule.NewOffer(a, g.validSell(v, by, a), "sell", item)
		if n := carried(me, item) - wears(me, item); n > 1 {
			o.Inputs = []*tablev1.Input{rule.NumberInput("count", "persona.sell.count", 1, n)}
		}
		out = append(out, o)
	}
	return out
}

// carriedItems lists what somebody carries.
func carriedItems(c *tablev1.Character) []string {
	var out []string
	for _, i := range details(c).GetInventory() {
		out = append(out, i.Item)
	}
	return out
}
