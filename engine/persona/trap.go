package persona

import (
	"github.com/hantei/hantei/engine/dice"
	"github.com/hantei/hantei/engine/effect"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
)

// triggerMove is the trigger of traps that go off by moving, in the table traps.
const triggerMove = "move"

// trapTrigger are traps that go off when somebody moves onto their square. The one who
// sets it off is the quickest of those who have come (PER-MOVE-02).
func (g *game) trapTrigger() trigger {
	return trigger{
		kind: kindTrap,
		fires: func(_ *rule.View, a *personav1.Arrive, f *personav1.Feature) bool {
			row := g.pack.trap(f.GetTrap().Kind)
			return !a.EventsOnly && row != nil && row.Trigger == triggerMove
		},
		run: func(c *rule.Ctx, a *personav1.Arrive, f *personav1.Feature) []proto.Message {
			g.springTrap(c, f, present(&c.View, a))
			return nil
		},
	}
}

// quickest is who of these has the highest initiative; of equals the first in the order
// of the party.
func (g *game) quickest(v *rule.View, who []string) string {
	best, most := "", int32(-1)
	for _, id := range inOrder(v, who) {
		if n := g.initiative(v, v.Character(id)).Total(); n > most {
			best, most = id, n
		}
	}
	return best
}

// springTrap has a trap go off, set off by the quickest of these: it costs him, or all
// who can act on his square, points that are rolled once; no defence and no affinity
// counts. Then it is gone (PER-SQ-06). Who stands with him learns what it was.
func (g *game) springTrap(c *rule.Ctx, f *personav1.Feature, came []string) {
	row, actor := g.pack.trap(f.GetTrap().Kind), g.quickest(&c.View, came)
	at := place(c.Character(actor))
	targets := []string{actor}
	if row.Targets == "square" {
		targets = on(&c.View, at, able)
	}
	ks := knowers(&c.View, on(&c.View, at, isPC))
	g.learn(c, ks, f, data, "PER-SQ-06")
	e := c.Event(trapTriggered, "PER-SQ-06", actor).On(targets...)
	if len(came) > 1 {
		e.Trace(g.initiative(&c.View, c.Character(actor)).Note("compared", "PER-MOVE-02").Trace()...)
	}
	g.tellOf(c, e, ks, f)
	for _, k := range ks {
		for _, fact := range g.trapData(c.State, f.GetTrap(), k.audience) {
			fact.Of = k.of
			addFacts(e, []*typev1.Fact{fact})
		}
	}
	c.Emit(e)
	var down []string
	if row.HP != "" {
		power := g.trapPower(c, row, kHP, row.hp, actor)
		for _, id := range targets {
			if g.hurt(c, id, power) {
				down = append(down, id)
			}
		}
	}
	if row.MP != "" {
		power := g.trapPower(c, row, kMP, row.mp, actor)
		for _, id := range targets {
			g.drain(c, id, power, kindTrap)
		}
	}
	g.remove(c, f, "PER-SQ-06", "gone_off")
	g.incapacitate(c, down, false)
}

// trapPower rolls what a trap costs: its dice and, where its row says so, the tens of the
// dungeon's level. The dice tell what is lost, and are for those who may see that; which
// trap it was they do not tell, since not everybody knows it who sees them.
func (g *game) trapPower(c *rule.Ctx, row *trapRow, of string, d dice.Dice, actor string) *effect.Value {
	rolled := total(c, rule.HP, "trap_"+of, actor, d)
	power := effect.Begin("", rule.HP, kindTrap, "PER-SQ-06", rolled)
	if row.PlusLevel == of {
		power.Add("dungeon_level", "PER-SQ-06", tableDetails(c.State).GetConditions().GetLevel()/10)
	}
	return power
}

// hurt takes hit points off somebody. It reports whether none are left.
func (g *game) hurt(c *rule.Ctx, id string, power *effect.Value) bool {
	me := c.Character(id)
	if table.Resource(me, kHP) == nil {
		return false
	}
	left := max(0, resource(me, kHP)-power.Total())
	c.Emit(c.Event(damageApplied, "PER-SQ-06", id).
		Number(fDamage, "", rule.HP, power.Total()).
		Number(fHP, "", rule.HP, left).
		Trace(power.Trace()...).
		Change(setResource(me, kHP, left)))
	return left == 0
}

// drain takes magic points off somebody.
func (g *game) drain(c *rule.Ctx, id string, power *effect.Value, cause string) {
	me := c.Character(id)
	if table.Resource(me, kMP) == nil {
		return
	}
	left := max(0, resource(me, kMP)-power.Total())
	c.Emit(c.Event(mpChanged, "PER-SQ-06", id).
		Number(fDelta, "", rule.HP, left-resource(me, kMP)).
		Number(fValue, "", rule.HP, left).
		Words(fCause, "", rule.HP, cause).
		Trace(power.Trace()...).
		Change(setResource(me, kMP, left)))
}
