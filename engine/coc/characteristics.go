package coc

import (
	"slices"
	"strconv"
	"strings"

	"github.com/hantei/hantei/engine/dice"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"google.golang.org/protobuf/proto"
)

// rollCharacteristics rolls the characteristics of a draft, once (COC-CRE-01).
func (g *game) rollCharacteristics(c *rule.Ctx, by string, _ *cocv1.RollCharacteristics) {
	values := rollAll(c, by)
	e := tellCharacteristics(c.Event(characteristicsRolled, "COC-CRE-01", by), characteristicKeys, values)
	redraft(c, e, by, func(ch *tablev1.Character) {
		making(ch).Rolled = true
		g.setCharacteristics(ch, characteristicKeys, values)
	})
	g.deriveDraft(c, by)
}

// rerollAll rolls all of them again (COC-CRE-03): what falls stands.
func (g *game) rerollAll(c *rule.Ctx, by string, _ *cocv1.RerollAll) {
	used := creation(c.Character(by)).GetRerollsAll() + 1
	values := rollAll(c, by)
	e := c.Event(rerolled, "COC-CRE-03", by).
		Words(fScope, "", rule.Public, "all").
		Number(fLeft, "", rule.Owner, rerollsAll(&c.View)-used)
	redraft(c, tellCharacteristics(e, characteristicKeys, values), by, func(ch *tablev1.Character) {
		making(ch).RerollsAll = used
		g.setCharacteristics(ch, characteristicKeys, values)
	})
	g.deriveDraft(c, by)
}

// rerollOne rolls one of them again (COC-CRE-03).
func (g *game) rerollOne(c *rule.Ctx, by string, a *cocv1.RerollOne) {
	key := []string{a.Characteristic}
	values := []int32{rollCharacteristic(c, by, a.Characteristic)}
	left := rerollsOneLeft(&c.View, c.Character(by), a.Characteristic) - 1
	e := c.Event(rerolled, "COC-CRE-03", by).
		Words(fScope, "", rule.Public, a.Characteristic).
		Number(fLeft, "", rule.Owner, left)
	redraft(c, tellCharacteristics(e, key, values), by, func(ch *tablev1.Character) {
		countReroll(details(ch), a.Characteristic)
		g.setCharacteristics(ch, key, values)
	})
	g.deriveDraft(c, by)
}

// swap has two characteristics change places (COC-CRE-04).
func (g *game) swap(c *rule.Ctx, by string, a *cocv1.Swap) {
	me := c.Character(by)
	keys := []string{a.Characteristic, a.With}
	values := []int32{stat(me, a.With), stat(me, a.Characteristic)}
	e := c.Event(swapped, "COC-CRE-04", by).Words(fScope, "", rule.Public, keys...)
	redraft(c, tellCharacteristics(e, keys, values), by, func(ch *tablev1.Character) {
		g.setCharacteristics(ch, keys, values)
	})
	g.deriveDraft(c, by)
}

// characteristicDice are the dice of a characteristic, and what is added to them
// (COC-CRE-01).
func characteristicDice(key string) (d dice.Dice, plus int32) {
	switch key {
	case kSIZ, kINT:
		return dice.Dice{Count: 2, Sides: 6}, 6
	case kEDU:
		return dice.Dice{Count: 3, Sides: 6}, 3
	}
	return dice.Dice{Count: 3, Sides: 6}, 0
}

// rollCharacteristic throws the dice of a characteristic. Their faces tell it, so
// they are for those who may see it.
func rollCharacteristic(c *rule.Ctx, by, key string) int32 {
	d, sum := characteristicDice(key)
	for _, face := range c.RollFor(rule.Values, "characteristic/"+key, by, d) {
		sum += face
	}
	return sum
}

// rollAll throws for all characteristics, in their order.
func rollAll(c *rule.Ctx, by string) []int32 {
	values := make([]int32, len(characteristicKeys))
	for i, key := range characteristicKeys {
		values[i] = rollCharacteristic(c, by, key)
	}
	return values
}

// tellCharacteristics adds what characteristics are now.
func tellCharacteristics(e *rule.Event, keys []string, values []int32) *rule.Event {
	for i, key := range keys {
		e.Number(characteristicFacts[slices.Index(characteristicKeys, key)], "", rule.Values, values[i])
	}
	return e
}

func (g *game) setCharacteristics(ch *tablev1.Character, keys []string, values []int32) {
	for i, key := range keys {
		g.setStat(ch, key, values[i], 0, rule.Values)
	}
}

