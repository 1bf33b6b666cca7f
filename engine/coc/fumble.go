package coc

import (
	"github.com/hantei/hantei/engine/encounter"
	"github.com/hantei/hantei/engine/rule"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// attackFumble is what a fumbled attack costs: by Luck something mild or
// something severe (COC-ATK-05); at 100 a die picks the severe one (COC-ATK-06).
func (g *game) attackFumble(c *rule.Ctx, s strike, target string) {
	id, hundred := "COC-ATK-05", s.atk.die.Shows(100)
	if hundred {
		id = "COC-ATK-06"
	}
	c.Emit(c.Event(attackFumbled, id, s.by).On(target).Words(fWeapon, "", rule.Public, s.weapon).Because(s.atk.event))
	if hundred {
		die := c.Die("fumble", s.by, 2)
		c.Tell("COC-ATK-06", "fumble")
		g.severe(c, s, die == 1, "COC-ATK-06")
		return
	}
	if g.luck(c, s.by).grade.ok() {
		g.mildFumble(c, s)
		return
	}
	a := cocAnswer(c.Ask(&rule.Window{
		Name: "fumble_severe", Rule: "COC-ATK-05", Kind: oneSeat, BecauseOf: s.by, About: s.by,
		Slots: []rule.Slot{{Character: decider(c, s.by), Default: "break", Choices: []*tablev1.PromptChoice{
			rule.Choice("break", &cocv1.FumbleSevere{Choice: cocv1.FumbleSevere_CHOICE_BREAK}),
			rule.Choice("hit_friend", &cocv1.FumbleSevere{Choice: cocv1.FumbleSevere_CHOICE_HIT_FRIEND}),
		}}},
	})[0]).GetFumbleSevere()
	g.severe(c, s, a.GetChoice() != cocv1.FumbleSevere_CHOICE_HIT_FRIEND, "COC-ATK-05")
}

// luck rolls on Luck.
func (g *game) luck(c *rule.Ctx, by string) rolled {
	return g.rollSkill(c, check{label: "luck", by: by, skill: kLuck, id: "COC-CHK-07"}, false, nil)
}

// mildFumble lets the keeper choose, or a die: the weapon cannot be used for this
// round and the next, or the attacker is moved.
//
// Outside combat there are no rounds and no places, so that nothing is decided
// (COC-SAN-07).
func (g *game) mildFumble(c *rule.Ctx, s strike) {
	if c.Encounter() == nil {
		return
	}
	to := func(choice string) []*tablev1.Input {
		return squareInput("to", "coc.fumble_mild.to", c.Character(s.by), 3)
	}
	a := cocAnswer(c.Ask(&rule.Window{
		Name: "fumble_mild", Rule: "COC-ATK-05", Kind: oneSeat, BecauseOf: s.by, About: s.by,
		Slots: []rule.Slot{{Default: "weapon_unusable", Choices: []*tablev1.PromptChoice{
			rule.Choice("weapon_unusable", &cocv1.FumbleMild{Choice: cocv1.FumbleMild_CHOICE_WEAPON_UNUSABLE}),
			rule.Choice("move", &cocv1.FumbleMild{Choice: cocv1.FumbleMild_CHOICE_MOVE}, to("move")...),
			rule.Choice("roll", &cocv1.FumbleMild{Choice: cocv1.FumbleMild_CHOICE_ROLL}, to("roll")...),
		}}},
	})[0]).GetFumbleMild()
	move := a.GetChoice() == cocv1.FumbleMild_CHOICE_MOVE
	if a.GetChoice() == cocv1.FumbleMild_CHOICE_ROLL {
		move = c.Die("fumble", s.by, 2) == 2
		c.Tell("COC-ATK-05", "fumble")
	}
	if move {
		e := c.Event(moved, "COC-ATK-05", s.by)
		if p := c.Character(s.by).Position; p != nil && a.To != nil {
			e.Squares(fPath, "", rule.Public, a.To).Change(rule.SetPosition(s.by, a.To, p.Audience))
		}
		c.Emit(e)
		return
	}
	g.disable(c, s, cocv1.WeaponState_WEAPON_STATE_UNUSABLE, g.nowRound(c)+1, "COC-ATK-05")
}

// validFumbleMild refuses a square that is more than three away.
func (g *game) validFumbleMild(v *rule.View, w *tablev1.Window, _ string, a *cocv1.FumbleMild) *rule.Refusal {
	if a.Choice == cocv1.FumbleMild_CHOICE_UNSPECIFIED {
		return rule.Core(tablev1.Reason_REASON_UNKNOWN_CHOICE, "answers.answer.coc.fumble_mild.choice")
	}
	me := v.Character(w.About)
	if a.To == nil || me.Position == nil || a.Choice == cocv1.FumbleMild_CHOICE_WEAPON_UNUSABLE {
		return nil
	}
	if !within(me.Position.Square, a.To, 3) {
		return rule.Refuse(tooFar, "COC-ATK-05", "answers.answer.coc.fumble_mild.to")
	}
	return nil
}

// severe breaks the weapon, or the blow strikes an ally or oneself. A natural
// weapon cannot break: it cannot be used until the fight ends.
func (g *game) severe(c *rule.Ctx, s strike, breaks bool, ruleID string) {
	switch {
	case !breaks:
		g.strayBlow(c, s, ruleID)
	case s.row.natural() && c.Encounter() == nil: // it would be until the fight ends
	case s.row.natural():
		g.disable(c, s, cocv1.WeaponState_WEAPON_STATE_UNUSABLE, 0, ruleID)
	default:
		g.disable(c, s, cocv1.WeaponState_WEAPON_STATE_BROKEN, 0, ruleID)
	}
}

// disable changes the state of the attacker's weapon.
func (g *game) disable(c *rule.Ctx, s strike, state cocv1.WeaponState, until int32, ruleID string) {
	w := weaponOf(c.Character(s.by), s.weapon)
	e := c.Event(weaponChanged, ruleID, s.by).
		Words(fWeapon, "", rule.Public, s.weapon).
		Words(fState, "", rule.Public, rule.Word(state, "WEAPON_STATE_"))
	if until > 0 {
		e.Number(fUntil, "", rule.Public, c.Encounter().Round+until-g.nowRound(c))
	}
	c.Emit(e.Change(setWeapon(s.by, w, func(w *cocv1.Weapon) { w.State, w.UnusableUntil = state, until })))
}

// strayBlow strikes an ally in the weapon's reach, as the keeper says, or the
// attacker himself: without DB and without doubling (COC-ATK-05).
func (g *game) strayBlow(c *rule.Ctx, s strike, ruleID string) {
	victim := g.strayVictim(c, s, ruleID)
	s.twice, s.twiceRule = false, ""
	d := defence{rolled: rolled{grade: failure}}
	if victim != s.by && c.Encounter() != nil { // defences are counted in rounds
		d = g.defend(c, &s, victim)
	}
	switch {
	case d.grade.ok() && d.kind == dodge:
		c.Emit(c.Event(attackAvoided, ruleID, s.by).On(victim).Words(fWeapon, "", rule.Public, s.weapon))
		return
	case d.grade.ok():
		g.parried(c, s, victim, d, false)
		return
	}
	n := c.Emit(c.Event(attackHit, ruleID, s.by).On(victim).Words(fWeapon, "", rule.Public, s.weapon))
	final := g.damage(c, s, victim, blow{multiply: 1, divide: 1, rule: ruleID, note: "no_db"}, n)
	g.hurt(c, victim, final, n)
	if d.grade == fumble {
		g.defenceFumble(c, victim, d)
	}
}

// strayVictim asks the keeper whom the blow strikes, if there is a choice.
func (g *game) strayVictim(c *rule.Ctx, s strike, ruleID string) string {
	me := c.Character(s.by)
	choices := []*tablev1.PromptChoice{rule.Choice(s.by, &cocv1.FumbleVictim{Character: s.by})}
	allies := g.strayAllies(&c.View, me, s.row)
	if c.Encounter() == nil {
		allies = []string{s.patient}
	}
	for _, id := range allies {
		choices = append(choices, rule.Choice(id, &cocv1.FumbleVictim{Character: id}))
	}
	if len(choices) == 1 {
		return s.by
	}
	a := cocAnswer(c.Ask(&rule.Window{
		Name: "fumble_victim", Rule: ruleID, Kind: oneSeat, BecauseOf: s.by, About: s.by,
		Slots: []rule.Slot{{Default: s.by, Choices: choices}},
	})[0]).GetFumbleVictim()
	return a.GetCharacter()
}

// strayAllies are the allies within the weapon's range.
func (g *game) strayAllies(v *rule.View, me *tablev1.Character, row *weaponRow) []string {
	var out []string
	for _, id := range v.Encounter().GetRoster() {
		ally := v.Character(id)
		if id == me.Id || ally.Side != me.Side || has(ally, stDead) || g.beyond(me, ally, row, 0) {
			continue
		}
		out = append(out, id)
	}
	return out
}

// validFumbleVictim refuses anybody but an ally in range and the attacker.
func (g *game) validFumbleVictim(v *rule.View, w *tablev1.Window, _ string, a *cocv1.FumbleVictim) *rule.Refusal {
	if a.Character == w.About {
		return nil
	}
	if v.Encounter() == nil && v.Character(a.Character) != nil {
		return nil // the choices are all there is
	}
	if ally := v.Character(a.Character); ally == nil || !encounter.In(v.Encounter(), a.Character) || ally.Side != v.Character(w.About).Side {
		return rule.Refuse(badTarget, "COC-ATK-05", "answers.answer.coc.fumble_victim.character").Suggest(a.Character, v.Encounter().GetRoster())
	}
	return nil
}
