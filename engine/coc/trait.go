package coc

import (
	"slices"
	"strconv"

	"github.com/hantei/hantei/engine/dice"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// addTrait takes a trait, the chosen one or one that a die names (COC-CRE-09); a
// die that names one twice is rolled again.
func (g *game) addTrait(c *rule.Ctx, by string, a *cocv1.AddTrait) {
	id := a.Trait
	for n := 1; id == ""; n++ {
		label := "trait"
		if n > 1 {
			label += "/" + strconv.Itoa(n)
		}
		// The die tells the trait, which is nobody else's to know.
		face := c.RollFor(rule.Owner, label, by, dice.Dice{Count: 1, Sides: int32(len(g.pack.traits))})[0]
		if row := g.pack.traits[face-1]; !hasTrait(c.Character(by), row.ID) {
			id = row.ID
		}
	}
	e := c.Event(traitAdded, "COC-CRE-09", by).For(rule.Owner).Words(fTrait, "", rule.Owner, id)
	c.Emit(e.Change(piece(by, &cocv1.Part{Part: &cocv1.Part_Traits{Traits: &cocv1.Trait{Id: id}}})))
	g.deriveDraft(c, by)
}

func hasTrait(me *tablev1.Character, id string) bool {
	return slices.ContainsFunc(details(me).GetTraits(), func(t *cocv1.Trait) bool { return t.Id == id })
}

// applyTrait writes what a trait changes, after the cap of skills, which it may
// pass (COC-CRE-09). Of hit points it is the maximum.
func (g *game) applyTrait(ch *tablev1.Character, t *traitRow) {
	for _, x := range t.Changes {
		switch r, s := table.Resource(ch, x.Key), table.Stat(ch, x.Key); {
		case x.Key == kHP:
			top := max(1, r.GetMax()+x.Add)
			setResource(ch, kHP, top, top, r.Audience)
		case r != nil:
			setResource(ch, x.Key, min(max(0, r.GetValue()+x.Add), r.GetMax()), r.GetMax(), r.Audience)
		case s != nil:
			g.setStat(ch, x.Key, min(max(0, s.GetValue()+x.Add), 99), s.GetBase(), s.Audience)
		}
	}
}

func (g *game) validAddTrait(v *rule.View, by string, a *cocv1.AddTrait) *rule.Refusal {
	const id, field = "COC-CRE-09", "action.coc.add_trait.trait"
	me := v.Character(by)
	if refusal := inDraft(me, id); refusal != nil {
		return refusal
	}
	if refusal := traitsAllowed(v, me, len(details(me).GetTraits())+1); refusal != nil {
		return refusal
	}
	switch {
	case a.Trait == "" && len(details(me).GetTraits()) >= len(g.pack.traits), hasTrait(me, a.Trait):
		return rule.Refuse(tooManyTraits, id, field)
	case a.Trait != "" && g.pack.trait(a.Trait) == nil:
		return rule.Core(tablev1.Reason_REASON_INVALID_FIELD, field).Say("no_trait", rule.Sent("sent", a.Trait)).Suggest(a.Trait, g.traits())
	}
	return nil
}

// traitsAllowed refuses so many traits: the table is of the supplement of 2015.
func traitsAllowed(v *rule.View, me *tablev1.Character, n int) *rule.Refusal {
	if n == 0 {
		return nil
	}
	o, most := overrides(v), int32(2)
	if o.TraitsMax != nil {
		most = *o.TraitsMax
	}
	if o.TraitsMax != nil && most == 0 || o.Supplements != nil && !*o.Supplements {
		return rule.Refuse(notAllowedHere, "COC-CRE-10", "")
	}
	if !owns(v, me, "2015") {
		return rule.Refuse(supplementRequired, "COC-CRE-09", "")
	}
	if int32(n) > most {
		return rule.Refuse(tooManyTraits, "COC-CRE-09", "")
	}
	return nil
}

func (g *game) traits() []string {
	ids := make([]string, len(g.pack.traits))
	for i, t := range g.pack.traits {
		ids[i] = t.ID
	}
	return ids
}

func (g *game) offerTraits(v *rule.View, by string) []*tablev1.Offer {
	if draftOf(v, by) == nil {
		return nil
	}
	left, why := open(g.traits(), func(id string) *rule.Refusal { return g.validAddTrait(v, by, &cocv1.AddTrait{Trait: id}) })
	o := rule.NewOffer(&cocv1.AddTrait{}, why, "add_trait")
	trait := rule.ChoiceInput("trait", "coc.add_trait.trait", left)
	trait.MinCount = 0 // left out, a die decides
	o.Inputs = []*tablev1.Input{trait}
	return []*tablev1.Offer{o}
}
