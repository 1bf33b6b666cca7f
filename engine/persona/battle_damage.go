package persona

import (
	"slices"

	"github.com/hantei/hantei/engine/effect"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// hit is one instance of the attack that still stands, with what holds against it at
// the start of the damage: all strike at the same time (PER-SB-19).
type hit struct {
	of, receiver string
	affinity     personav1.Affinity
	defense      *effect.Value
}

// battleDamage deals what still stands: losses first, by receivers and whom the attack
// was aimed at, then what is absorbed, then what comes of 0 hit points (PER-SB-19,
// PER-SB-20, PER-SB-21).
func (g *game) battleDamage(c *rule.Ctx, _ string, _ *personav1.BattleDamage) {
	hits := g.hits(&c.View)
	for _, h := range hits {
		g.strike(c, h)
	}
	for _, h := range hits {
		if h.affinity == personav1.Affinity_AFFINITY_ABSORB && resource(c.Character(h.receiver), kHP) > 0 {
			g.heal(c, h.receiver, battle(c.State).GetPower(), rule.WordFact(fCause, "", rule.Values, affinityWord(h.affinity)), "PER-SB-19")
		}
	}
	var down []string
	for _, id := range fighters(&c.View) {
		if resource(c.Character(id), kHP) == 0 {
			down = append(down, id)
		}
	}
	g.incapacitate(c, down, true)
	c.Then("", &personav1.BattleEnd{})
}

// hits lists what still stands, by receivers and whom it was aimed at, each in the
// order of the party.
func (g *game) hits(v *rule.View) []hit {
	var out []hit
	attribute := battle(v.State).GetAttribute()
	for _, receiver := range battle(v.State).GetCharacters() {
		c := v.Character(receiver)
		for _, of := range battle(v.State).GetCharacters() {
			if i := instance(v.State, of); c != nil && stands(i) && i.Receiver == receiver {
				out = append(out, hit{of, receiver, affinityOf(c, attribute), g.defense(v, c)})
			}
		}
	}
	return out
}

// affinityOf is how an attribute takes effect on somebody: as normal without a Persona
// that can be used (PER-SB-19, PER-CHK-04).
func affinityOf(c *tablev1.Character, attribute string) personav1.Affinity {
	for _, a := range usable(c).GetAffinities() {
		if a.Attribute == attribute {
			return a.Affinity
		}
	}
	return personav1.Affinity_AFFINITY_NORMAL
}

// defense is what is taken off damage: of body and armour, of the Persona if it can be
// used, and of what lasts (PER-SB-20, section 3.2).
func (g *game) defense(v *rule.View, c *tablev1.Character) *effect.Value {
	value := effect.Begin(c.Id, rule.Values, kArmorDefense, "PER-SB-20", stat(c, kArmorDefense))
	if p := usable(c); p == nil {
		value.Note("no_persona", "PER-CHK-04")
	} else if p.Defense != nil {
		value.Add("persona_defense", "PER-SB-20", *p.Defense)
	} else {
		value.Add("persona_defense", "PER-SB-20", p.Endurance/2)
	}
	for _, r := range g.wornRows(c) {
		if r.Defense != 0 {
			value.Add(r.ID, "PER-SB-20", r.Defense)
		}
	}
	for _, r := range g.pack.skills {
		if r.Defense != 0 && effect.Has(v.State, c, r.ID) {
			value.Add(r.ID, "PER-SB-20", r.Defense)
		}
	}
	for _, r := range g.pack.items {
		if r.Kind == kindConsumable && r.Defense != 0 && effect.Has(v.State, c, r.ID) {
			value.Add(r.ID, "PER-SB-20", r.Defense)
		}
	}
	return value
}

// strike deals one instance: none where the affinity brings it to nothing; else what is
// left after halving and defence, of which there is none against a weakness, which
// costs the Persona besides (PER-SB-19, PER-SB-20).
func (g *game) strike(c *rule.Ctx, h hit) {
	me := c.Character(h.receiver)
	if slices.Contains([]personav1.Affinity{
		personav1.Affinity_AFFINITY_NULL, personav1.Affinity_AFFINITY_REFLECT, personav1.Affinity_AFFINITY_ABSORB,
	}, h.affinity) {
		c.Emit(c.Event(attackNullified, "PER-SB-19", h.receiver).On(h.of).
			Characters(fInstance, "", rule.Public, h.of).
			Words(fAffinity, "", rule.Values, affinityWord(h.affinity)))
		return
	}
	power := battle(c.State).GetPower()
	defense, left := h.defense.Total(), power
	switch h.affinity {
	case personav1.Affinity_AFFINITY_WEAK:
		defense = 0
	case personav1.Affinity_AFFINITY_RESIST:
		left /= 2
	}
	damage := max(0, left-defense)
	after := max(0, resource(me, kHP)-damage)
	e := c.Event(damageApplied, "PER-SB-20", h.receiver).On(h.of).
		Number(fPower, "", powerAudience(&c.View), power).
		Words(fAffinity, "", rule.Values, affinityWord(h.affinity)).
		Number(fDefense, "", rule.Values, defense).
		Number(fDamage, "", rule.HP, damage).
		Number(fHP, "", rule.HP, after)
	if defense > 0 {
		e.Trace(h.defense.Trace()...)
	}
	if r := table.Resource(me, kHP); r.GetValue() != after {
		e.Change(setResource(me, kHP, after))
	}
	c.Emit(e.Float(h.receiver, fDamage))
	if h.affinity == personav1.Affinity_AFFINITY_WEAK && usable(c.Character(h.receiver)) != nil {
		g.disable(c, h.receiver)
	}
}

// disable takes away the Persona of whoever was hit at a weakness, until it is summoned
// again (PER-SB-19).
func (g *game) disable(c *rule.Ctx, who string) {
	me := c.Character(who)
	p := declared(me)
	c.Emit(c.Event(personaDismissed, "PER-SB-19", who).
		Words(fPersona, "", rule.Public, personaName(p)).
		Change(g.summoning(&c.View, me, p, false, true)...))
}
