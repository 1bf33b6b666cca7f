package persona

import (
	"slices"

	"github.com/hantei/hantei/engine/rule"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"google.golang.org/protobuf/proto"
)

// set changes by the GM's word what the core's lever cannot (section 7).
func (g *game) set(c *rule.Ctx, _ string, a *personav1.Set) {
	switch what := a.What.(type) {
	case *personav1.Set_Summoned:
		g.setSummoned(c, a, what.Summoned)
	case *personav1.Set_Item:
		before := carried(c.Character(a.Character), what.Item.Item)
		c.Emit(lever(c, a.Character, "", a.Reason, rule.Values, what.Item.Item, text(before), text(what.Item.Count)).
			Change(setCarried(a.Character, what.Item.Item, what.Item.Count)))
	case *personav1.Set_Slots:
		g.setSlots(c, a, what.Slots)
	case *personav1.Set_Feature:
		g.lay(c, numbered(c.State, what.Feature), "", a.Reason)
	case *personav1.Set_Remove:
		f := featureOf(c.State, what.Remove)
		c.Emit(lever(c, "", "", a.Reason, rule.GM, kindOf(f), "", "").
			Number(fID, "", rule.GM, f.Id).
			Squares(fSquare, "", rule.GM, f.Square))
		g.remove(c, f, "PER-HID-01", "taken_away")
	case *personav1.Set_Terrain:
		g.setTerrain(c, what.Terrain, a.Reason)
	case *personav1.Set_Weather:
		g.setWeather(c, what.Weather, a.Reason)
	case *personav1.Set_Moon:
		was := tableDetails(c.State).GetConditions().GetMoon()
		c.Emit(lever(c, "", "PER-DUN-01", a.Reason, rule.Public, "moon", moonWord(was), moonWord(what.Moon)).
			Change(setConditions(c.State, func(cond *personav1.Conditions) { cond.Moon = what.Moon })))
	case *personav1.Set_DungeonLevel:
		g.setLevel(c, what.DungeonLevel, a.Reason)
	}
}

func (g *game) validSet(v *rule.View, _ string, a *personav1.Set) *rule.Refusal {
	const field = "action.persona.gm_set"
	switch what := a.What.(type) {
	case *personav1.Set_Summoned:
		if refusal := atTable(v, a.Character, field+".character"); refusal != nil {
			return refusal
		}
		if declared(v.Character(a.Character)) == nil {
			return rule.Refuse(whyPersonaUnknown, "PER-EXP-02", field+".character")
		}
		return nil
	case *personav1.Set_Item:
		return g.validSetItem(v, a, what.Item, field)
	case *personav1.Set_Slots:
		return g.validSlots(v, a, what.Slots, field)
	}
	if refusal := inDungeon(v); refusal != nil && a.What != nil {
		return refusal
	}
	switch what := a.What.(type) {
	case *personav1.Set_Feature:
		return g.validFeature(v, what.Feature, field+".feature")
	case *personav1.Set_Remove:
		if featureOf(v.State, what.Remove) == nil {
			return rule.Core(tablev1.Reason_REASON_NOT_FOUND, field+".remove")
		}
		return nil
	case *personav1.Set_Terrain:
		return validTerrain(v, what.Terrain, field+".terrain")
	case *personav1.Set_Weather:
		if what.Weather == personav1.Weather_WEATHER_UNSPECIFIED || g.pack.weather(weatherWord(what.Weather)) == nil {
			return rule.Refuse(whyBadEnum, "PER-DUN-01", field+".weather")
		}
		return nil
	case *personav1.Set_Moon:
		if what.Moon == personav1.Moon_MOON_UNSPECIFIED || g.pack.moon(moonWord(what.Moon)) == nil {
			return rule.Refuse(whyBadEnum, "PER-DUN-01", field+".moon")
		}
		return nil
	case *personav1.Set_DungeonLevel:
		if what.DungeonLevel < 1 || what.DungeonLevel > 99 {
			return rule.Refuse(whyBadLevel, "PER-DUN-01", field+".dungeon_level")
		}
		return nil
	}
	return rule.Core(tablev1.Reason_REASON_INVALID_FIELD, field).
		Say("oneof", rule.Code("names", "summoned", "item", "slots", "feature", "remove", "terrain", "weather", "moon", "dungeon_level"))
}

