package persona

import (
	"slices"

	"github.com/hantei/hantei/engine/rule"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// battleSupport takes one support of an intercept that was not enough; then the next is
// waited for, until the attack comes to nothing or all have passed (PER-SB-11).
func (g *game) battleSupport(c *rule.Ctx, _ string, _ *personav1.BattleSupport) {
	struck := battle(c.State).GetInterception()
	w := &rule.Window{
		Name: "support", Rule: "PER-SB-16", Kind: tablev1.WindowKind_WINDOW_KIND_DECLARATIONS,
		BecauseOf: struck.Character, About: struck.Character, Facts: attackFacts(&c.View),
		Takes: func(a *tablev1.Answer) bool { return a.GetPersona().GetSupport().GetSkill() != "" },
	}
	for _, id := range fighters(&c.View) {
		if id != struck.Character && !slices.Contains(struck.Passed, id) {
			w.Slots = append(w.Slots, g.supportSlot(&c.View, id))
		}
	}
	by, skill, passed := "", "", slices.Clone(struck.Passed)
	for i, a := range c.Ask(w) {
		if a == nil {
			continue
		}
		if s := rule.Unpack[*personav1.Support](a).Skill; s != "" {
			by, skill = w.Slots[i].Character, s
		} else if len(w.Slots[i].Choices) > 1 {
			passed = append(passed, w.Slots[i].Character)
		}
	}
	if by == "" {
		c.Change(setBattle(c.State, func(b *personav1.Battle) { b.Interception = nil }))
		return
	}
	c.Change(setBattle(c.State, func(b *personav1.Battle) { b.Interception.Passed = passed }))
	if g.support(c, by, skill) {
		c.Change(setBattle(c.State, func(b *personav1.Battle) { b.Interception = nil }))
		return
	}
	c.Then("", &personav1.BattleSupport{})
}

// supportSlot lists what somebody can support with.
func (g *game) supportSlot(v *rule.View, me string) rule.Slot {
	s := rule.Slot{Character: me, Default: "pass", Choices: []*tablev1.PromptChoice{rule.Choice("pass", &personav1.Support{})}}
	for _, skill := range usable(v.Character(me)).GetSkills() {
		a := &personav1.Support{Skill: skill}
		if g.validSupport(v, nil, me, a) == nil {
			s.Choices = append(s.Choices, rule.Choice("attack."+skill, a))
		}
	}
	return s
}

// validSupport refuses a support in the order of PER-SB-11.
func (g *game) validSupport(v *rule.View, _ *tablev1.Window, who string, a *personav1.Support) *rule.Refusal {
	const field = "answer.persona.support.skill"
	struck := battle(v.State).GetInterception()
	if combatant(v.State, who) == nil || struck == nil || a.Skill == "" {
		return nil
	}
	if refusal := mayReact(v, who); refusal != nil {
		return refusal
	}
	switch {
	case who == struck.Character:
		return rule.Refuse(whyInvalidTarget, "PER-SB-16", "")
	case !stands(instance(v.State, struck.Instance)):
		return rule.Refuse(whyAlreadyNullified, "PER-SB-11", "")
	}
	me := v.Character(who)
	if refusal := g.attacks(me, a.Skill, "PER-SB-16", field); refusal != nil {
		return refusal
	}
	row := g.pack.skill(a.Skill)
	if row.kills() != struck.InstantDeath {
		return rule.Refuse(whySupportKindMismatch, "PER-SB-16", field)
	}
	return mayPay(me, row, field)
}

// support adds to an intercept: its power, or to the rate of an own instant death. It
// reports whether the attack has come to nothing (PER-SB-16, PER-SB-17).
func (g *game) support(c *rule.Ctx, by, skill string) bool {
	struck := battle(c.State).GetInterception()
	row := g.pack.skill(skill)
	id := "PER-SB-16"
	if row.kills() {
		id = "PER-SB-17"
	}
	g.declare(c, by, reactSupport, struck.Instance, row.ID, id)
	g.pay(c, by, row, id)
	ok := false
	if row.kills() {
		ok, _ = g.instantDeath(c, by, row, struck.GetRate(), id)
		c.Emit(resolved(c, by, reactSupport, struck.Instance, id, ok))
	} else {
		power := g.attackPower(c, by, row, id)
		power.Add("intercept", "PER-SB-16", struck.GetPower())
		total := power.Total()
		ok = total > battle(c.State).GetPower()
		c.Emit(resolved(c, by, reactSupport, struck.Instance, id, ok).
			Number(fPower, "", rule.Dice, total).
			Trace(power.Trace()...).
			Change(setBattle(c.State, func(b *personav1.Battle) { b.Interception.Power = &total })))
	}
	if ok {
		g.nullify(c, struck.Instance, by, id)
	}
	return ok
}
