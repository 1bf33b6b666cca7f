package coc

import (
	"github.com/hantei/hantei/engine/effect"
	"github.com/hantei/hantei/engine/encounter"
	"github.com/hantei/hantei/engine/rule"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// strike is an attack on its way: what does not change while it is resolved.
type strike struct {
	by string
	// action is what was declared: attack or shoot.
	action string
	weapon string // on the attacker's sheet
	row    *weaponRow
	// twice is true if the weapon's dice are rolled twice (COC-ATK-07, COC-ATK-08),
	// and twiceRule says why.
	twice     bool
	twiceRule string
	atk       rolled
	// patient is whom physical psychoanalysis treats (COC-SAN-07), outside combat the
	// only ally in range.
	patient string
}

// template is the row of the weapons table that a weapon is made from.
func (g *game) template(w *cocv1.Weapon) *weaponRow { return g.pack.weapon(w.Template) }

// usable reports whether a weapon can strike or parry.
func usable(w *cocv1.Weapon) bool {
	return w.InHand && w.State == cocv1.WeaponState_WEAPON_STATE_OK
}

// attack resolves an attack of the action step (COC-ATK-01).
func (g *game) attack(c *rule.Ctx, by string, a *cocv1.Attack) {
	g.resolve(c, by, "attack", a.Weapon, a.Target, a.UsePlus10, a.DistanceM)
	g.lostTurn(c, by)
}

// shoot resolves a shot of the shooting step to its end; then the next has the
// turn (COC-CMB-05).
func (g *game) shoot(c *rule.Ctx, by string, a *cocv1.Shoot) {
	g.resolve(c, by, "shoot", a.Weapon, a.Target, a.UsePlus10, a.DistanceM)
	g.endTurn(c, by, nil)
}

// resolve is the procedure of COC-ATK-01: the attack roll, cover, defence, and
// what comes of them.
func (g *game) resolve(c *rule.Ctx, by, action, weapon, target string, plus10 bool, distanceM int32) {
	s := strike{by: by, action: action, weapon: weapon, row: g.template(weaponOf(c.Character(by), weapon))}
	s.atk = g.attackRoll(c, s, target, plus10, distanceM)
	s.twice, s.twiceRule = g.rollsTwice(c, s)
	switch s.atk.grade {
	case failure:
		c.Emit(c.Event(attackMissed, "COC-ATK-01", by).On(target).Words(fWeapon, "", rule.Public, weapon).Because(s.atk.event))
		return
	case fumble:
		g.attackFumble(c, s, target)
		return
	}
	struck := g.cover(c, &s, target)
	g.revised(c, &s)
	d := g.defend(c, &s, struck)
	g.revised(c, &s)
	g.outcome(c, s, struck, d)
	if details(c.Character(by)).GetCombat().GetTreatedAsCritical() {
		c.Change(setCombat(c.Character(by), func(x *cocv1.Combat) { x.TreatedAsCritical = false }))
	}
}

// attackRoll rolls the attack; the attack of the round is used by the roll.
func (g *game) attackRoll(c *rule.Ctx, s strike, target string, plus10 bool, distanceM int32) rolled {
	me := c.Character(s.by)
	value := skillValue(me, s.row.Skill)
	if s.row.firearm() {
		g.rangeFactor(c, s, target, distanceM, value)
	}
	if x := g.symptomOf(me); x != nil && x.Halves {
		value.Divide(x.ID, "COC-SAN-04", 2, "COC-CHK-11")
	}
	used := g.flats(c, me, s.row.Skill, value, plus10, 0)
	return g.roll(c, check{
		label: "attack", by: s.by, skill: s.row.Skill, value: value,
		changes: append(used, usesAttack(me)), event: checkResolved, id: "COC-CHK-01", action: s.action,
	}, func(e *rule.Event, _ rolled) { e.On(target).Words(fWeapon, "", rule.Public, s.weapon) })
}

// rangeFactor multiplies or divides a shooter's skill by the distance (COC-ATK-03).
func (g *game) rangeFactor(c *rule.Ctx, s strike, target string, distanceM int32, value *effect.Value) {
	me := c.Character(s.by)
	metres, known := shotDistance(me, c.Character(target), distanceM)
	switch {
	case !known:
		value.Note("no_positions", "COC-ATK-03")
	case metres*3 <= stat(me, kDEX):
		value.Multiply("point_blank", "COC-ATK-03", 2)
	case metres <= s.row.Range:
	case metres <= 2*s.row.Range:
		value.Divide("long_range", "COC-ATK-03", 2, "COC-CHK-11")
	default:
		value.Divide("extreme_range", "COC-ATK-03", 4, "COC-CHK-11")
	}
}

// shotDistance is the distance of a shot or throw in metres: from the map, else
// as the action gives it.
func shotDistance(me, target *tablev1.Character, given int32) (metres int32, known bool) {
	if d, known := distance(me, target); known {
		return d, true
	}
	return given, given > 0
}

// rollsTwice reports whether the weapon's dice are rolled twice: martial arts
// with a natural weapon (COC-ATK-08), an impaling success where specials count
// in combat (COC-ATK-07).
func (g *game) rollsTwice(c *rule.Ctx, s strike) (bool, string) {
	if !s.atk.grade.ok() || !s.atk.die.Thrown() { // a fixed roll has no die (COC-GM-01)
		return false, ""
	}
	if s.row.natural() && s.atk.die.AtMost(stat(c.Character(s.by), "martial_arts")) {
		return true, "COC-ATK-08"
	}
	if s.row.Impaling && s.atk.grade == success && c.Flag("special_in_combat") && s.atk.die.AtMost(s.atk.value/5) {
		return true, "COC-ATK-07"
	}
	return false, ""
}

// revised reads whether the keeper has made the attack a critical while a prompt
// was open (COC-ATK-07).
func (g *game) revised(c *rule.Ctx, s *strike) {
	if details(c.Character(s.by)).GetCombat().GetTreatedAsCritical() {
		s.atk.grade = critical
		if s.twiceRule == "COC-ATK-07" {
			s.twice, s.twiceRule = false, ""
		}
	}
}

// outcome is the table of COC-ATK-01, step 5.
func (g *game) outcome(c *rule.Ctx, s strike, struck string, d defence) {
	switch {
	case s.atk.grade == critical && d.grade == critical:
		g.bothCritical(c, s, struck, d)
	case s.atk.grade == critical:
		g.hit(c, s, struck, g.criticalBlow(c, s, struck))
	case d.grade.ok() && d.kind == dodge:
		c.Emit(c.Event(attackAvoided, "COC-ATK-01", s.by).On(struck).Words(fWeapon, "", rule.Public, s.weapon).Because(d.event))
		return
	case d.grade.ok() && d.kind == parry:
		g.parried(c, s, struck, d, true)
		return
	default:
		g.hit(c, s, struck, blow{multiply: 1, divide: 1, db: true})
	}
	if d.grade == fumble {
		g.defenceFumble(c, struck, d)
	}
}

// hit tells that the attack went home, and does the damage.
func (g *game) hit(c *rule.Ctx, s strike, struck string, b blow) {
	n := c.Emit(c.Event(attackHit, "COC-ATK-01", s.by).On(struck).Words(fWeapon, "", rule.Public, s.weapon).Because(s.atk.event))
	final := g.damage(c, s, struck, b, n)
	g.hurt(c, struck, final, n)
}

// criticalBlow is what a critical does (COC-ATK-04): with armour, the armour is
// ignored; without, the damage is doubled; to what is not of this Earth, nothing.
func (g *game) criticalBlow(c *rule.Ctx, s strike, struck string) blow {
	exempt := details(c.Character(struck)).GetBody().GetExtraterrestrial() ||
		c.Option("et_crit_scope") == "either" && details(c.Character(s.by)).GetBody().GetExtraterrestrial()
	switch {
	case exempt:
		return blow{multiply: 1, divide: 1, db: true, rule: "COC-ATK-04", note: "extraterrestrial"}
	case stat(c.Character(struck), kArmour) > 0:
		return blow{multiply: 1, divide: 1, db: true, ignoreArmour: true, rule: "COC-ATK-04", note: "armour_ignored"}
	}
	return blow{multiply: 2, divide: 1, db: true, rule: "COC-ATK-04", note: "doubled"}
}

// validAttack refuses in the order of COC-ATK-01.
func (g *game) validAttack(v *rule.View, by string, a *cocv1.Attack) *rule.Refusal {
	if refusal := turnOf(v, by, stepActions, "COC-CMB-06"); refusal != nil {
		return refusal
	}
	return g.validStrike(v, by, a.Weapon, a.Target, a.UsePlus10, a.DistanceM, "action.coc.attack.", false)
}

func (g *game) validShoot(v *rule.View, by string, a *cocv1.Shoot) *rule.Refusal {
	if refusal := turnOf(v, by, stepShooting, "COC-CMB-05"); refusal != nil {
		return refusal
	}
	return g.validStrike(v, by, a.Weapon, a.Target, a.UsePlus10, a.DistanceM, "action.coc.shoot.", true)
}

func (g *game) validStrike(v *rule.View, by, weapon, target string, plus10 bool, distanceM int32, field string, shooting bool) *rule.Refusal {
	me := v.Character(by)
	if refusal := g.mayAct(v, me, "COC-ATK-01"); refusal != nil {
		return refusal
	}
	w := weaponOf(me, weapon)
	if refusal := validWeapon(me, w, weapon, field+"weapon"); refusal != nil {
		return refusal
	}
	row := g.template(w)
	if shooting && (!row.firearm() || !w.Ready) {
		return rule.Refuse(notReady, "COC-CMB-05", field+"weapon")
	}
	other := v.Character(target)
	if target == by || other == nil || has(other, stDead) || !encounter.In(v.Encounter(), target) {
		return rule.Refuse(badTarget, "COC-ATK-01", field+"target").Suggest(target, v.Encounter().GetRoster())
	}
	if g.beyond(me, other, row, distanceM) {
		return rule.Refuse(outOfRange, reachRule(row), field+"target")
	}
	return validRight(me, plus10, field)
}

// validWeapon refuses a weapon that is unknown, not in hand, or cannot be used (COC-COND-03).
func validWeapon(me *tablev1.Character, w *cocv1.Weapon, id, field string) *rule.Refusal {
	switch {
	case w == nil:
		return rule.Refuse(weaponUnusable, "COC-ATK-01", field).Suggest(id, weaponIDs(me))
	case w.State != cocv1.WeaponState_WEAPON_STATE_OK:
		return rule.Refuse(weaponUnusable, "COC-COND-03", field)
	case !w.InHand:
		return rule.Refuse(weaponUnusable, "COC-CMB-06", field)
	}
	return nil
}

// beyond reports whether a target is out of a weapon's reach.
func (g *game) beyond(me, target *tablev1.Character, row *weaponRow, distanceM int32) bool {
	switch row.Kind {
	case kindFirearm:
		metres, known := shotDistance(me, target, distanceM)
		return known && metres > 3*row.Range
	case kindThrown:
		metres, known := shotDistance(me, target, distanceM)
		return known && metres > row.Range
	}
	squares, _ := distance(me, target)
	return squares > row.Range
}

func reachRule(row *weaponRow) string {
	if row.firearm() {
		return "COC-ATK-03"
	}
	return "COC-ATK-01"
}

func (g *game) offerAttacks(v *rule.View, by string) []*tablev1.Offer {
	if !encounter.In(v.Encounter(), by) {
		return nil
	}
	var out []*tablev1.Offer
	for _, w := range details(v.Character(by)).GetWeapons() {
		a := &cocv1.Attack{Weapon: w.Id}
		valid := func(target string) *rule.Refusal {
			return g.validAttack(v, by, &cocv1.Attack{Weapon: w.Id, Target: target})
		}
		out = append(out, g.offerStrike(v, by, w, a, "attack", valid))
	}
	return out
}

func (g *game) offerShots(v *rule.View, by string) []*tablev1.Offer {
	if !encounter.In(v.Encounter(), by) || v.Encounter().Step != stepShooting {
		return nil
	}
	var out []*tablev1.Offer
	for _, w := range details(v.Character(by)).GetWeapons() {
		if !g.template(w).firearm() {
			continue
		}
		a := &cocv1.Shoot{Weapon: w.Id}
		valid := func(target string) *rule.Refusal {
			return g.validShoot(v, by, &cocv1.Shoot{Weapon: w.Id, Target: target})
		}
		out = append(out, g.offerStrike(v, by, w, a, "shoot", valid))
	}
	return out
}
