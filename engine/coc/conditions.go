package coc

import (
	"github.com/hantei/hantei/engine/effect"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// getUp has the fallen (COC-COND-01) and the disarmed (COC-COND-02) roll DEX x3
// at the begin of a round, knock-down first. The unconscious wait.
func (g *game) getUp(c *rule.Ctx, id string) {
	if !conscious(c.Character(id)) {
		return
	}
	if has(c.Character(id), stKnockedDown) && g.dexTimes3(c, id, stKnockedDown, "COC-COND-01", causeDown) {
		c.Emit(c.Event(conditionLost, "COC-COND-01", id).
			Words(fCondition, "", rule.Public, stKnockedDown).
			Change(rule.EndStatus(id, table.Status(c.Character(id), stKnockedDown))))
	}
	if has(c.Character(id), stWeaponDropped) && g.dexTimes3(c, id, stWeaponDropped, "COC-COND-02", causeDropped) {
		e := c.Event(conditionLost, "COC-COND-02", id).
			Words(fCondition, "", rule.Public, stWeaponDropped).
			Change(rule.EndStatus(id, table.Status(c.Character(id), stWeaponDropped)))
		for _, w := range details(c.Character(id)).GetWeapons() {
			if w.State == cocv1.WeaponState_WEAPON_STATE_DROPPED {
				e.Change(setWeapon(id, w, func(w *cocv1.Weapon) { w.State, w.InHand = cocv1.WeaponState_WEAPON_STATE_OK, true }))
			}
		}
		c.Emit(e)
	}
}

// dexTimes3 rolls, and restricts whoever fails to dodging for this round.
func (g *game) dexTimes3(c *rule.Ctx, id, condition, ruleID, cause string) bool {
	me := c.Character(id)
	value := skillValue(me, kDEX).Multiply("times", ruleID, 3)
	used := g.flats(c, me, kDEX, value, false, 0)
	r := g.roll(c, check{
		label: condition + "/" + id, by: id, skill: kDEX, value: value, changes: used, event: checkResolved, id: ruleID,
	}, nil)
	if r.grade.ok() {
		return true
	}
	c.Emit(c.Event(conditionGained, ruleID, id).
		Words(fCondition, "", rule.Public, stRestriction).
		Words(fCause, "", rule.Public, cause).
		Change(rule.SetStatus(id, withCause(c.Character(id), stRestriction, cause, thisRound(c.State)))))
	return false
}

// restrictionPenalties are the flat modifiers of a dodge by whoever can only
// dodge: -10 when down, -30 when disarmed; they add.
func restrictionPenalties(v *rule.View, me *tablev1.Character, value *effect.Value) {
	s := table.Status(me, stRestriction)
	if s == nil || !effect.InForce(v.State, s.Duration) {
		return
	}
	for _, cause := range s.Causes {
		switch cause {
		case causeDown:
			value.Add(stKnockedDown, "COC-COND-01", -10)
		case causeDropped:
			value.Add(stWeaponDropped, "COC-COND-02", -30)
		}
	}
}
