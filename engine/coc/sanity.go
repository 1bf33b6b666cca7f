package coc

import (
	"slices"
	"strings"

	"github.com/hantei/hantei/engine/dice"
	"github.com/hantei/hantei/engine/effect"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// loss is what a sanity check costs: by a success, and by a failure (COC-SAN-01).
type loss struct{ success, failure dice.Formula }

// readLoss reads a loss as it is written in scenarios, "1/1D6". It reports false
// for what is none: dice that may come to nothing, or are taken off.
func readLoss(text string) (loss, bool) {
	a, b, ok := strings.Cut(text, "/")
	if !ok {
		return loss{}, false
	}
	var l loss
	for _, part := range []struct {
		text string
		to   *dice.Formula
	}{{a, &l.success}, {b, &l.failure}} {
		f, err := dice.ParseFormula(part.text)
		if err != nil || !isLoss(f) {
			return loss{}, false
		}
		*part.to = f
	}
	return l, true
}

// isLoss reports whether a formula is of dice and numbers that are added, not more
// than there is sanity to lose.
func isLoss(f dice.Formula) bool {
	for range f.Names() {
		return false
	}
	most := f.Constant()
	if most < 0 {
		return false
	}
	for sign, d := range f.Dice() {
		if sign < 0 || d.Count > 100 {
			return false
		}
		most += d.Count * d.Sides
	}
	return most <= 1000
}

// sanCheck has each of the targets check their sanity, to the end before the next
// (COC-SAN-01).
func (g *game) sanCheck(c *rule.Ctx, _ string, a *cocv1.SanCheck) {
	l, _ := readLoss(a.Loss)
	for _, who := range a.Targets {
		g.sanity(c, who, l)
	}
}

// sanity is one sanity check: the roll, the loss, a temporary insanity (COC-SAN-04),
// an indefinite one (COC-SAN-05).
func (g *game) sanity(c *rule.Ctx, who string, l loss) {
	me := c.Character(who)
	value := effect.Begin(who, rule.Mind, kSAN, "COC-SAN-01", resource(me, kSAN))
	used := g.flats(c, me, kSAN, value, false, 0)
	r := g.roll(c, check{
		label: "san/" + who, by: who, skill: kSAN, value: value, changes: used, event: checkResolved, id: "COC-SAN-01",
		plain: true, mere: true, action: "san_check",
	}, nil)
	f := l.failure
	if r.grade.ok() {
		f = l.success
	}
	points := f.Constant()
	var thrown []rule.Summand
	for sign, d := range f.Dice() {
		thrown = append(thrown, rule.Summand{Label: "san_loss/" + who, Dice: d, Sign: sign, Audience: rule.Mind})
	}
	points += total(c.Sum(who, thrown...))
	before := resource(c.Character(who), kSAN)
	points = min(points, before)
	if points == 0 {
		return
	}
	hour := details(c.Character(who)).GetSanityHour()
	now := &cocv1.SanityHour{Start: &before} // The hour begins with the first loss (COC-SAN-05).
	if hour.GetStart() > 0 {
		now.Start, now.Struck = hour.Start, hour.Struck
	}
	lost := hour.GetLost() + points
	now.Lost = &lost
	n := g.changeSAN(c, who, -points, "COC-SAN-01", r.event, setHour(who, now))
	if points >= 5 && resource(c.Character(who), kSAN) > 0 && !afflicted(c.Character(who)) {
		g.temporary(c, who, n)
	}
	g.indefinite(c, who, n)
}

// sanTop is the most that sanity can be: 99, less what is known of the Mythos
// (COC-SAN-03).
func sanTop(me *tablev1.Character) int32 {
	return max(0, min(table.Resource(me, kSAN).GetMax(), 99-stat(me, kMythos)))
}

// changeSAN tells that sanity changed, within its limits; at 0 the mind is gone
// (COC-SAN-03). It returns the event's number, or 0 if nothing changed.
func (g *game) changeSAN(c *rule.Ctx, who string, delta int32, ruleID string, because int32, more ...*tablev1.Change) int32 {
	me := c.Character(who)
	before := resource(me, kSAN)
	now := min(max(0, before+delta), sanTop(me))
	if delta > 0 {
		now = max(now, before) // what is above the maximum is not lost by a gain
	}
	if now == before {
		return 0
	}
	e := c.Event(sanChanged, ruleID, who).For(rule.Mind).
		Number(fDelta, "", rule.Mind, now-before).
		Number(fSAN, "", rule.Mind, now).
		Change(rule.SetResource(who, table.Resource(me, kSAN), now)).
		Change(more...).
		Float(who, fDelta).
		Because(because)
	if now != before+delta {
		e.Trace(effect.Begin(who, rule.Mind, kSAN, ruleID, before+delta).Clamp("clamp_san", "COC-SAN-03", 0, now).Trace()...)
	}
	n := c.Emit(e)
	if now == 0 && !has(c.Character(who), stPermInsane) {
		g.permanent(c, who, n)
	}
	return n
}

func (g *game) validSanCheck(v *rule.View, _ string, a *cocv1.SanCheck) *rule.Refusal {
	const id, field = "COC-SAN-01", "action.coc.san_check."
	if _, ok := readLoss(a.Loss); !ok {
		return rule.Core(tablev1.Reason_REASON_INVALID_FIELD, field+"loss").Say("loss_form", rule.Sent("sent", a.Loss))
	}
	for i, who := range a.Targets {
		ch := v.Character(who)
		if ch == nil || has(ch, stDead) || has(ch, stPermInsane) || resource(ch, kSAN) <= 0 || slices.Contains(a.Targets[:i], who) {
			return rule.Refuse(badTarget, id, field+"targets").Suggest(who, v.CharacterIDs())
		}
	}
	for _, who := range a.Targets {
		if v.Character(who).Review != tablev1.Review_REVIEW_APPROVED {
			return rule.Refuse(notApproved, "COC-CRE-11", field+"targets").Name(who)
		}
	}
	return nil
}

// usualLosses are offered; others are sent typed.
var usualLosses = []string{
	"0/1", "0/1D3", "0/1D6", "1/1D3", "1/1D4", "1/1D6", "1/1D8", "1/1D10", "1D3/1D8", "1D4/1D10", "1D6/1D20", "1D10/1D100",
}

// offerSanCheck offers a check of each character, with the usual losses and those
// that the creatures of the pack cost.
func (g *game) offerSanCheck(v *rule.View, _ string) []*tablev1.Offer {
	losses := slices.Clone(usualLosses)
	for _, s := range g.pack.samples {
		if s.Sight != "" && !slices.Contains(losses, s.Sight) {
			losses = append(losses, s.Sight)
		}
	}
	var out []*tablev1.Offer
	for _, ch := range v.State.Characters {
		a := &cocv1.SanCheck{Targets: []string{ch.Id}}
		if !isPC(ch) || g.validSanCheck(v, "", &cocv1.SanCheck{Targets: a.Targets, Loss: usualLosses[0]}) != nil {
			continue
		}
		o := rule.NewOffer(a, nil, "san_check", ch.Id)
		o.Inputs = []*tablev1.Input{rule.ChoiceInput("loss", "coc.san_check.loss", losses)}
		out = append(out, o)
	}
	return out
}

// reward gives or takes sanity by the keeper's word (COC-SAN-08).
func (g *game) reward(c *rule.Ctx, _ string, a *cocv1.San) {
	g.changeSAN(c, a.Character, a.Delta, "COC-SAN-08", 0)
}

func (g *game) validReward(v *rule.View, _ string, a *cocv1.San) *rule.Refusal {
	const id, field = "COC-SAN-08", "action.coc.gm_san.character"
	if refusal := atTable(v, a.Character, id, field); refusal != nil {
		return refusal
	}
	if has(v.Character(a.Character), stDead) {
		return rule.Refuse(badTarget, id, field).Name(a.Character)
	}
	return nil
}

func (g *game) offerReward(v *rule.View, _ string) []*tablev1.Offer {
	var out []*tablev1.Offer
	for _, ch := range v.State.Characters {
		if !isPC(ch) || has(ch, stDead) {
			continue
		}
		o := rule.NewOffer(&cocv1.San{Character: ch.Id}, nil, "gm_san", ch.Id)
		delta := rule.NumberInput("delta", "coc.gm_san.delta", -99, 99)
		delta.MinCount = 1
		o.Inputs = []*tablev1.Input{delta}
		out = append(out, o)
	}
	return out
}

// newHour ends the game hour in which losses are added up (COC-SAN-05).
func (g *game) newHour(c *rule.Ctx, _ string, _ *cocv1.NewHour) {
	e := c.Event(hourPassed, "COC-SAN-05", "")
	for _, ch := range c.State.Characters {
		if details(ch).GetSanityHour().GetStart() > 0 {
			e.Change(setHour(ch.Id, &cocv1.SanityHour{}))
		}
	}
	c.Emit(e)
}

func (g *game) offerNewHour(*rule.View, string) []*tablev1.Offer {
	return []*tablev1.Offer{rule.NewOffer(&cocv1.NewHour{}, nil, "gm_new_hour")}
}
