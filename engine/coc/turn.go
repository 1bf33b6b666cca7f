package coc

import (
	"slices"

	"github.com/hantei/hantei/engine/effect"
	"github.com/hantei/hantei/engine/encounter"
	"github.com/hantei/hantei/engine/grid"
	"github.com/hantei/hantei/engine/rule"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// turnOf refuses whoever does not hold the turn in a step of the sequence.
func turnOf(v *rule.View, by, step, id string) *rule.Refusal {
	if !encounter.Holds(v.Encounter(), step, by) {
		return rule.Refuse(notYourTurn, id, "")
	}
	return nil
}

// able refuses the unconscious, whom a symptom forbids it, and those who can only
// dodge.
func (g *game) able(v *rule.View, me *tablev1.Character, id, what string) *rule.Refusal {
	if !conscious(me) {
		return rule.Refuse(unconscious, id, "")
	}
	if refusal := g.restrained(me, what); refusal != nil {
		return refusal
	}
	return awake(v, me, id)
}

// awake refuses the unconscious, and those who can only dodge.
func awake(v *rule.View, me *tablev1.Character, id string) *rule.Refusal {
	if !conscious(me) {
		return rule.Refuse(unconscious, id, "")
	}
	if s := restriction(v, me); s != "" {
		return rule.Refuse(onlyDodge, s, "")
	}
	return nil
}

// restriction is the rule by which a character can only dodge in this round, or "".
func restriction(v *rule.View, me *tablev1.Character) string {
	for _, s := range me.GetStatuses() {
		if s.Key != stRestriction || !effect.InForce(v.State, s.Duration) {
			continue
		}
		if slices.Contains(s.Causes, causeDown) {
			return "COC-COND-01"
		}
		return "COC-COND-02"
	}
	return ""
}

// mayAct refuses whoever cannot use the attack of the round, in the order of
// COC-ATK-01 from UNCONSCIOUS to ALREADY_ATTACKED.
func (g *game) mayAct(v *rule.View, me *tablev1.Character, id string) *rule.Refusal {
	if refusal := g.able(v, me, id, doesAttack); refusal != nil {
		return refusal
	}
	return hasAttack(me)
}

// hasAttack refuses whoever has no attack left in this round.
func hasAttack(me *tablev1.Character) *rule.Refusal {
	if has(me, stDedicatedDodge) || has(me, stDedicatedParry) {
		return rule.Refuse(isDedicated, "COC-DEF-05", "")
	}
	if details(me).GetCombat().GetAttacksMade() >= max(1, details(me).GetBody().GetAttacksPerRound()) {
		return rule.Refuse(alreadyAttacked, "COC-CMB-09", "")
	}
	return nil
}

// usesAttack counts an attack of the round.
func usesAttack(me *tablev1.Character) *tablev1.Change {
	return setCombat(me, func(x *cocv1.Combat) {
		x.AttacksMade++
		x.TreatedAsCritical = false // of an attack that was cancelled
	})
}

// distance is how far apart two characters are, in squares; 1 without positions.
// known is false without positions.
func distance(a, b *tablev1.Character) (squares int32, known bool) {
	p, q := a.GetPosition().GetSquare(), b.GetPosition().GetSquare()
	if p == nil || q == nil {
		return 1, false
	}
	d, same := grid.Distance(p, q)
	if !same {
		return 1 << 20, true // on another floor nothing reaches
	}
	return d, true
}

// endTurn ends the turn; in the shooting step it waits.
func (g *game) endTurn(c *rule.Ctx, by string, _ *cocv1.EndTurn) {
	e := encounter.With(c.Encounter(), func(e *tablev1.Encounter) { e.Turn = nil })
	c.Emit(c.Event(turnEnded, turnRule(e.Step), by).Change(rule.SetEncounter(e)))
	c.Then("", &cocv1.NextTurn{})
}

func turnRule(step string) string {
	if step == stepShooting {
		return "COC-CMB-05"
	}
	return "COC-CMB-06"
}

func (g *game) validEndTurn(v *rule.View, by string, _ *cocv1.EndTurn) *rule.Refusal {
	if e := v.Encounter(); e == nil || !slices.Contains(e.Turn, by) {
		return rule.Refuse(notYourTurn, "COC-CMB-06", "")
	}
	return nil
}

func (g *game) offerEndTurn(v *rule.View, by string) []*tablev1.Offer {
	if !encounter.In(v.Encounter(), by) {
		return nil
	}
	a := &cocv1.EndTurn{}
	label := "end_turn"
	if v.Encounter().Step == stepShooting {
		label = "wait"
	}
	return []*tablev1.Offer{rule.NewOffer(a, g.validEndTurn(v, by, a), label)}
}

// lostTurn ends the turn of whoever fell unconscious in it (COC-CMB-06).
func (g *game) lostTurn(c *rule.Ctx, by string) {
	e := c.Encounter()
	if e != nil && slices.Contains(e.Turn, by) && !conscious(c.Character(by)) {
		g.endTurn(c, by, nil)
	}
}

// draw takes a weapon in hand; it is ready from the next round on (COC-CMB-06).
func (g *game) draw(c *rule.Ctx, by string, a *cocv1.Draw) {
	w := weaponOf(c.Character(by), a.Weapon)
	c.Emit(c.Event(weaponChanged, "COC-CMB-06", by).
		Words(fWeapon, "", rule.Public, a.Weapon).
		Words(fState, "", rule.Public, "in_hand").
		Change(setWeapon(by, w, func(w *cocv1.Weapon) { w.InHand, w.Audience = true, rule.Public })))
}

func (g *game) validDraw(v *rule.View, by string, a *cocv1.Draw) *rule.Refusal {
	if e := v.Encounter(); e == nil || !slices.Contains(e.Turn, by) {
		return rule.Refuse(notYourTurn, "COC-CMB-06", "")
	}
	me := v.Character(by)
	if refusal := g.able(v, me, "COC-CMB-06", doesAttack); refusal != nil {
		return refusal
	}
	const field = "action.coc.draw.weapon"
	switch w := weaponOf(me, a.Weapon); {
	case w == nil:
		return rule.Refuse(weaponUnusable, "COC-CMB-06", field).Suggest(a.Weapon, weaponIDs(me))
	case w.State != cocv1.WeaponState_WEAPON_STATE_OK:
		return rule.Refuse(weaponUnusable, "COC-COND-03", field)
	case w.InHand:
		return rule.Refuse(weaponUnusable, "COC-CMB-06", field)
	}
	return nil
}

func (g *game) offerDraws(v *rule.View, by string) []*tablev1.Offer {
	if !encounter.In(v.Encounter(), by) {
		return nil
	}
	var out []*tablev1.Offer
	for _, w := range details(v.Character(by)).GetWeapons() {
		if w.InHand {
			continue
		}
		a := &cocv1.Draw{Weapon: w.Id}
		out = append(out, rule.NewOffer(a, g.validDraw(v, by, a), "draw", w.Id))
	}
	return out
}

func weaponIDs(me *tablev1.Character) []string {
	var ids []string
	for _, w := range details(me).GetWeapons() {
		ids = append(ids, w.Id)
	}
	return ids
}

// move walks (COC-CMB-11). Without a place on the map it is only spent and told.
func (g *game) move(c *rule.Ctx, by string, a *cocv1.Move) {
	me := c.Character(by)
	e := c.Event(moved, "COC-CMB-11", by).
		Squares(fPath, "", rule.Public, a.Path...).
		Change(setCombat(me, func(x *cocv1.Combat) { x.Moved = true }))
	if me.Position != nil && len(a.Path) > 0 {
		e.Change(rule.SetPosition(by, a.Path[len(a.Path)-1], me.Position.Audience)).Walk(by, a.Path)
	}
	c.Emit(e)
}

func (g *game) validMove(v *rule.View, by string, a *cocv1.Move) *rule.Refusal {
	if refusal := g.mayMove(v, by); refusal != nil {
		return refusal
	}
	me := v.Character(by)
	if me.Position == nil {
		return nil
	}
	if len(a.Path) == 0 {
		return rule.Core(tablev1.Reason_REASON_INVALID_FIELD, "action.coc.move.path").Say("path_needed")
	}
	if int32(len(a.Path)) > stat(me, kMov) {
		return rule.Refuse(tooFar, "COC-CMB-11", "action.coc.move.path")
	}
	if !grid.Steps(me.Position.Square, a.Path) {
		return rule.Core(tablev1.Reason_REASON_INVALID_FIELD, "action.coc.move.path").Say("path_step_by_step")
	}
	return nil
}

// mayMove refuses whoever cannot move now, wherever to.
func (g *game) mayMove(v *rule.View, by string) *rule.Refusal {
	if refusal := turnOf(v, by, stepActions, "COC-CMB-11"); refusal != nil {
		return refusal
	}
	me := v.Character(by)
	if !conscious(me) {
		return rule.Refuse(unconscious, "COC-CMB-11", "")
	}
	if refusal := g.held(v, me); refusal != nil {
		return refusal
	}
	if refusal := awake(v, me, "COC-CMB-11"); refusal != nil {
		return refusal
	}
	if details(me).GetCombat().GetMoved() {
		return rule.Refuse(alreadyMoved, "COC-CMB-09", "")
	}
	return nil
}

func (g *game) offerMove(v *rule.View, by string) []*tablev1.Offer {
	if !encounter.In(v.Encounter(), by) {
		return nil
	}
	me := v.Character(by)
	o := rule.NewOffer(&cocv1.Move{}, g.mayMove(v, by), "move")
	if me.Position != nil {
		o.Inputs = []*tablev1.Input{{
			Name: "path", Path: "coc.move.path", Kind: tablev1.InputKind_INPUT_KIND_PATH, MinCount: 1, MaxCount: 1,
			Reach: &tablev1.Reach{From: me.Position.Square, Steps: stat(me, kMov)},
		}}
	}
	return []*tablev1.Offer{o}
}

// dedicate gives the round to one kind of defence (COC-DEF-05).
func (g *game) dedicate(c *rule.Ctx, by string, a *cocv1.Dedicate) {
	g.dedicated(c, by, a.Kind)
}

func (g *game) dedicated(c *rule.Ctx, by string, kind cocv1.DefenceKind) {
	c.Emit(c.Event(dedicated, "COC-DEF-05", by).
		Words(fKind, "", rule.Public, kindWord(kind)).
		Change(rule.SetStatus(by, status(dedicatedStatus(kind), thisRound(c.State)))))
}

func kindWord(kind cocv1.DefenceKind) string { return rule.Word(kind, "DEFENCE_KIND_") }

func dedicatedStatus(kind cocv1.DefenceKind) string { return "dedicated_" + kindWord(kind) }

func (g *game) validDedicate(v *rule.View, by string, a *cocv1.Dedicate) *rule.Refusal {
	if !encounter.In(v.Encounter(), by) {
		return rule.Refuse(notYourTurn, "COC-DEF-05", "")
	}
	me := v.Character(by)
	if !conscious(me) {
		return rule.Refuse(unconscious, "COC-DEF-05", "")
	}
	if id := restriction(v, me); id != "" && a.Kind == cocv1.DefenceKind_DEFENCE_KIND_PARRY {
		return rule.Refuse(onlyDodge, id, "")
	}
	return mayDedicate(me)
}

// mayDedicate refuses a second dedication, and one after an attack.
func mayDedicate(me *tablev1.Character) *rule.Refusal {
	if has(me, stDedicatedDodge) || has(me, stDedicatedParry) {
		return rule.Refuse(isDedicated, "COC-DEF-05", "")
	}
	if details(me).GetCombat().GetAttacksMade() > 0 {
		return rule.Refuse(alreadyAttacked, "COC-DEF-05", "")
	}
	return nil
}

func (g *game) offerDedicate(v *rule.View, by string) []*tablev1.Offer {
	if !encounter.In(v.Encounter(), by) {
		return nil
	}
	var out []*tablev1.Offer
	for _, kind := range []cocv1.DefenceKind{cocv1.DefenceKind_DEFENCE_KIND_DODGE, cocv1.DefenceKind_DEFENCE_KIND_PARRY} {
		a := &cocv1.Dedicate{Kind: kind}
		out = append(out, rule.NewOffer(a, g.validDedicate(v, by, a), "dedicate", kindWord(kind)))
	}
	return out
}
