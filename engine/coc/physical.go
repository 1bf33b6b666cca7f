package coc

import (
	"slices"

	"github.com/hantei/hantei/engine/encounter"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// physicalPsychoanalysis beats sense into an insane investigator (COC-SAN-07): a
// combat skill, no cover, no defence. In combat it uses the attack (COC-CMB-10).
func (g *game) physicalPsychoanalysis(c *rule.Ctx, by string, a *cocv1.PhysicalPsychoanalysis) {
	w := g.weaponFor(c.Character(by), a.Skill)
	s := strike{by: by, weapon: w.Id, row: g.template(w), patient: a.Target}
	s.atk = g.rollBesides(c, check{by: by, skill: a.Skill, id: "COC-SAN-07", action: "physical_psychoanalysis"}, a.UsePlus10,
		func(e *rule.Event, _ rolled) { e.On(a.Target).Words(fWeapon, "", rule.Public, w.Id) })
	switch {
	case s.atk.grade.ok():
		g.wake(c, a.Target, s.atk.event)
	case s.atk.grade == fumble:
		g.attackFumble(c, s, a.Target)
	}
	g.lostTurn(c, by)
}

// wake is what a success does: half of the hit points are lost, without a shock
// roll, and the effect is that of psychoanalysis. Few hit points mean what they
// always do (COC-INJ-03, COC-INJ-04).
func (g *game) wake(c *rule.Ctx, who string, because int32) {
	half := max(0, hp(c.Character(who))) / 2
	if c.Option("physical_psycho_base") == "max" {
		half = table.Resource(c.Character(who), kHP).GetMax() / 2
	}
	if half > 0 {
		g.wound(c, who, half, "physical_psychoanalysis", because)
	}
	g.calm(c, who, "COC-SAN-07", because)
	if half > 0 && hp(c.Character(who)) <= 2 {
		g.lowHP(c, who)
	}
}

// weaponFor is the first weapon that can be used with a skill, or nil.
func (g *game) weaponFor(me *tablev1.Character, skill string) *cocv1.Weapon {
	for _, w := range details(me).GetWeapons() {
		if usable(w) && g.template(w).Skill == skill {
			return w
		}
	}
	return nil
}

func (g *game) validPhysical(v *rule.View, by string, a *cocv1.PhysicalPsychoanalysis) *rule.Refusal {
	const id, field = "COC-SAN-07", "action.coc.physical_psychoanalysis."
	me, target := v.Character(by), v.Character(a.Target)
	if insane(me) {
		return rule.Refuse(actorInsane, id, "")
	}
	w := g.weaponFor(me, a.Skill)
	if v.Encounter() == nil && !conscious(me) {
		return rule.Refuse(unconscious, id, "")
	}
	if v.Encounter() != nil {
		if refusal := turnOf(v, by, stepActions, id); refusal != nil {
			return refusal
		}
		if refusal := g.mayAct(v, me, id); refusal != nil {
			return refusal
		}
		if target != nil && a.Target != by && w != nil && g.beyond(me, target, g.template(w), 0) {
			return rule.Refuse(outOfRange, reachRule(g.template(w)), field+"target")
		}
	}
	if target == nil || a.Target == by || !isPC(target) || !isPC(me) || has(target, stDead) {
		return rule.Refuse(badTarget, id, field+"target").Suggest(a.Target, v.CharacterIDs())
	}
	if !insane(target) {
		return rule.Refuse(notInsane, id, field+"target")
	}
	if w == nil {
		return rule.Refuse(notCombatSkill, id, field+"skill").Suggest(a.Skill, g.strikingSkills(me))
	}
	return validRight(me, a.UsePlus10, field)
}

// strikingSkills are the skills of the weapons that can be used.
func (g *game) strikingSkills(me *tablev1.Character) []string {
	var out []string
	for _, w := range details(me).GetWeapons() {
		if skill := g.template(w).Skill; usable(w) && !slices.Contains(out, skill) {
			out = append(out, skill)
		}
	}
	return out
}

// offerPhysical offers it on each investigator who is seen to be insane, with each
// skill that reaches.
func (g *game) offerPhysical(v *rule.View, by string) []*tablev1.Offer {
	me := v.Character(by)
	if !isPC(me) || has(me, stDead) || v.Encounter() != nil && !encounter.In(v.Encounter(), by) {
		return nil
	}
	var out []*tablev1.Offer
	for _, ch := range v.State.Characters {
		if ch.Id == by || !isPC(ch) || has(ch, stDead) || !insane(ch) {
			continue
		}
		skills, why := reachable(g.strikingSkills(me), func(skill string) *rule.Refusal {
			return g.validPhysical(v, by, &cocv1.PhysicalPsychoanalysis{Target: ch.Id, Skill: skill})
		})
		o := rule.NewOffer(&cocv1.PhysicalPsychoanalysis{Target: ch.Id}, why, "physical_psychoanalysis", ch.Id)
		o.Inputs = []*tablev1.Input{rule.ChoiceInput("skill", "coc.physical_psychoanalysis.skill", skills)}
		if has(me, stPlus10) {
			o.Inputs = append(o.Inputs, plus10Input("coc.physical_psychoanalysis"))
		}
		out = append(out, o)
	}
	return out
}
