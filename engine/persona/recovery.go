package persona

import (
	"github.com/hantei/hantei/engine/effect"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

// mayPay refuses a skill that costs more than there is; of hit points one must be left
// (PER-SKL-01).
func mayPay(me *tablev1.Character, row *skillRow, field string) *rule.Refusal {
	switch {
	case resource(me, kMP) < row.CostMP:
		return rule.Refuse(whyInsufficientMp, "PER-SKL-01", field)
	case row.CostHP > 0 && resource(me, kHP)-row.CostHP < 1:
		return rule.Refuse(whyInsufficientHp, "PER-SKL-01", field)
	}
	return nil
}

// pay pays for a skill (PER-SKL-01).
func (g *game) pay(c *rule.Ctx, who string, row *skillRow, id string) {
	for _, cost := range []struct {
		key string
		n   int32
	}{{kHP, row.CostHP}, {kMP, row.CostMP}} {
		if cost.n > 0 {
			g.points(c, who, cost.key, effect.Begin(who, rule.HP, cost.key, id, resource(c.Character(who), cost.key)).Add(row.ID, id, -cost.n), because(row.ID), id)
		}
	}
}

// heal raises hit points up to their maximum. Whoever has some again can act again, but
// for the Persona, which stays away (PER-SKL-01).
func (g *game) heal(c *rule.Ctx, who string, n int32, cause *typev1.Fact, id string) {
	c.Reads("heal", who, rule.HP)
	g.points(c, who, kHP, raised(c.Character(who), kHP, n, id), cause, id)
	if resource(c.Character(who), kHP) == 0 {
		return
	}
	for _, key := range []string{stIncapacitated, stUnconscious} {
		if s := table.Status(c.Character(who), key); s != nil {
			g.loseStatus(c, who, s, id)
		}
	}
}

// refresh raises magic points up to their maximum.
func (g *game) refresh(c *rule.Ctx, who string, n int32, cause *typev1.Fact, id string) {
	g.points(c, who, kMP, raised(c.Character(who), kMP, n, id), cause, id)
}

// raised is a resource with n more, up to its maximum; to what is above that nothing is
// added (PER-CHG-02).
func raised(c *tablev1.Character, key string, n int32, id string) *effect.Value {
	r := table.Resource(c, key)
	value := effect.Begin(c.Id, rule.HP, key, id, r.GetValue())
	if r.GetValue() > r.GetMax() {
		return value.Note("above_maximum", "PER-CHG-02")
	}
	return value.Add("heal", id, n).Clamp("maximum", "PER-CHG-02", 0, r.GetMax())
}

// points gives hit or magic points a new value and tells of it.
func (g *game) points(c *rule.Ctx, who, key string, value *effect.Value, cause *typev1.Fact, id string) {
	me := c.Character(who)
	name := hpChanged
	if key == kMP {
		name = mpChanged
	}
	delta := value.Total() - resource(me, key)
	e := c.Event(name, id, who).
		Number(fDelta, "", rule.HP, delta).
		Number(fValue, "", rule.HP, value.Total()).
		Trace(value.Trace()...)
	addFacts(e, []*typev1.Fact{cause})
	if delta != 0 {
		e.Change(setResource(me, key, value.Total()))
	}
	c.Emit(e)
}

// because tells what points change by, to whom they are told.
func because(cause string) *typev1.Fact { return rule.WordFact(fCause, "", rule.HP, cause) }
