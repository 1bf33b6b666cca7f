package coc

import (
	"github.com/hantei/hantei/engine/dice"
	"github.com/hantei/hantei/engine/encounter"
	"github.com/hantei/hantei/engine/rule"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// psychoanalysis treats an insane person (COC-SAN-06). In combat it uses the attack
// (COC-CMB-10).
func (g *game) psychoanalysis(c *rule.Ctx, by string, a *cocv1.Psychoanalysis) {
	r := g.rollBesides(c, check{by: by, skill: kPsychoanalysis, id: "COC-SAN-06", action: "psychoanalysis"}, a.UsePlus10,
		func(e *rule.Event, _ rolled) { e.On(a.Target) })
	c.Reads("psychoanalysis", a.Target, rule.Mind)
	switch {
	case a.Therapy:
		g.therapy(c, a.Target, r)
	case r.grade.ok():
		g.calm(c, a.Target, "COC-SAN-06", r.event)
	}
}

// therapy is what a month of it brings: sanity regained by a success, lost by a
// fumble. It ends no insanity.
func (g *game) therapy(c *rule.Ctx, who string, r rolled) {
	n := int32(0)
	switch {
	case r.grade.ok():
		n = c.RollFor(rule.Mind, "san_gain", who, dice.Dice{Count: 1, Sides: 3})[0]
	case r.grade == fumble:
		n = -c.RollFor(rule.Mind, "san_loss", who, dice.Dice{Count: 1, Sides: 6})[0]
	default:
		return
	}
	if g.changeSAN(c, who, n, "COC-SAN-06", r.event) == 0 {
		c.Tell("COC-SAN-06", "san_gain") // nothing can be gained or lost any more
	}
}

// calm ends a temporary insanity, and suppresses an indefinite one until the
// scenario ends: treatment takes months.
func (g *game) calm(c *rule.Ctx, who, ruleID string, because int32) {
	g.endInsanity(c, who, ruleID, has(c.Character(who), stIndefInsane), because)
}

func (g *game) validPsychoanalysis(v *rule.View, by string, a *cocv1.Psychoanalysis) *rule.Refusal {
	const id, field = "COC-SAN-06", "action.coc.psychoanalysis."
	if a.Therapy && v.Encounter() != nil {
		return rule.Refuse(notYourTurn, id, field+"therapy") // it is out of play
	}
	if refusal := g.besides(v, by, v.Character(a.Target), field+"target"); refusal != nil {
		return refusal
	}
	target := v.Character(a.Target)
	if target == nil || a.Target == by || has(target, stDead) || has(target, stPermInsane) {
		return rule.Refuse(badTarget, id, field+"target").Suggest(a.Target, v.CharacterIDs())
	}
	if !a.Therapy && !insane(target) {
		return rule.Refuse(notInsane, id, field+"target")
	}
	return validRight(v.Character(by), a.UsePlus10, field)
}

// offerPsychoanalysis offers the treatment of everybody who is seen to be insane,
// and out of combat a month of therapy.
func (g *game) offerPsychoanalysis(v *rule.View, by string) []*tablev1.Offer {
	if v.Encounter() != nil && !encounter.In(v.Encounter(), by) {
		return nil
	}
	var out []*tablev1.Offer
	offer := func(a *cocv1.Psychoanalysis, label ...string) {
		o := rule.NewOffer(a, g.validPsychoanalysis(v, by, a), "psychoanalysis", label...)
		if has(v.Character(by), stPlus10) {
			o.Inputs = append(o.Inputs, plus10Input("coc.psychoanalysis"))
		}
		out = append(out, o)
	}
	for _, ch := range v.State.Characters {
		if ch.Id == by || has(ch, stDead) {
			continue
		}
		if insane(ch) {
			offer(&cocv1.Psychoanalysis{Target: ch.Id}, ch.Id)
		}
		if v.Encounter() == nil && isPC(ch) {
			offer(&cocv1.Psychoanalysis{Target: ch.Id, Therapy: true}, ch.Id, "therapy")
		}
	}
	return out
}
