package coc

import (
	"github.com/hantei/hantei/engine/effect"
	"github.com/hantei/hantei/engine/rule"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// resistance rolls one number against another (COC-CHK-08): 50, and 5 for each
// point that the active one is higher. Where the chance is certain or none, no die
// is thrown.
func (g *game) resistance(c *rule.Ctx, by string, a *cocv1.Resistance) {
	me, target := c.Character(by), c.Character(a.Target)
	value := effect.Begin(knownBy(me, target), rule.Values, "resistance", "COC-CHK-08", 50).
		Add("difference", "COC-CHK-08", chance(me, target, a)-50)
	if n := value.Total(); n <= 0 || n >= 100 {
		gr := failure
		if n >= 100 {
			gr = success
		}
		value.Note("automatic", "COC-CHK-08")
		e := c.Event(resistanceResolved, "COC-CHK-08", by).For(c.Audience).
			Words(fSkill, "", rule.Public, kResistance).
			Number(fValue, knownBy(me, target), rule.Values, n).
			Words(fResult, "", rule.Public, gr.String()).
			Trace(value.Trace()...)
		c.Emit(against(e, a.Target))
		return
	}
	r := g.roll(c, check{
		label: "check", by: by, skill: kResistance, value: value, valueOf: knownBy(me, target), event: resistanceResolved, id: "COC-CHK-08",
	}, func(e *rule.Event, _ rolled) { against(e, a.Target) })
	if isPC(me) {
		g.aftermath(c, by, r)
	}
}

// chance is that of a resistance roll, which may be above 100 or below 0.
func chance(me, target *tablev1.Character, a *cocv1.Resistance) int32 {
	active, passive := a.Active, a.Passive
	if a.Characteristic != "" {
		active = stat(me, a.Characteristic)
	}
	if target != nil {
		passive = stat(target, a.TargetCharacteristic)
	}
	return 50 + (active-passive)*5
}

// knownBy is whose value the chance is: it tells of both sides, so of the one that
// is the keeper's, whose values may be hidden.
func knownBy(me, target *tablev1.Character) string {
	if target != nil && (!isPC(target) || isPC(me)) {
		return target.Id
	}
	return me.Id
}

func against(e *rule.Event, target string) *rule.Event {
	if target != "" {
		e.On(target)
	}
	return e
}

func (g *game) validResistance(v *rule.View, by string, a *cocv1.Resistance) *rule.Refusal {
	const id, field = "COC-CHK-08", "action.coc.resistance."
	if has(v.Character(by), stDead) {
		return rule.Refuse(unconscious, id, "")
	}
	if a.Characteristic != "" && !isCharacteristic(a.Characteristic) {
		return rule.Refuse(unknownSkill, id, field+"characteristic").Suggest(a.Characteristic, characteristicKeys)
	}
	if a.Target == "" {
		return nil
	}
	if refusal := other(v, by, a.Target, id, field+"target"); refusal != nil {
		return refusal
	}
	if !isCharacteristic(a.TargetCharacteristic) {
		return rule.Refuse(unknownSkill, id, field+"target_characteristic").Suggest(a.TargetCharacteristic, characteristicKeys)
	}
	return nil
}

// other refuses whoever is not at the table, and oneself.
func other(v *rule.View, by, target, id, field string) *rule.Refusal {
	if v.Character(target) == nil || target == by {
		return rule.Refuse(badTarget, id, field).Suggest(target, v.CharacterIDs())
	}
	return nil
}

// others are all characters but one.
func others(v *rule.View, by string) []string {
	var out []string
	for _, id := range v.CharacterIDs() {
		if id != by {
			out = append(out, id)
		}
	}
	return out
}

// offerResistance offers a characteristic against a number, and against somebody's.
func (g *game) offerResistance(v *rule.View, by string) []*tablev1.Offer {
	if has(v.Character(by), stDead) {
		return nil
	}
	number := rule.NumberInput("passive", "coc.resistance.passive", 0, 1000)
	number.MinCount = 1
	mine := rule.ChoiceInput("characteristic", "coc.resistance.characteristic", characteristicKeys)
	out := []*tablev1.Offer{rule.NewOffer(&cocv1.Resistance{}, nil, "resistance")}
	out[0].Inputs = []*tablev1.Input{mine, number}
	if targets := others(v, by); len(targets) > 0 {
		// What it is offered with is filled in: the default makes it another offer.
		o := rule.NewOffer(&cocv1.Resistance{TargetCharacteristic: kSIZ}, nil, "resistance", "target")
		o.Inputs = []*tablev1.Input{
			mine, rule.CharacterInput("target", "coc.resistance.target", targets),
			rule.ChoiceInput("target_characteristic", "coc.resistance.target_characteristic", characteristicKeys),
		}
		out = append(out, o)
	}
	return out
}
