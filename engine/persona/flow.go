package persona

import (
	"slices"

	"github.com/hantei/hantei/engine/effect"
	"github.com/hantei/hantei/engine/encounter"
	"github.com/hantei/hantei/engine/rule"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

// roundStart begins a round (PER-EXP-03): everybody has a turn to come, and the floors
// that hold somebody able to act have spent one round more.
func (g *game) roundStart(c *rule.Ctx, _ string, _ *personav1.RoundStart) {
	for _, id := range explorers(&c.View) {
		if me := c.Character(id); hands(me) != nil {
			c.Change(endPiece(id, &personav1.Part{Part: &personav1.Part_Hands{Hands: &personav1.Hands{}}}))
		}
	}
	if c.Encounter().GetStep() != phaseActive {
		return // the Reaper has met those who arrived
	}
	round := c.Encounter().Round + 1
	next := encounter.With(c.Encounter(), func(e *tablev1.Encounter) { e.Round, e.Turn, e.Step = round, nil, phaseActive })
	next.Order, next.Pointer = g.byInitiative(&c.View), 0
	changes := append(freshReapers(c.State), rule.SetEncounter(next), tick(c.State, typev1.Clock_CLOCK_ROUND))
	for _, floor := range occupied(&c.View) {
		now, a, limit := spent(c.State, floor)+1, limitAudience(&c.View), limitOf(c.State, floor).Limit
		e := c.Event(roundStarted, "PER-EXP-03", "").
			Number(fFloor, "", rule.Public, floor).
			Number(fRound, "", rule.Public, round).
			Number(fFloorRound, "", rule.Public, now).
			Number(fLimit, "", a, limit).
			Trace(effect.Begin("", a, "limit", "PER-DUN-07", limit).Trace()...).
			Change(changes...).
			Change(setSpent(floor, now))
		if shown := showLimit(&c.View, floor); shown != nil {
			e.Change(shown)
		}
		c.Emit(e)
		changes = nil
	}
	c.Change(changes...) // NPCs alone go on: no floor counts the round
	g.roundSkills(c)
	c.Then("", &personav1.NextTurn{})
}

// byInitiative is the party by initiative, the highest first, equals by their place in
// the party (PER-EXP-04).
func (g *game) byInitiative(v *rule.View) []string {
	order := slices.Clone(explorers(v))
	slices.SortStableFunc(order, func(a, b string) int {
		return int(g.initiative(v, v.Character(b)).Total() - g.initiative(v, v.Character(a)).Total())
	})
	return order
}

// toCome reports whether somebody's turn of the round is still to come. The dead have
// none.
func toCome(c *tablev1.Character) bool {
	return c != nil && !has(c, stDead) && (!hands(c).GetActed() || hands(c).GetWaiting())
}

// nextTurn compares initiatives afresh and gives the turn to the highest, to equals of
// one side together, to PCs before NPCs (PER-EXP-04, PER-EXP-06). With nobody left the
// Reapers walk, and the round ends.
func (g *game) nextTurn(c *rule.Ctx, _ string, _ *personav1.NextTurn) {
	if c.Encounter().GetStep() != phaseActive {
		return
	}
	g.readInitiatives(c)
	group := g.highest(&c.View)
	if len(group) == 0 {
		c.Then("", &personav1.ReaperStep{})
		return
	}
	var out []string
	for _, id := range group {
		if !able(c.Character(id)) {
			out = append(out, id)
		}
	}
	if len(out) > 0 {
		g.skip(c, out)
		c.Then("", &personav1.NextTurn{})
		return
	}
	g.startTurn(c, group)
}

// readInitiatives says that what follows depends on the initiatives of those whose turn
// is to come, where that is more than one.
func (g *game) readInitiatives(c *rule.Ctx) {
	var who []string
	for _, id := range explorers(&c.View) {
		if toCome(c.Character(id)) {
			who = append(who, id)
		}
	}
	if len(who) < 2 {
		return
	}
	for _, id := range who {
		c.Reads("initiative", id, rule.Values)
	}
}

// highest are those of one side whose initiative is the highest of all whose turn is
// to come.
func (g *game) highest(v *rule.View) []string {
	best := int32(-1)
	var pcs, npcs []string
	for _, id := range explorers(v) {
		c := v.Character(id)
		if !toCome(c) {
			continue
		}
		n := g.initiative(v, c).Total()
		if n > best {
			best, pcs, npcs = n, nil, nil
		}
		switch {
		case n < best:
		case isPC(c):
			pcs = append(pcs, id)
		default:
			npcs = append(npcs, id)
		}
	}
	if len(pcs) > 0 {
		return pcs
	}
	return npcs
}

// skip ends the turns of those who cannot act, without hands (PER-EXP-07).
func (g *game) skip(c *rule.Ctx, who []string) {
	e := c.Event(turnSkipped, "PER-EXP-07", "").Characters(fGroup, "", rule.Public, who...)
	for _, id := range who {
		e.Change(setHands(c.Character(id), func(h *personav1.Hands) {
			h.Acted, h.Waiting, h.Move, h.Tied = true, false, false, false
		}))
	}
	c.Emit(e)
}

// startTurn gives a movement hand and a main hand to everybody whose turn it is
// (PER-EXP-05).
func (g *game) startTurn(c *rule.Ctx, group []string) {
	e := c.Event(turnStarted, "PER-EXP-05", "").Characters(fGroup, "", rule.Public, group...)
	for _, id := range group {
		me := c.Character(id)
		e.Trace(g.initiative(&c.View, me).Note("compared", "PER-EXP-04").Trace()...).
			Change(setHands(me, func(h *personav1.Hands) {
				h.Waited, h.Move, h.Tied = h.Waiting, h.Move || !h.Tied, false
				h.Main, h.Acted, h.Waiting, h.Changed = true, false, false, false
			}))
	}
	for _, id := range g.tiedNPCs(&c.View, group) {
		e.Change(setHands(c.Character(id), func(h *personav1.Hands) { h.Move, h.Tied = true, true }))
	}
	turn := encounter.With(c.Encounter(), func(e *tablev1.Encounter) { e.Turn = group })
	turn.Order = g.byInitiative(&c.View)
	c.Emit(e.Change(rule.SetEncounter(turn)))
}

// inTurn refuses whoever has no turn, or cannot act in it, in the order of section 5.1.
func (g *game) inTurn(v *rule.View, by string) *rule.Refusal {
	e := v.Encounter()
	switch {
	case e == nil:
		return rule.Refuse(whyNotExploring, "PER-EXP-05", "")
	case e.Step == phaseSuspended:
		return rule.Refuse(whyExplorationSuspended, "PER-RPR-04", "")
	case !slices.Contains(e.Turn, by) || hands(v.Character(by)).GetWaiting():
		return rule.Refuse(whyNotYourTurn, "PER-EXP-05", "")
	case !able(v.Character(by)):
		return rule.Refuse(whyActorIncapacitated, "PER-CHK-02", "")
	}
	return nil
}

// onTurn refuses what needs a hand of the turn, in the order of section 5.1. With which
// hand it is done comes back: for a move the movement hand while it is there.
func (g *game) onTurn(v *rule.View, by string, hand personav1.Hand, move bool) (personav1.Hand, *rule.Refusal) {
	if refusal := g.inTurn(v, by); refusal != nil {
		return 0, refusal
	}
	h := hands(v.Character(by))
	switch {
	case !move && hand == personav1.Hand_HAND_MOVE_HAND:
		return 0, rule.Refuse(whyMoveHandOnlyMoves, "PER-EXP-05", "")
	case hand != personav1.Hand_HAND_UNSPECIFIED:
	case move && h.GetMove():
		hand = personav1.Hand_HAND_MOVE_HAND
	default:
		hand = personav1.Hand_HAND_MAIN_HAND
	}
	if hand == personav1.Hand_HAND_MOVE_HAND && !h.GetMove() || hand == personav1.Hand_HAND_MAIN_HAND && !h.GetMain() {
		return 0, rule.Refuse(whyNoHandLeft, "PER-EXP-05", "")
	}
	return hand, nil
}

// spend spends a hand on an action (PER-EXP-05).
func (g *game) spend(c *rule.Ctx, by string, hand personav1.Hand, action string) {
	c.Emit(c.Event(handSpent, "PER-EXP-05", by).
		Words(fHand, "", rule.Public, handWord(hand)).
		Words(fAction, "", rule.Public, action).
		Change(setHands(c.Character(by), func(h *personav1.Hands) {
			if hand == personav1.Hand_HAND_MOVE_HAND {
				h.Move = false
			} else {
				h.Main = false
			}
		})))
}

// handEnd ends the hands that were spent together on an action; with the last of
// somebody's hands his turn ends, and when all turns are over the next is found
// (PER-EXP-08).
func (g *game) handEnd(c *rule.Ctx, _ string, s *personav1.HandEnd) {
	e := c.Encounter()
	if e == nil || e.Step != phaseActive {
		return // it is over, or waits for a battle
	}
	g.sight(c, "PER-RPR-09")
	for _, id := range s.Characters {
		c.Emit(c.Event(handEnded, "PER-EXP-08", id).
			Words(fHand, "", rule.Public, s.Hand).
			Words(fAction, "", rule.Public, s.Action).
			Change(setHands(c.Character(id), func(h *personav1.Hands) {
				if s.Hand == handWord(personav1.Hand_HAND_MAIN_HAND) {
					h.Changed = false // Personas are changed in that hand alone
				}
			})))
	}
	var over []string
	for _, id := range e.Turn {
		h := hands(c.Character(id))
		if !h.GetActed() && !h.GetWaiting() && (!h.GetMove() && !h.GetMain() || !able(c.Character(id))) {
			over = append(over, id)
		}
	}
	g.turnOver(c, over)
}

// turnOver ends turns, and finds the next when nobody has one any more.
func (g *game) turnOver(c *rule.Ctx, who []string) {
	if len(who) > 0 {
		e := c.Event(turnEnded, "PER-EXP-08", "").Characters(fGroup, "", rule.Public, who...)
		for _, id := range who {
			e.Change(setHands(c.Character(id), func(h *personav1.Hands) { h.Move, h.Main, h.Acted = false, false, true }))
		}
		c.Emit(e)
	}
	for _, id := range c.Encounter().Turn {
		if h := hands(c.Character(id)); !h.GetActed() && !h.GetWaiting() {
			return
		}
	}
	if len(c.Encounter().Turn) > 0 {
		c.Change(rule.SetEncounter(encounter.With(c.Encounter(), func(e *tablev1.Encounter) { e.Turn = nil })))
		c.Then("", &personav1.NextTurn{})
	}
}

// endTurn gives up what is left of the turn (PER-EXP-05).
func (g *game) endTurn(c *rule.Ctx, by string, _ *personav1.EndTurn) { g.turnOver(c, []string{by}) }

func (g *game) validEndTurn(v *rule.View, by string, _ *personav1.EndTurn) *rule.Refusal {
	if refusal := g.inTurn(v, by); refusal != nil {
		return refusal
	}
	if hands(v.Character(by)).GetActed() {
		return rule.Refuse(whyNotYourTurn, "PER-EXP-05", "")
	}
	return nil
}

func (g *game) offerEndTurn(v *rule.View, by string) []*tablev1.Offer {
	if !encounter.In(v.Encounter(), by) {
		return nil
	}
	return []*tablev1.Offer{rule.NewOffer(&personav1.EndTurn{}, g.validEndTurn(v, by, nil), "end_turn")}
}

// roundEnd ends the round (PER-EXP-08): what lasts for rounds ticks, then the Reaper
// may come. With nobody able to act, NPCs included, the GM says how it goes on
// (PER-EXP-09).
func (g *game) roundEnd(c *rule.Ctx, _ string, s *personav1.RoundEnd) {
	e := c.Event(roundEnded, "PER-EXP-08", "").Number(fRound, "", rule.Public, c.Encounter().Round)
	if s.CutOff {
		e.Change(rule.SetEncounter(encounter.With(c.Encounter(), func(e *tablev1.Encounter) { e.Turn = nil })))
	}
	c.Emit(e)
	for _, id := range explorers(&c.View) {
		g.tickStatuses(c, id)
	}
	if s.CutOff {
		return
	}
	if !s.Interrupted {
		hiddenDecides(c, "reaper")
		g.reaperComes(c)
	}
	g.goOn(c)
}

// goOn begins the next round after one, as long as somebody can act in it.
func (g *game) goOn(c *rule.Ctx) {
	switch {
	case c.Encounter().GetStep() != phaseActive:
	case g.allDead(&c.View):
		g.leave(c, personav1.EndReason_END_REASON_WIPED_OUT)
	case slices.ContainsFunc(explorers(&c.View), func(id string) bool { return able(c.Character(id)) }):
		c.Then("", &personav1.RoundStart{})
	}
}

// resume begins the next round where the last one left nobody able to act, and
// somebody is again, by the GM's word or at a facility (PER-EXP-09).
func (g *game) resume(c *rule.Ctx) {
	e := c.Encounter()
	if e.GetStep() == phaseActive && len(e.Turn) == 0 && len(c.State.Agenda) == 0 && !c.Waits() {
		g.goOn(c)
	}
}

// allDead reports whether no PC of the party is alive (PER-EXP-09).
func (g *game) allDead(v *rule.View) bool {
	return !slices.ContainsFunc(explorers(v), func(id string) bool {
		return isPC(v.Character(id)) && !has(v.Character(id), stDead)
	})
}

// tickStatuses ends what lasts for rounds and was in force for the last time
// (PER-EXP-08).
func (g *game) tickStatuses(c *rule.Ctx, who string) {
	me := c.Character(who)
	for _, s := range me.Statuses {
		if d := s.Duration; d.GetClock() == typev1.Clock_CLOCK_ROUND && d.Until != 0 && d.Until <= roundNow(c.State) {
			g.loseStatus(c, who, s, "PER-EXP-08")
		}
	}
}

// endFloorStatuses ends what lasts for a floor: what has no end of its own, of skills
// and items (PER-SKL-02, PER-ITM-02).
func (g *game) endFloorStatuses(c *rule.Ctx, who, id string) {
	for _, s := range c.Character(who).Statuses {
		row := g.pack.skill(s.Key)
		if s.Duration == nil && (row != nil && row.lasting() || g.pack.item(s.Key) != nil) {
			g.loseStatus(c, who, s, id)
		}
	}
}

// loseStatus ends a status.
func (g *game) loseStatus(c *rule.Ctx, who string, s *typev1.Status, id string) {
	c.Emit(c.Event(statusLost, id, who).
		Words(fStatus, "", s.Audience, s.Key).
		Change(rule.EndStatus(who, s)))
}
