package persona

import (
	"github.com/hantei/hantei/engine/effect"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"google.golang.org/protobuf/proto"
)

// kAgility is what effects on agility apply to (PER-CHK-05).
const kAgility = "agility"

// correction is what a usable Persona adds to a human value: half of its own
// (PER-CHK-04).
func correction(value *effect.Value, v *rule.View, c *tablev1.Character, label string, of func(*personav1.Persona) int32) {
	switch p := usable(c); {
	case v.Option("stat_bonus") == "off":
	case p == nil:
		value.Note("no_persona", "PER-CHK-04")
	default:
		value.Add(label, "PER-CHK-04", of(p)/2)
	}
}

// swiftness is DEX with the Persona's correction; for whom has no DEX the speed of
// the Persona (PER-CHK-05). Effects on agility add to it.
func (g *game) swiftness(v *rule.View, c *tablev1.Character) *effect.Value {
	var value *effect.Value
	if table.Stat(c, kDEX) == nil {
		value = effect.Begin(c.Id, rule.Values, "speed", "PER-CHK-05", declared(c).GetSpeed())
	} else {
		value = effect.Begin(c.Id, rule.Values, kDEX, "PER-CHK-05", stat(c, kDEX))
		correction(value, v, c, "speed", (*personav1.Persona).GetSpeed)
	}
	g.swifter(v, c, value)
	return value
}

// swifter adds the effects on agility.
func (g *game) swifter(v *rule.View, c *tablev1.Character, value *effect.Value) {
	for _, r := range g.pack.items {
		if r.Agility != 0 && effect.Has(v.State, c, r.ID) {
			value.Add(r.ID, "PER-CHK-05", r.Agility)
		}
	}
}

// initiative decides who comes first; whoever waits, or has waited in this round, has
// 0 (PER-CHK-05, PER-WAIT-01).
func (g *game) initiative(v *rule.View, c *tablev1.Character) *effect.Value {
	if hands(c).GetWaiting() || hands(c).GetWaited() {
		return effect.Begin(c.Id, rule.Values, "waiting", "PER-WAIT-01", 0)
	}
	return g.swiftness(v, c)
}

// agility is "speed or DEX" in formulas; waiting does not change it (PER-CHK-05).
func (g *game) agility(v *rule.View, c *tablev1.Character) *effect.Value {
	value := g.swiftness(v, c)
	p := usable(c)
	if v.Option("agility_rule") != "max" || p == nil {
		return value
	}
	speed := effect.Begin(c.Id, rule.Values, "speed", "PER-CHK-05", p.Speed)
	g.swifter(v, c, speed)
	if speed.Total() > value.Total() {
		return speed
	}
	return value
}

// bonus is what a Persona adds to the most hit and magic points (section 3.2).
func bonus(p *personav1.Persona) (hp, mp int32) {
	if p == nil {
		return 0, 0
	}
	hp, mp = p.Endurance, p.Magic
	if p.MaxHpBonus != nil {
		hp = *p.MaxHpBonus
	}
	if p.MaxMpBonus != nil {
		mp = *p.MaxMpBonus
	}
	return hp, mp
}

// summoning is a change of what Persona somebody can use. The maxima follow, current
// values do not (PER-CHK-04, PER-CHG-02).
func (g *game) summoning(v *rule.View, c *tablev1.Character, p *personav1.Persona, summoned, disabled bool) []*tablev1.Change {
	var out []*tablev1.Change
	active := &personav1.Active{Persona: p.GetId(), Name: personaName(p), Summoned: summoned}
	if !proto.Equal(active, details(c).GetActive()) {
		out = append(out, piece(c.Id, &personav1.Part{Part: &personav1.Part_Active{Active: active}}))
	}
	switch was := table.Status(c, stPersonaDisabled); {
	case disabled && was == nil:
		out = append(out, rule.SetStatus(c.Id, g.status(stPersonaDisabled, nil)))
	case !disabled && was != nil:
		out = append(out, rule.EndStatus(c.Id, was))
	}
	if v.Option("stat_bonus") == "off" {
		return out
	}
	hpBefore, mpBefore := bonus(usable(c))
	hpAfter, mpAfter := int32(0), int32(0)
	if summoned && !disabled {
		hpAfter, mpAfter = bonus(p)
	}
	out = append(out, raise(c, kHP, hpAfter-hpBefore)...)
	return append(out, raise(c, kMP, mpAfter-mpBefore)...)
}

// raise changes the maximum of a resource.
func raise(c *tablev1.Character, key string, by int32) []*tablev1.Change {
	r := table.Resource(c, key)
	if by == 0 || r == nil {
		return nil
	}
	after := proto.CloneOf(r)
	after.Max = proto.Int32(r.GetMax() + by)
	return []*tablev1.Change{rule.SetResource(c.Id, after, r.GetValue())}
}
