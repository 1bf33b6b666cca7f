package persona

import (
	"slices"

	"github.com/hantei/hantei/engine/rule"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// takes lists the items of which one can be had for a budget, and carried; of the
// ranks that suit the session, if ranks count.
func (g *game) takes(v *rule.View, who string, budget int32, ranks bool) []string {
	var out []string
	for _, r := range g.pack.items {
		if r.Price <= budget && g.room(v.Character(who), r.ID) > 0 && (!ranks || g.ranked(v.State, r)) {
			out = append(out, r.ID)
		}
	}
	return out
}

// mostPieces is how many items one reward can have.
const mostPieces = 300

// piecesInput asks for some of these items, each as often as it is taken; it says what
// each costs of the budget, and how many of it can be carried.
func (g *game) piecesInput(v *rule.View, who, path string, items []string, budget int32) *tablev1.Input {
	in := itemInput("items", path, items)
	in.Budget = budget
	for _, id := range items {
		row := g.pack.item(id)
		in.Takes = append(in.Takes, &tablev1.Take{Cost: row.Price, Most: within(budget, row.Price, min(g.room(v.Character(who), id), mostPieces))})
	}
	in.MaxCount = 0
	cheapest := slices.SortedFunc(slices.Values(in.Takes), func(a, b *tablev1.Take) int { return int(a.Cost - b.Cost) })
	for _, t := range cheapest {
		n := within(budget, t.Cost, min(t.Most, mostPieces-in.MaxCount))
		in.MaxCount, budget = in.MaxCount+n, budget-n*t.Cost
	}
	return in
}

// within is how many things of a price a budget pays, so many at most.
func within(budget, price, most int32) int32 {
	if price <= 0 {
		return most
	}
	return min(most, budget/price)
}

// mayTake refuses items as a reward, in the order of the rules: of too high a rank, if
// ranks count; worth more than the question lets one take; more than can be carried
// (PER-MAC-04, PER-MAC-05, PER-MAC-09).
func (g *game) mayTake(v *rule.View, w *tablev1.Window, who string, items []string, ranks bool, id, field string) *rule.Refusal {
	total := int32(0)
	for _, item := range items {
		row := g.pack.item(item)
		if row == nil {
			return rule.Refuse(whyItemMissing, id, field).Suggest(item, idsOf(g.pack.items))
		}
		total += row.Price
	}
	if ranks {
		for _, item := range items {
			if !g.ranked(v.State, g.pack.item(item)) {
				return rule.Refuse(whyRankTooHigh, "PER-MAC-08", field).Name(item)
			}
		}
	}
	if total > budgetOf(w) {
		return rule.Refuse(whyOverBudget, id, field)
	}
	for _, i := range pieces(items) {
		if i.Count > g.room(v.Character(who), i.Item) {
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