// deriveDraft works out anew what follows from the characteristics of a draft
// (COC-CRE-02): after each roll, reroll and swap, and where a trait changes it.
func (g *game) deriveDraft(c *rule.Ctx, by string) {
	was := c.Character(by)
	now := proto.Clone(was).(*tablev1.Character)
	g.rederive(now)
	changes := table.Changes(was, now)
	if len(changes) == 0 {
		return
	}
	c.Emit(c.Event(valuesDerived, "COC-CRE-02", by).
		Number(fHP, "", rule.HP, hp(now)).
		Words(fDamageBonus, "", rule.Values, damageBonusWord(now)).
		Number(fMinimumAge, "", rule.Values, stat(now, kEDU)+6).
		Change(changes...))
}

// rederive writes what follows from the characteristics of a draft, with the points
// spent on its skills and its traits.
func (g *game) rederive(ch *tablev1.Character) {
	g.values(ch, func(key string) int32 { return stat(ch, key) })
	for _, p := range details(ch).GetSkillPoints() {
		base := baseOn(ch, g.pack.skill(p.Skill))
		g.setStat(ch, p.Skill, min(99, base+p.Occupation+p.Personal), base, rule.Values)
	}
	for _, t := range details(ch).GetTraits() {
		g.applyTrait(ch, g.pack.trait(t.Id))
	}
}

// damageBonusWord is the damage bonus as it is written (COC-CRE-12): "+1D4", or "0".
func damageBonusWord(c *tablev1.Character) string {
	sign, count, sides := damageBonus(c)
	if count == 0 {
		return "0"
	}
	word := strconv.Itoa(int(count)) + "D" + strconv.Itoa(int(sides))
	if sign < 0 {
		return "-" + word
	}
	return "+" + word
}

// rerollsAll is how often the whole set may be rolled again (COC-CRE-03).
func rerollsAll(v *rule.View) int32 {
	if n := overrides(v).RerollsAll; n != nil {
		return *n
	}
	return 5
}

// rerollsOneLeft is how often a characteristic may still be rolled again by itself:
// the count is one for all of them, or one for each (COC-CRE-03).
func rerollsOneLeft(v *rule.View, me *tablev1.Character, key string) int32 {
	left := int32(3)
	if n := overrides(v).RerollsOne; n != nil {
		left = *n
	}
	for _, r := range details(me).GetRerolls() {
		if v.Option("single_reroll_scope") == "total" || r.Characteristic == key {
			left -= r.Times
		}
	}
	return left
}

// countReroll counts a single reroll on a sheet that is being written.
func countReroll(d *cocv1.Details, key string) {
	i, found := slices.BinarySearchFunc(d.Rerolls, key, func(r *cocv1.Reroll, key string) int { return strings.Compare(r.Characteristic, key) })
	if found {
		d.Rerolls[i].Times++
		return
	}
	d.Rerolls = slices.Insert(d.Rerolls, i, &cocv1.Reroll{Characteristic: key, Times: 1})
}

func (g *game) validRollCharacteristics(v *rule.View, by string, _ *cocv1.RollCharacteristics) *rule.Refusal {
	me := v.Character(by)
	if refusal := inDraft(me, "COC-CRE-01"); refusal != nil {
		return refusal
	}
	if creation(me).GetRolled() {
		return rule.Refuse(alreadyRolled, "COC-CRE-01", "")
	}
	return nil
}

func (g *game) validRerollAll(v *rule.View, by string, _ *cocv1.RerollAll) *rule.Refusal {
	const id = "COC-CRE-03"
	me := v.Character(by)
	if refusal := inDraft(me, id); refusal != nil {
		return refusal
	}
	if n := overrides(v).RerollsAll; n != nil && *n == 0 {
		return rule.Refuse(notAllowedHere, "COC-CRE-10", "")
	}
	if refusal := rolledDraft(me); refusal != nil {
		return refusal
	}
	if creation(me).GetRerollsAll() >= rerollsAll(v) {
		return rule.Refuse(noRerollsLeft, id, "")
	}
	return nil
}

func (g *game) validRerollOne(v *rule.View, by string, a *cocv1.RerollOne) *rule.Refusal {
	const id, field = "COC-CRE-03", "action.coc.reroll_one.characteristic"
	me := v.Character(by)
	if refusal := inDraft(me, id); refusal != nil {
		return refusal
	}
	if n := overrides(v).RerollsOne; n != nil && *n == 0 {
		return rule.Refuse(notAllowedHere, "COC-CRE-10", "")
	}
	if refusal := rolledDraft(me); refusal != nil {
		return refusal
	}
	if refusal := knownCharacteristic(a.Characteristic, field); refusal != nil {
		return refusal
	}
	if rerollsOneLeft(v, me, a.Characteristic) <= 0 {
		return rule.Refuse(noRerollsLeft, id, field)
	}
	return nil
}

