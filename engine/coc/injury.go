package coc

import (
	"slices"

	"github.com/hantei/hantei/engine/encounter"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// hurt takes damage off (COC-INJ-01): a wound, the shock roll (COC-INJ-02), and
// what low hit points bring (COC-INJ-03, COC-INJ-04). No damage, no wound.
func (g *game) hurt(c *rule.Ctx, who string, amount, because int32) {
	if amount <= 0 {
		return
	}
	before := hp(c.Character(who))
	max := table.Resource(c.Character(who), kHP).GetMax()
	g.wound(c, who, amount, "damage", because)
	if hp(c.Character(who)) > 2 {
		threshold := before
		if c.Option("shock_threshold") == "half_max" {
			threshold = max
		}
		if amount*2 >= threshold {
			g.shock(c, who, because)
		}
		return
	}
	g.lowHP(c, who)
}

// wound takes hit points off and adds the wound, whatever it leads to.
func (g *game) wound(c *rule.Ctx, who string, amount int32, cause string, because int32) {
	g.changeHP(c, who, -amount, cause, because)
	id := int32(1)
	if wounds := details(c.Character(who)).GetWounds(); len(wounds) > 0 {
		id = wounds[len(wounds)-1].Id + 1
	}
	c.Emit(c.Event(woundAdded, "COC-INJ-01", who).
		Number(fWound, "", rule.HP, id).
		Number(fAmount, "", rule.HP, amount).
		Change(piece(who, &cocv1.Part{Part: &cocv1.Part_Wounds{Wounds: &cocv1.Wound{Id: id, Amount: amount}}})).
		Because(because))
}

// changeHP tells that hit points changed.
func (g *game) changeHP(c *rule.Ctx, who string, delta int32, cause string, because int32) {
	me := c.Character(who)
	now := hp(me) + delta
	c.Emit(c.Event(hpChanged, hpRule(cause), who).
		Number(fDelta, "", rule.HP, delta).
		Number(fHP, "", rule.HP, now).
		Words(fCause, "", rule.Public, cause).
		Change(setHP(me, now)).
		Float(who, fDelta).
		Because(because))
}

func hpRule(cause string) string {
	switch cause {
	case "first_aid":
		return "COC-INJ-05"
	case "medicine", "week":
		return "COC-INJ-06"
	case "physical_psychoanalysis":
		return "COC-SAN-07"
	}
	return "COC-INJ-01"
}

// shock is the roll on CON x5 after a heavy blow (COC-INJ-02).
func (g *game) shock(c *rule.Ctx, who string, because int32) {
	me := c.Character(who)
	if details(me).GetBody().GetExtraterrestrial() {
		return
	}
	value := skillValue(me, kCON).Multiply("times", "COC-INJ-02", 5)
	used := g.flats(c, me, kCON, value, false, 0)
	r := g.roll(c, check{
		label: "shock/" + who, by: who, skill: kCON, value: value, changes: used, event: shockRolled, id: "COC-INJ-02",
	}, func(e *rule.Event, _ rolled) { e.Because(because) })
	if !r.grade.ok() {
		g.faint(c, who, causeShock, "COC-INJ-02")
	}
}

// faint makes somebody unconscious for one cause more.
func (g *game) faint(c *rule.Ctx, who, cause, ruleID string) {
	me := c.Character(who)
	if s := table.Status(me, stUnconscious); s != nil && slices.Contains(s.Causes, cause) {
		return
	}
	c.Emit(c.Event(fellUnconscious, ruleID, who).
		Words(fCause, "", rule.Public, cause).
		Change(rule.SetStatus(who, withCause(me, stUnconscious, cause, nil))))
}

// lowHP is what few or no hit points bring: unconsciousness at 1 or 2
// (COC-INJ-03), dying at 0 or less (COC-INJ-04).
func (g *game) lowHP(c *rule.Ctx, who string) {
	me := c.Character(who)
	if hp(me) > 0 {
		g.faint(c, who, causeLowHP, "COC-INJ-03")
		return
	}
	if has(me, stDying) || has(me, stDead) {
		return // More damage does not move the end.
	}
	if details(me).GetBody().GetInstantDeath() {
		g.die(c, me, "instant_death")
		return
	}
	e := c.Event(dying, "COC-INJ-04", who).Change(
		rule.SetStatus(who, status(stDying, nil)),
		rule.SetStatus(who, withCause(me, stUnconscious, causeLowHP, nil)),
	)
	fights := encounter.In(c.Encounter(), who)
	if fights {
		last := c.Encounter().Round + 1
		e.Number(fUntil, "", rule.Public, last).
			Change(piece(who, &cocv1.Part{Part: &cocv1.Part_Health{Health: &cocv1.Health{DeathRound: last}}}))
	}
	c.Emit(e)
	if !fights {
		g.settleDying(c, who)
	}
}

// die tells a death.
func (g *game) die(c *rule.Ctx, me *tablev1.Character, cause string) {
	e := c.Event(died, "COC-INJ-04", me.Id).Words(fCause, "", rule.Public, cause).
		Change(rule.SetStatus(me.Id, status(stDead, nil)))
	if s := table.Status(me, stDying); s != nil {
		e.Change(rule.EndStatus(me.Id, s))
	}
	if details(me).GetHealth().GetDeathRound() != 0 {
		e.Change(piece(me.Id, &cocv1.Part{Part: &cocv1.Part_Health{Health: &cocv1.Health{}}}))
	}
	c.Emit(e)
}

// settleDying asks the keeper what becomes of a dying character outside combat
// (COC-INJ-04): one attempt to help, or death.
func (g *game) settleDying(c *rule.Ctx, who string) {
	helpers := g.helpers(c, who)
	choices := []*tablev1.PromptChoice{rule.Choice("dies", &cocv1.Dying{Choice: &cocv1.Dying_Dies{Dies: &cocv1.Dies{}}})}
	for _, skill := range []string{"first_aid", "medicine"} {
		// One choice for each skill: which wounds are left depends on it.
		wounds := untreated(c.Character(who), skill)
		if len(helpers) == 0 || len(wounds) == 0 {
			continue
		}
		treat := &cocv1.Dying{Choice: &cocv1.Dying_Treat{Treat: &cocv1.Treat{Skill: skill}}}
		choices = append(choices, rule.Choice("treat."+skill, treat,
			rule.CharacterInput("healer", "coc.dying.treat.healer", helpers),
			&tablev1.Input{
				Name: "wound", Path: "coc.dying.treat.wound", Kind: tablev1.InputKind_INPUT_KIND_NUMBER,
				Choices: wounds, MinCount: 1, MaxCount: 1,
			}))
	}
	a := cocAnswer(c.Ask(&rule.Window{
		Name: "dying", Rule: "COC-INJ-04", Kind: oneSeat, BecauseOf: who, About: who,
		Slots: []rule.Slot{{Default: "dies", Choices: choices}},
	})[0]).GetDying()
	if t := a.GetTreat(); t != nil {
		g.treat(c, t.Healer, who, t.Wound, t.Skill, false)
	}
	if me := c.Character(who); hp(me) < 1 && !has(me, stDead) {
		g.die(c, me, "untreated")
	}
}

// helpers are those who can treat somebody.
func (g *game) helpers(c *rule.Ctx, who string) []string {
	var out []string
	for _, ch := range c.State.Characters {
		if ch.Id != who && conscious(ch) {
			out = append(out, ch.Id)
		}
	}
	return out
}

func (g *game) validDying(v *rule.View, w *tablev1.Window, _ string, a *cocv1.Dying) *rule.Refusal {
	const field = "answers.answer.coc.dying.treat."
	t := a.GetTreat()
	if t == nil {
		return nil
	}
	healer := v.Character(t.Healer)
	switch {
	case healer == nil || t.Healer == w.About:
		return rule.Refuse(badTarget, "COC-INJ-04", field+"healer").Suggest(t.Healer, v.CharacterIDs())
	case !conscious(healer):
		return rule.Refuse(unconscious, "COC-INJ-04", field+"healer")
	case t.Skill != "first_aid" && t.Skill != "medicine":
		return rule.Refuse(unknownSkill, "COC-INJ-04", field+"skill").Suggest(t.Skill, []string{"first_aid", "medicine"})
	}
	return validWound(v.Character(w.About), t.Wound, t.Skill, field+"wound")
}

// recover ends what better hit points end: dying from 1 on, low hit points from
// 3 on (COC-INJ-03, COC-INJ-04).
func (g *game) recover(c *rule.Ctx, who string) {
	me := c.Character(who)
	if s := table.Status(me, stDying); s != nil && hp(me) >= 1 {
		e := c.Event(conditionLost, "COC-INJ-04", who).Words(fCondition, "", rule.Public, stDying).Change(rule.EndStatus(who, s))
		if details(me).GetHealth().GetDeathRound() != 0 {
			e.Change(piece(who, &cocv1.Part{Part: &cocv1.Part_Health{Health: &cocv1.Health{}}}))
		}
		c.Emit(e)
	}
	if hp(me) >= 3 {
		g.rouse(c, who, causeLowHP)
	}
}

// rouse ends one cause of unconsciousness; without any left the character wakes.
func (g *game) rouse(c *rule.Ctx, who, cause string) {
	s := table.Status(c.Character(who), stUnconscious)
	if s == nil || !slices.Contains(s.Causes, cause) {
		return
	}
	left := slices.DeleteFunc(slices.Clone(s.Causes), func(x string) bool { return x == cause })
	if len(left) > 0 {
		c.Change(rule.SetStatus(who, status(stUnconscious, s.Duration, left...)))
		return
	}
	c.Emit(c.Event(woke, "COC-INJ-03", who).Change(rule.EndStatus(who, s)))
}
