package persona

import (
	"slices"

	"github.com/hantei/hantei/engine/effect"
	"github.com/hantei/hantei/engine/rule"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

// Kinds of reactions, as words (PER-SB-11).
const (
	reactCover     = "cover"
	reactDodge     = "dodge"
	reactIntercept = "intercept"
	reactSupport   = "support"
)

const reactionField = "answer.persona.reaction."

// battleReactions takes one declaration, in any order, and resolves it; then the next
// is waited for, until all have passed (PER-SB-11).
func (g *game) battleReactions(c *rule.Ctx, _ string, _ *personav1.BattleReactions) {
	w := &rule.Window{
		Name: "reaction", Rule: "PER-SB-11", Kind: tablev1.WindowKind_WINDOW_KIND_DECLARATIONS, Facts: attackFacts(&c.View),
		Takes: func(a *tablev1.Answer) bool { return !passes(a.GetPersona().GetReaction()) },
	}
	for _, id := range fighters(&c.View) {
		if !combatant(c.State, id).GetPassed() {
			w.Slots = append(w.Slots, g.reactionSlot(&c.View, id))
		}
	}
	declared := ""
	var reaction *personav1.Reaction
	for i, a := range c.Ask(w) {
		if a == nil {
			continue
		}
		switch r := rule.Unpack[*personav1.Reaction](a); {
		case !passes(r):
			declared, reaction = w.Slots[i].Character, r
		case len(w.Slots[i].Choices) > 1:
			c.Change(setCombatant(c.State, w.Slots[i].Character, func(b *personav1.Combatant) { b.Passed = true }))
		}
	}
	if reaction == nil {
		c.Then("", &personav1.BattleDamage{})
		return
	}
	switch k := reaction.Kind.(type) {
	case *personav1.Reaction_Cover:
		g.cover(c, declared, k.Cover)
	case *personav1.Reaction_Dodge:
		g.dodge(c, declared, k.Dodge)
	case *personav1.Reaction_Intercept:
		if g.intercept(c, declared, k.Intercept) {
			c.Then("", &personav1.BattleSupport{}, &personav1.BattleReactions{})
			return
		}
	}
	c.Then("", &personav1.BattleReactions{})
}

// passes reports whether an answer is no declaration.
func passes(r *personav1.Reaction) bool { return r.GetKind() == nil || r.GetPass() != nil }

// attackFacts are what those who react know of the attack.
func attackFacts(v *rule.View) []*typev1.Fact {
	b := battle(v.State)
	return []*typev1.Fact{
		numberFact(fPower, powerAudience(v), b.GetPower()),
		rule.WordFact(fType, "", rule.Public, attackWord(b.GetAttackType())),
		rule.WordFact(fAttribute, "", rule.Public, b.GetAttribute()),
	}
}

// reactionSlot lists how somebody can react now.
func (g *game) reactionSlot(v *rule.View, me string) rule.Slot {
	s := rule.Slot{Character: me, Default: "pass"}
	pass := &personav1.Reaction{Kind: &personav1.Reaction_Pass{Pass: &personav1.Pass{}}}
	s.Choices = append(s.Choices, rule.Choice("pass", pass))
	for _, id := range battle(v.State).Characters {
		r := &personav1.Reaction{Kind: &personav1.Reaction_Cover{Cover: &personav1.Cover{Target: id}}}
		if g.validReaction(v, nil, me, r) == nil {
			s.Choices = append(s.Choices, rule.Choice(reactCover+"."+id, r))
		}
	}
	received := receives(v.State, me)
	if len(received) == 0 || mayReact(v, me) != nil {
		return s
	}
	at := func(path string) *tablev1.Input {
		in := rule.CharacterInput("instance", path, received)
		if received[0] != me { // the own attack needs no naming
			return in
		}
		return optional(in)
	}
	dodge := &personav1.Reaction{Kind: &personav1.Reaction_Dodge{Dodge: &personav1.Dodge{}}}
	s.Choices = append(s.Choices, rule.Choice(reactDodge, dodge, at("persona.reaction.dodge.instance")))
	for _, skill := range usable(v.Character(me)).GetSkills() {
		if g.mayAttack(v.Character(me), skill, "PER-SB-14", "") == nil {
			r := &personav1.Reaction{Kind: &personav1.Reaction_Intercept{Intercept: &personav1.Intercept{Skill: skill}}}
			s.Choices = append(s.Choices, rule.Choice(reactIntercept+"."+skill, r, at("persona.reaction.intercept.instance")))
		}
	}
	return s
}

// receives lists whose attacks somebody receives that still stand, his own first.
func receives(s *tablev1.State, who string) []string {
	var out []string
	for _, id := range battle(s).GetCharacters() {
		if i := instance(s, id); stands(i) && i.Receiver == who {
			if id == who {
				out = slices.Insert(out, 0, id)
			} else {
				out = append(out, id)
			}
		}
	}
	return out
}

// validReaction refuses a reaction in the order of PER-SB-11. Fleeing is none
// (PER-SB-08).
func (g *game) validReaction(v *rule.View, _ *tablev1.Window, who string, r *personav1.Reaction) *rule.Refusal {
	if combatant(v.State, who) == nil {
		return nil // who takes no part has no slot
	}
	switch k := r.Kind.(type) {
	case *personav1.Reaction_Flee:
		return rule.Refuse(whyCannotFlee, "PER-SB-08", "")
	case *personav1.Reaction_Cover:
		return g.mayCover(v, who, k.Cover.Target)
	case *personav1.Reaction_Dodge:
		if refusal := mayReact(v, who); refusal != nil {
			return refusal
		}
		return mayAnswer(v.State, who, own(k.Dodge.Instance, who), reactionField+"dodge.instance")
	case *personav1.Reaction_Intercept:
		if refusal := mayReact(v, who); refusal != nil {
			return refusal
		}
		if refusal := mayAnswer(v.State, who, own(k.Intercept.Instance, who), reactionField+"intercept.instance"); refusal != nil {
			return refusal
		}
		return g.mayAttack(v.Character(who), k.Intercept.Skill, "PER-SB-14", reactionField+"intercept.skill")
	}
	return nil
}

// own is whose attack is meant: the own unless one is named.
func own(named, who string) string {
	if named == "" {
		return who
	}
	return named
}

// forbidden refuses any reaction in an enemy ambush, but to holders of Vigilance
// (PER-SB-05, PER-SB-07).
func forbidden(v *rule.View, who string) *rule.Refusal {
	if battle(v.State).Result == personav1.AmbushResult_AMBUSH_RESULT_ENEMY_AMBUSH && !hasSkill(v.Character(who), skVigilance) {
		return rule.Refuse(whyReactionsForbidden, "PER-SB-05", "")
	}
	return nil
}

// mayReact refuses a dodge, an intercept or a support: in an ambush, without a reaction
// left, without a Persona (PER-SB-11).
func mayReact(v *rule.View, who string) *rule.Refusal {
	if refusal := forbidden(v, who); refusal != nil {
		return refusal
	}
	switch {
	case combatant(v.State, who).GetReactionsLeft() <= 0:
		return rule.Refuse(whyNoReactionLeft, "PER-SB-11", "")
	case usable(v.Character(who)) == nil:
		return rule.Refuse(whyPersonaNotSummoned, "PER-SB-11", "")
	}
	return nil
}

// mayAnswer refuses to react to an attack that somebody does not receive, or that has
// come to nothing (PER-SB-11, PER-SB-13).
func mayAnswer(s *tablev1.State, who, of, field string) *rule.Refusal {
	i := instance(s, of)
	switch {
	case i.GetReceiver() != who:
		return rule.Refuse(whyNotReceiver, "PER-SB-13", field).Suggest(of, receives(s, who))
	case !stands(i):
		return rule.Refuse(whyAlreadyNullified, "PER-SB-11", field)
	}
	return nil
}

// declare tells that somebody reacts, and spends the reaction; answered is true where
// he cannot be covered any more (PER-SB-11, PER-SB-12).
func (g *game) declare(c *rule.Ctx, who, kind, of, skill, id string) {
	e := c.Event(reactionDeclared, id, who).
		Words(fKind, "", rule.Public, kind).
		Characters(fInstance, "", rule.Public, of)
	if skill != "" {
		e.Words(fSkill, "", rule.Public, skill)
	}
	c.Emit(e.Change(setCombatant(c.State, who, func(b *personav1.Combatant) {
		b.ReactionsLeft--
		b.DodgedOrIntercepted = b.DodgedOrIntercepted || kind != reactSupport
	})))
}

// resolved tells what a reaction came to.
func resolved(c *rule.Ctx, who, kind, of, id string, ok bool) *rule.Event {
	return c.Event(reactionResolved, id, who).
		Words(fKind, "", rule.Public, kind).
		Characters(fInstance, "", rule.Public, of).
		Words(fSuccess, "", rule.Public, successWord(ok))
}

// nullify brings an attack to nothing (PER-SB-11).
func (g *game) nullify(c *rule.Ctx, of, by, id string) {
	c.Emit(c.Event(attackNullified, id, by).On(of).
		Characters(fInstance, "", rule.Public, of).
		Characters(fBy, "", rule.Public, by).
		Change(setInstance(c.State, of, func(i *personav1.Instance) { i.NullifiedBy = by })))
}

// dodge is a check against the speed of the Persona, which the human does not change
// (PER-SB-13).
func (g *game) dodge(c *rule.Ctx, by string, a *personav1.Dodge) {
	of := own(a.Instance, by)
	g.declare(c, by, reactDodge, of, "", "PER-SB-13")
	target := effect.Begin(by, rule.Values, "speed", "PER-SB-13", usable(c.Character(by)).GetSpeed())
	ok := g.roll(c, check{label: reactDodge, by: by, name: reactDodge, target: target, id: "PER-SB-13"})
	c.Emit(resolved(c, by, reactDodge, of, "PER-SB-13", ok))
	if ok {
		g.nullify(c, of, by, "PER-SB-13")
	}
}
