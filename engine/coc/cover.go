package coc

import (
	"github.com/hantei/hantei/engine/encounter"
	"github.com/hantei/hantei/engine/rule"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// cover asks the target's allies, all at once, whether one of them takes the
// blow (COC-DEF-07). It returns whom the blow strikes.
func (g *game) cover(c *rule.Ctx, s *strike, target string) string {
	var slots []rule.Slot
	side := c.Character(target).Side
	for _, id := range c.Encounter().Roster {
		if c.Character(id).Side == side && g.mayCover(&c.View, id, s.by, target) == nil {
			slots = append(slots, rule.Slot{Character: id, Default: "decline", Choices: []*tablev1.PromptChoice{
				rule.Choice("cover", &cocv1.Cover{Cover: true}),
				rule.Choice("decline", &cocv1.Cover{}),
			}})
		}
	}
	answers := c.Ask(&rule.Window{
		Name: "cover", Rule: "COC-DEF-07", Kind: firstTaker, BecauseOf: s.by, About: target, Slots: slots,
		Takes: func(a *tablev1.Answer) bool { return a.GetCoc().GetCover().GetCover() },
	})
	for _, a := range answers {
		if a != nil && cocAnswer(a).GetCover().GetCover() {
			c.Emit(c.Event(covered, "COC-DEF-07", a.Character).On(target))
			return a.Character
		}
	}
	return target
}

// mayCover refuses whoever is not eligible, in the order of COC-DEF-07.
func (g *game) mayCover(v *rule.View, id, attacker, target string) *rule.Refusal {
	const ruleID = "COC-DEF-07"
	me, other := v.Character(id), v.Character(target)
	if refusal := g.able(v, me, ruleID, doesCover); refusal != nil {
		return refusal
	}
	if id == attacker || id == target || me.GetSide() != other.GetSide() || !encounter.In(v.Encounter(), id) {
		return rule.Refuse(badTarget, ruleID, "")
	}
	if reach := v.Number("cover_reach"); reach > 0 {
		if d, _ := distance(me, other); d > reach {
			return rule.Refuse(outOfReach, ruleID, "")
		}
	}
	return nil
}

// validCover refuses whoever is not eligible or comes too late. A decline
// changes nothing, so it is refused by the core alone.
func (g *game) validCover(v *rule.View, w *tablev1.Window, character string, a *cocv1.Cover) *rule.Refusal {
	if !a.Cover {
		return nil
	}
	if refusal := g.mayCover(v, character, w.BecauseOf, w.About); refusal != nil {
		return refusal
	}
	if w.TakenBy != "" {
		return rule.Refuse(alreadyCovered, "COC-DEF-07", "")
	}
	for _, s := range w.Slots {
		if s.Character == character && s.State == tablev1.SlotState_SLOT_STATE_OPEN {
			return nil
		}
	}
	return rule.Refuse(coverTooLate, "COC-DEF-07", "")
}
