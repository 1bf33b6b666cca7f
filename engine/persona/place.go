package persona

import (
	"slices"

	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"google.golang.org/protobuf/proto"
)

const (
	placeShop     = "shop"
	placeFacility = "facility"
)

// setPlace writes what is open, changed by f.
func setPlace(s *tablev1.State, f func(*personav1.Place)) *tablev1.Change {
	after := &personav1.Place{}
	proto.Merge(after, openPlace(s))
	f(after)
	if !after.Shop && !after.Facility {
		return endPiece("", &personav1.Part{Part: &personav1.Part_Place{Place: &personav1.Place{}}})
	}
	return piece("", &personav1.Part{Part: &personav1.Part_Place{Place: after}})
}

// openShop opens a shop; with a list it sells what stands there, and nothing else
// (PER-MAC-06).
func (g *game) openShop(c *rule.Ctx, _ string, a *personav1.OpenShop) {
	c.Emit(c.Event(shopOpened, "PER-MAC-06", "").
		Words(fKind, "", rule.Public, placeShop).
		Change(setPlace(c.State, func(p *personav1.Place) {
			p.Shop, p.Listed, p.Stock = true, a.Listed || len(a.Stock) > 0, once(a.Stock)
		})))
}

func (g *game) validOpenShop(_ *rule.View, _ string, a *personav1.OpenShop) *rule.Refusal {
	const field = "action.persona.open_shop.stock"
	for _, id := range a.Stock {
		if g.pack.item(id) == nil {
			return invalid(field).Say("no_item", rule.Sent("sent", id)).Suggest(id, idsOf(g.pack.items))
		}
	}
	return nil
}