// setSummoned has the declared Persona there and usable, or dismisses it; the maxima
// follow (PER-CHK-04).
func (g *game) setSummoned(c *rule.Ctx, a *personav1.Set, on bool) {
	me := c.Character(a.Character)
	word := map[bool]string{true: "yes", false: "no"}
	c.Emit(lever(c, me.Id, "", a.Reason, rule.Public, "summoned", word[usable(me) != nil], word[on]).
		Change(g.summoning(&c.View, me, declared(me), on, !on && has(me, stPersonaDisabled))...))
}

func (g *game) validSetItem(v *rule.View, a *personav1.Set, i *personav1.ItemCount, field string) *rule.Refusal {
	if refusal := atTable(v, a.Character, field+".character"); refusal != nil {
		return refusal
	}
	switch me := v.Character(a.Character); {
	case g.pack.item(i.GetItem()) == nil:
		return invalid(field+".item.item").Say("no_item", rule.Sent("sent", i.GetItem())).Suggest(i.GetItem(), idsOf(g.pack.items))
	case i.Count < 0 || i.Count > 999:
		return invalid(field+".item.count").Say("int32.gte_lte", rule.Number("gte", 0), rule.Number("lte", 999))
	case i.Count < wears(me, i.Item):
		return rule.Refuse(whyItemEquipped, "PER-MAC-07", field+".item.count")
	}
	return nil
}

// setSlots writes all that is worn, which may be more than one weapon and one armour
// (section 7, PER-MAC-10).
func (g *game) setSlots(c *rule.Ctx, a *personav1.Set, slots *personav1.Equipment) {
	me := c.Character(a.Character)
	e := lever(c, me.Id, "", a.Reason, rule.Values, "slots", "", "")
	if was := outfit(me); len(was) > 0 {
		e.Words(fBefore, "", rule.Values, was...)
	}
	if is := piecesOf(slots); len(is) > 0 {
		e.Words(fAfter, "", rule.Values, is...)
	}
	c.Emit(e.Change(piece(me.Id, &personav1.Part{Part: &personav1.Part_Equipment{Equipment: proto.CloneOf(slots)}})))
}

// validSlots refuses what is of no use in a slot, and what is not carried as often as
// it is worn.
func (g *game) validSlots(v *rule.View, a *personav1.Set, slots *personav1.Equipment, field string) *rule.Refusal {
	if refusal := atTable(v, a.Character, field+".character"); refusal != nil {
		return refusal
	}
	of := func(name, id string, kinds ...string) *rule.Refusal {
		switch row := g.pack.item(id); {
		case row == nil:
			return invalid(field+".slots."+name).Say("no_item", rule.Sent("sent", id)).Suggest(id, idsOf(g.pack.items))
		case !slices.Contains(kinds, row.Kind):
			return rule.Refuse(whyWrongSlot, "PER-MAC-10", field+".slots."+name)
		}
		return nil
	}
	if slots.Weapon != "" {
		if refusal := of("weapon", slots.Weapon, kindWeapon); refusal != nil {
			return refusal
		}
	}
	if slots.Armor != "" {
		if refusal := of("armor", slots.Armor, kindArmor); refusal != nil {
			return refusal
		}
	}
	for _, id := range slots.More {
		if refusal := of("more", id, kindWeapon, kindArmor); refusal != nil {
			return refusal
		}
	}
	me := v.Character(a.Character)
	for _, i := range pieces(piecesOf(slots)) {
		if i.Count > carried(me, i.Item) {
			return rule.Refuse(whyItemMissing, "PER-MAC-10", field+".slots").Name(i.Item)
		}
	}
	return nil
}
