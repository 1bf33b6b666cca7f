package persona

import (
	"slices"

	"github.com/hantei/hantei/engine/encounter"
	"github.com/hantei/hantei/engine/rule"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// codedWait are the rules of waiting that have code.
var codedWait = []string{"PER-WAIT-01", "PER-WAIT-02", "PER-WAIT-03"}

func (g *game) registerWait(r *rule.Ruleset) {
	rule.Register(r, rule.Action[*personav1.Wait]{Rule: "PER-WAIT-01", Group: groupTurn, Offers: g.offerWait, Valid: g.validWait, Run: g.wait})
}

// wait gives up both hands for now: until the round ends the initiative counts as 0, and
// when the turn comes again both are there anew (PER-WAIT-01). With an initiative of 0
// already there is nothing to wait for: the hands lapse (PER-WAIT-03).
func (g *game) wait(c *rule.Ctx, by string, _ *personav1.Wait) {
	me := c.Character(by)
	if g.initiative(&c.View, me).Total() <= 0 {
		c.Emit(c.Event(actionForfeited, "PER-WAIT-03", by))
		g.turnOver(c, []string{by})
		return
	}
	e := c.Event(waitStarted, "PER-WAIT-01", by).
		Change(setHands(me, func(h *personav1.Hands) { h.Move, h.Main, h.Waiting = false, false, true }))
	if others := slices.DeleteFunc(slices.Clone(c.Encounter().Turn), func(id string) bool { return id == by }); len(others) > 0 {
		// Those who had the turn at the same time still have it.
		e.Change(rule.SetEncounter(encounter.With(c.Encounter(), func(e *tablev1.Encounter) { e.Turn = others })))
	}
	c.Emit(e)
	g.turnOver(c, nil)
}

// waitsNoMore cancels the waiting of whoever cannot act any more, whose initiative comes
// back (PER-WAIT-02).
func (g *game) waitsNoMore(c *rule.Ctx, who string) {
	if me := c.Character(who); hands(me).GetWaiting() {
		c.Emit(c.Event(waitCancelled, "PER-WAIT-02", who).
			Change(setHands(me, func(h *personav1.Hands) { h.Waiting = false })))
	}
}

func (g *game) validWait(v *rule.View, by string, _ *personav1.Wait) *rule.Refusal {
	if refusal := g.inTurn(v, by); refusal != nil {
		return refusal
	}
	switch h := hands(v.Character(by)); {
	case !h.GetMove() && !h.GetMain():
		return rule.Refuse(whyNoHandLeft, "PER-EXP-05", "")
	case !h.GetMove() || !h.GetMain():
		return rule.Refuse(whyHandAlreadyUsed, "PER-WAIT-01", "")
	}
	return nil
}

func (g *game) offerWait(v *rule.View, by string) []*tablev1.Offer {
	if !encounter.In(v.Encounter(), by) {
		return nil
	}
	return []*tablev1.Offer{rule.NewOffer(&personav1.Wait{}, g.validWait(v, by, nil), "wait")}
}
