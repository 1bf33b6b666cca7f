package persona

import (
	"slices"

	"github.com/hantei/hantei/engine/encounter"
	"github.com/hantei/hantei/engine/rule"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"google.golang.org/protobuf/proto"
)

// outfit lists what somebody wears.
func outfit(c *tablev1.Character) []string { return piecesOf(details(c).GetEquipment()) }

// piecesOf lists what is worn: a weapon, an armour, and what the GM has allowed beyond
// (PER-MAC-10).
func piecesOf(e *personav1.Equipment) []string {
	return slices.DeleteFunc(append([]string{e.GetWeapon(), e.GetArmor()}, e.GetMore()...), func(id string) bool { return id == "" })
}

// wears is how many of an item somebody wears.
func wears(c *tablev1.Character, item string) int32 {
	n := int32(0)
	for _, id := range outfit(c) {
		if id == item {
			n++
		}
	}
	return n
}

// wornRows are the rows of what somebody wears.
func (g *game) wornRows(c *tablev1.Character) []*itemRow {
	var out []*itemRow
	for _, id := range outfit(c) {
		if row := g.pack.item(id); row != nil {
			out = append(out, row)
		}
	}
	return out
}

// setEquipment writes what is worn, changed by f.
func setEquipment(c *tablev1.Character, f func(*personav1.Equipment)) *tablev1.Change {
	after := &personav1.Equipment{}
	proto.Merge(after, details(c).GetEquipment())
	f(after)
	return piece(c.Id, &personav1.Part{Part: &personav1.Part_Equipment{Equipment: after}})
}

// equip wears a weapon or an armour in place of the one before, which stays in the
// inventory; in an exploration with the main hand (PER-MAC-10). What it adds is read
// from what is worn: the body's own values stay.
func (g *game) equip(c *rule.Ctx, by string, a *personav1.Equip) {
	exploring := encounter.In(c.Encounter(), by)
	if exploring {
		g.spend(c, by, personav1.Hand_HAND_MAIN_HAND, "equip")
	}
	c.Emit(c.Event(itemEquipped, "PER-MAC-10", by).
		Words(fItem, "", rule.Values, a.Item).
		Change(setEquipment(c.Character(by), func(e *personav1.Equipment) {
			if g.pack.item(a.Item).Kind == kindWeapon {
				e.Weapon = a.Item
			} else {
				e.Armor = a.Item
			}
		})))
	if exploring {
		c.Then("", handOver(by, personav1.Hand_HAND_MAIN_HAND, "equip"))
	}
}

func (g *game) validEquip(v *rule.View, by string, a *personav1.Equip) *rule.Refusal {
	const field = "action.persona.equip.item"
	me := v.Character(by)
	if encounter.In(v.Encounter(), by) {
		if _, refusal := g.onTurn(v, by, personav1.Hand_HAND_UNSPECIFIED, false); refusal != nil {
			return refusal
		}
	} else if refusal := mayTrade(me); refusal != nil {
		return refusal
	}
	switch row := g.pack.item(a.Item); {
	case row == nil || carried(me, a.Item) == 0:
		return rule.Refuse(whyItemMissing, "PER-MAC-10", field).Suggest(a.Item, carriedItems(me))
	case row.Kind == kindConsumable:
		return rule.Refuse(whyWrongSlot, "PER-MAC-10", field)
	}
	return nil
}

// offerEquip lists the equipment that is carried and not worn.
func (g *game) offerEquip(v *rule.View, by string) []*tablev1.Offer {
	me := v.Character(by)
	if has(me, stDead) {
		return nil
	}
	var out []*tablev1.Offer
	for _, item := range carriedItems(me) {
		if row := g.pack.item(item); row == nil || row.Kind == kindConsumable || wears(me, item) > 0 {
			continue
		}
		a := &personav1.Equip{Item: item}
		out = append(out, rule.NewOffer(a, g.validEquip(v, by, a), "equip", item))
	}
	return out
}