// once are the ids of a list in its order, each once: who names something twice means it.
func once(ids []string) []string {
	var out []string
	for _, id := range ids {
		if !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return out
}

func (g *game) offerOpenShop(*rule.View, string) []*tablev1.Offer {
	o := rule.NewOffer(&personav1.OpenShop{}, nil, "open_shop")
	stock := itemInput("stock", "persona.open_shop.stock", idsOf(g.pack.items))
	stock.MinCount, stock.MaxCount = 0, 100
	o.Inputs = []*tablev1.Input{stock}
	return []*tablev1.Offer{o}
}

// openFacility opens a recovery facility (PER-MAC-11).
func (g *game) openFacility(c *rule.Ctx, _ string, _ *personav1.OpenFacility) {
	c.Emit(c.Event(shopOpened, "PER-MAC-11", "").
		Words(fKind, "", rule.Public, placeFacility).
		Change(setPlace(c.State, func(p *personav1.Place) { p.Facility = true })))
}

func offerOpenFacility(v *rule.View, _ string) []*tablev1.Offer {
	if openPlace(v.State).GetFacility() {
		return nil
	}
	return []*tablev1.Offer{rule.NewOffer(&personav1.OpenFacility{}, nil, "open_facility")}
}

// closePlace closes what is open, or one of both (PER-MAC-06).
func (g *game) closePlace(c *rule.Ctx, _ string, a *personav1.ClosePlace) {
	if openPlace(c.State).GetShop() && a.Kind != personav1.PlaceKind_PLACE_KIND_FACILITY {
		g.shut(c, placeShop, func(p *personav1.Place) { p.Shop, p.Listed, p.Stock = false, false, nil })
	}
	if openPlace(c.State).GetFacility() && a.Kind != personav1.PlaceKind_PLACE_KIND_SHOP {
		g.shut(c, placeFacility, func(p *personav1.Place) { p.Facility = false })
	}
}

func (g *game) shut(c *rule.Ctx, kind string, f func(*personav1.Place)) {
	c.Emit(c.Event(placeClosed, "PER-MAC-06", "").
		Words(fKind, "", rule.Public, kind).
		Change(setPlace(c.State, f)))
}

func (g *game) offerClosePlace(v *rule.View, _ string) []*tablev1.Offer {
	var out []*tablev1.Offer
	if openPlace(v.State).GetShop() {
		out = append(out, rule.NewOffer(&personav1.ClosePlace{Kind: personav1.PlaceKind_PLACE_KIND_SHOP}, nil, "close_place", placeShop))
	}
	if openPlace(v.State).GetFacility() {
		out = append(out, rule.NewOffer(&personav1.ClosePlace{Kind: personav1.PlaceKind_PLACE_KIND_FACILITY}, nil, "close_place", placeFacility))
	}
	return out
}

// lacking is what is missing to the most hit or magic points.
func lacking(c *tablev1.Character, key string) int32 {
	r := table.Resource(c, key)
	return max(0, r.GetMax()-r.GetValue())
}

// Prices of a recovery facility, in macca for a point (PER-MAC-11).
const (
	priceHP = 5
	priceMP = 10
)

// restoring is how much a facility is to restore: what is named, or with option
// facility_partial off all that is missing (PER-MAC-11).
func restoring(v *rule.View, by string, a *personav1.RecoverAtFacility) (hp, mp int32) {
	if v.Flag("facility_partial") {
		return a.GetHp(), a.GetMp()
	}
	return lacking(v.Character(by), kHP), lacking(v.Character(by), kMP)
}

func (g *game) validRecover(v *rule.View, by string, a *personav1.RecoverAtFacility) *rule.Refusal {
	const field = "action.persona.recover_at_facility."
	me := v.Character(by)
	if refusal := mayTrade(me); refusal != nil {
		return refusal
	}
	hp, mp := restoring(v, by, a)
	switch {
	case !openPlace(v.State).GetFacility():
		return rule.Refuse(whyNoFacility, "PER-MAC-11", "")
	case hp > lacking(me, kHP):
		return rule.Refuse(whyOverMaximum, "PER-MAC-11", field+"hp")
	case mp > lacking(me, kMP):
		return rule.Refuse(whyOverMaximum, "PER-MAC-11", field+"mp")
	case hp == 0 && mp == 0 && lacking(me, kHP) == 0 && lacking(me, kMP) == 0:
		return rule.Refuse(whyOverMaximum, "PER-MAC-11", "")
	case hp == 0 && mp == 0:
		return invalid(field + "hp").Say("required")
	case priceHP*hp+priceMP*mp > resource(me, kMacca):
		return rule.Refuse(whyInsufficientMacca, "PER-MAC-11", "")
	}
	return nil
}

// recoverAt pays for points and restores them (PER-MAC-11).
func (g *game) recoverAt(c *rule.Ctx, by string, a *personav1.RecoverAtFacility) {
	hp, mp := restoring(&c.View, by, a)
	changeMacca(c, by, -(priceHP*hp + priceMP*mp), "facility_fee", "PER-MAC-11")
	if hp > 0 {
		g.heal(c, by, hp, because(placeFacility), "PER-MAC-11")
	}
	if mp > 0 {
		g.refresh(c, by, mp, because(placeFacility), "PER-MAC-11")
	}
	g.resume(c)
}

func (g *game) offerRecover(v *rule.View, by string) []*tablev1.Offer {
	me := v.Character(by)
	if !trades(me) || !openPlace(v.State).GetFacility() {
		return nil
	}
	const path = "persona.recover_at_facility."
	hp, mp, macca := lacking(me, kHP), lacking(me, kMP), resource(me, kMacca)
	if !v.Flag("facility_partial") {
		a := &personav1.RecoverAtFacility{}
		return []*tablev1.Offer{rule.NewOffer(a, g.validRecover(v, by, a), "recover_at_facility")}
	}
	offer := func(what string, a *personav1.RecoverAtFacility, most int32) *tablev1.Offer {
		o := rule.NewOffer(a, g.validRecover(v, by, a), "recover_at_facility", what)
		if o.Possible && most > 1 {
			o.Inputs = []*tablev1.Input{rule.NumberInput(what, path+what, 1, most)}
		}
		return o
	}
	var out []*tablev1.Offer
	if hp > 0 || mp == 0 {
		out = append(out, offer(kHP, &personav1.RecoverAtFacility{Hp: min(1, hp)}, min(hp, macca/priceHP)))
	}
	if mp > 0 {
		out = append(out, offer(kMP, &personav1.RecoverAtFacility{Mp: 1}, min(mp, macca/priceMP)))
	}
	return out
}