func (g *game) validSwap(v *rule.View, by string, a *cocv1.Swap) *rule.Refusal {
	const id, field = "COC-CRE-04", "action.coc.swap."
	me := v.Character(by)
	if refusal := inDraft(me, id); refusal != nil {
		return refusal
	}
	if may := overrides(v).Swap; may != nil && !*may {
		return rule.Refuse(notAllowedHere, "COC-CRE-10", "")
	}
	if refusal := rolledDraft(me); refusal != nil {
		return refusal
	}
	if refusal := knownCharacteristic(a.Characteristic, field+"characteristic"); refusal != nil {
		return refusal
	}
	if refusal := knownCharacteristic(a.With, field+"with"); refusal != nil {
		return refusal
	}
	if !swappable(v, a.Characteristic, a.With) {
		return rule.Refuse(swapNotAllowed, id, field+"with")
	}
	return nil
}

// swappable reports whether two characteristics may change places: only those of
// the same dice do (COC-CRE-04).
func swappable(v *rule.View, one, other string) bool {
	d, plus := characteristicDice(one)
	e, more := characteristicDice(other)
	return one != other && (d == e && plus == more || v.Flag("swap_across_formulas"))
}

func knownCharacteristic(key, field string) *rule.Refusal {
	if !isCharacteristic(key) {
		return rule.Core(tablev1.Reason_REASON_INVALID_FIELD, field).
			Say("no_characteristic", rule.Sent("sent", key), rule.Names("names", characteristicKeys...)).Suggest(key, characteristicKeys)
	}
	return nil
}

func (g *game) offerRollCharacteristics(v *rule.View, by string) []*tablev1.Offer {
	me := draftOf(v, by)
	if me == nil || creation(me).GetRolled() {
		return nil
	}
	a := &cocv1.RollCharacteristics{}
	return []*tablev1.Offer{rule.NewOffer(a, g.validRollCharacteristics(v, by, a), "roll_characteristics")}
}

func (g *game) offerRerollAll(v *rule.View, by string) []*tablev1.Offer {
	me := draftOf(v, by)
	if me == nil {
		return nil
	}
	a := &cocv1.RerollAll{}
	left := rerollsAll(v) - creation(me).GetRerollsAll()
	return []*tablev1.Offer{rule.NewOffer(a, g.validRerollAll(v, by, a), "reroll_all", times(left))}
}

func (g *game) offerRerollOne(v *rule.View, by string) []*tablev1.Offer {
	me := draftOf(v, by)
	if me == nil {
		return nil
	}
	keys, why := open(characteristicKeys, func(key string) *rule.Refusal {
		return g.validRerollOne(v, by, &cocv1.RerollOne{Characteristic: key})
	})
	var left []string
	if v.Option("single_reroll_scope") == "total" { // else it is not one number
		left = []string{times(rerollsOneLeft(v, me, kSTR))}
	}
	o := rule.NewOffer(&cocv1.RerollOne{}, why, "reroll_one", left...)
	o.Inputs = []*tablev1.Input{rule.ChoiceInput("characteristic", "coc.reroll_one.characteristic", keys)}
	return []*tablev1.Offer{o}
}

// offerSwaps offers each pair once, by its first characteristic.
func (g *game) offerSwaps(v *rule.View, by string) []*tablev1.Offer {
	if draftOf(v, by) == nil {
		return nil
	}
	var out []*tablev1.Offer
	for i, one := range characteristicKeys {
		var others []string
		for _, other := range characteristicKeys[i+1:] {
			if swappable(v, one, other) {
				others = append(others, other)
			}
		}
		if len(others) == 0 {
			continue
		}
		a := &cocv1.Swap{Characteristic: one}
		o := rule.NewOffer(a, g.validSwap(v, by, &cocv1.Swap{Characteristic: one, With: others[0]}), "swap", one)
		o.Inputs = []*tablev1.Input{rule.ChoiceInput("with", "coc.swap.with", others)}
		out = append(out, o)
	}
	return out
}

// times is how often something may still be done, as a word of a label.
func times(left int32) string { return strconv.Itoa(int(max(0, left))) }
