package persona

import (
	"cmp"

	"github.com/hantei/hantei/engine/encounter"
	"github.com/hantei/hantei/engine/rule"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// codedChange are the rules of changing Personas that have code.
var codedChange = []string{"PER-CHG-01", "PER-CHG-02", "PER-CHG-03"}

func (g *game) registerChange(r *rule.Ruleset) {
	rule.Register(r, rule.Action[*personav1.PersonaChange]{Rule: "PER-CHG-01", Group: groupTurn, Offers: g.offerChange, Valid: g.validChange, Run: g.change})
	rule.Register(r, rule.Action[*personav1.Resummon]{Rule: "PER-CHG-03", Group: groupTurn, Offers: g.offerResummon, Valid: g.validResummon, Run: g.resummon})
}

// change changes to another Persona, whatever the check says: with success it costs no
// hand (PER-CHG-01).
func (g *game) change(c *rule.Ctx, by string, a *personav1.PersonaChange) {
	g.bring(c, by, a.Persona, "PER-CHG-01", "persona_change")
}

// resummon brings a Persona back that could not be used, as a change does (PER-CHG-03).
func (g *game) resummon(c *rule.Ctx, by string, a *personav1.Resummon) {
	g.bring(c, by, wanted(c.Character(by), a), "PER-CHG-03", "resummon")
}

// bring checks the Persona skill and has a Persona be there. Success leaves the main
// hand for something else, failure spends it.
func (g *game) bring(c *rule.Ctx, by, persona, id, action string) {
	ok := g.personaCheck(c, "check", by, id)
	me := c.Character(by)
	p := personaOf(me, persona)
	word := "hand_spent"
	if ok {
		word = "free"
	}
	e := c.Event(personaSummoned, id, by).
		Words(fPersona, "", rule.Public, personaName(p)).
		Words(fFree, "", rule.Public, word).
		Change(g.summoning(&c.View, me, p, true, false)...)
	if ok {
		c.Emit(e.Change(setHands(me, func(h *personav1.Hands) { h.Changed = true })))
		return
	}
	c.Emit(e)
	g.spend(c, by, personav1.Hand_HAND_MAIN_HAND, action)
	c.Then("", handOver(by, personav1.Hand_HAND_MAIN_HAND, action))
}

// wanted is the Persona to summon again: the declared one unless another is named.
func wanted(me *tablev1.Character, a *personav1.Resummon) string {
	return cmp.Or(a.Persona, declared(me).GetId())
}

// isWild reports whether somebody has several Personas to choose from.
func isWild(c *tablev1.Character) bool {
	return details(c).GetUser().GetKind() == personav1.UserKind_USER_KIND_WILD
}

func (g *game) validChange(v *rule.View, by string, a *personav1.PersonaChange) *rule.Refusal {
	const field = "action.persona.persona_change.persona"
	if _, refusal := g.onTurn(v, by, a.Hand, false); refusal != nil {
		return refusal
	}
	me := v.Character(by)
	switch {
	case !isWild(me):
		return rule.Refuse(whyNotWild, "PER-CHG-01", "")
	case personaOf(me, a.Persona) == nil:
		return rule.Refuse(whyPersonaUnknown, "PER-CHG-01", field).Suggest(a.Persona, personasOf(me))
	case usable(me) == nil:
		return rule.Refuse(whyPersonaNotSummoned, "PER-CHG-01", "")
	case usable(me).Id == a.Persona:
		return rule.Refuse(whyAlreadyActive, "PER-CHG-01", field)
	case hands(me).GetChanged():
		return rule.Refuse(whyAlreadyChangedThisHand, "PER-CHG-01", "")
	}
	return nil
}

func (g *game) validResummon(v *rule.View, by string, a *personav1.Resummon) *rule.Refusal {
	const field = "action.persona.resummon.persona"
	if _, refusal := g.onTurn(v, by, a.Hand, false); refusal != nil {
		return refusal
	}
	me := v.Character(by)
	switch persona := wanted(me, a); {
	case usable(me) != nil:
		return rule.Refuse(whyAlreadySummoned, "PER-CHG-03", "")
	case personaOf(me, persona) == nil:
		return rule.Refuse(whyPersonaUnknown, "PER-CHG-03", field).Suggest(a.Persona, personasOf(me))
	case persona != declared(me).GetId() && !isWild(me):
		return rule.Refuse(whyNotWild, "PER-CHG-03", field)
	case hands(me).GetChanged():
		return rule.Refuse(whyAlreadyChangedThisHand, "PER-CHG-03", "")
	}
	return nil
}

func (g *game) offerChange(v *rule.View, by string) []*tablev1.Offer {
	me := v.Character(by)
	if !encounter.In(v.Encounter(), by) || !isWild(me) {
		return nil
	}
	var out []*tablev1.Offer
	for _, p := range details(me).GetPersonas() {
		if p.Id == usable(me).GetId() {
			continue
		}
		a := &personav1.PersonaChange{Persona: p.Id}
		out = append(out, rule.NewOffer(a, g.validChange(v, by, a), "persona_change", personaName(p)))
	}
	return out
}

func (g *game) offerResummon(v *rule.View, by string) []*tablev1.Offer {
	me := v.Character(by)
	if !encounter.In(v.Encounter(), by) || usable(me) != nil {
		return nil
	}
	var out []*tablev1.Offer
	for _, p := range details(me).GetPersonas() {
		if p.Id != declared(me).GetId() && !isWild(me) {
			continue
		}
		a := &personav1.Resummon{Persona: p.Id}
		out = append(out, rule.NewOffer(a, g.validResummon(v, by, a), "resummon", personaName(p)))
	}
	return out
}
