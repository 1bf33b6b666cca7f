package persona

import (
	"github.com/hantei/hantei/engine/dice"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
)

// incapacitate is what comes of 0 hit points, by the order of the party, after all
// damage (PER-SB-21): the Persona is dismissed, whoever waited does no more, and
// sanity is at stake. battle is true in a simple battle.
func (g *game) incapacitate(c *rule.Ctx, who []string, battle bool) {
	for _, id := range who {
		g.fall(c, id)
		if battle || c.Flag("all_ko_san") {
			g.shaken(c, id)
		}
	}
}

// fall makes somebody unable to act.
func (g *game) fall(c *rule.Ctx, id string) {
	me := c.Character(id)
	c.Emit(c.Event(statusGained, "PER-SB-21", id).
		Words(fStatus, "", rule.Public, stIncapacitated).
		Change(rule.SetStatus(id, g.status(stIncapacitated, nil))))
	if p := declared(me); p != nil && details(me).GetActive().GetSummoned() {
		c.Emit(c.Event(personaDismissed, "PER-SB-21", id).
			Words(fPersona, "", rule.Public, personaName(p)).
			Change(g.summoning(&c.View, me, p, false, has(me, stPersonaDisabled))...))
	}
	g.waitsNoMore(c, id)
}

// shaken is the SAN check of the incapacitated: 1D6, or 3D6 if it fails. It has no
// bands, and no insanity follows (PER-SB-21).
func (g *game) shaken(c *rule.Ctx, id string) {
	me := c.Character(id)
	before := table.Resource(me, kSAN)
	if before == nil {
		return
	}
	die := c.Throw("san/"+id, id, 100)
	ok := die.AtMost(before.GetValue())
	loss := dice.Dice{Count: 1, Sides: 6}
	if !ok {
		loss.Count = 3
	}
	lost := min(before.GetValue(), total(c, rule.Values, "san_loss/"+id, id, loss))
	after := before.GetValue() - lost
	c.Emit(c.Event(sanChanged, "PER-SB-21", id).
		Die(fRoll, "", rule.Dice, die).
		Words(fSuccess, "", rule.Public, successWord(ok)).
		Number(fDelta, "", rule.Values, -lost).
		Number(fValue, "", rule.Values, after).
		Words(fCause, "", rule.Public, stIncapacitated).
		Change(setResource(me, kSAN, after)))
	if after == 0 {
		c.Emit(c.Event(sanZero, "PER-SB-21", id).For(rule.GM))
	}
}
