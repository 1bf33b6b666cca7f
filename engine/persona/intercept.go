package persona

import (
	"github.com/hantei/hantei/engine/dice"
	"github.com/hantei/hantei/engine/effect"
	"github.com/hantei/hantei/engine/rule"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// broad reports whether a skill is for all of a side, or everyone.
func (r *skillRow) broad() bool { return r.Range == "all_enemies_or_allies" || r.Range == "everyone" }

// kills reports whether an attack is with instant death that is rolled for (PER-SB-15).
func (r *skillRow) kills() bool { return r.InstantDeath != "" && r.InstantDeath != "auto" }

// mayAttack refuses a skill that does not intercept or support, and one that cannot be
// paid for, in the order of PER-SB-11 and PER-SKL-01.
func (g *game) mayAttack(me *tablev1.Character, skill, id, field string) *rule.Refusal {
	if refusal := g.attacks(me, skill, id, field); refusal != nil {
		return refusal
	}
	return mayPay(me, g.pack.skill(skill), field)
}

// attacks refuses a skill that somebody does not have, or that does not intercept: it
// needs power, or instant death with a rate (PER-SB-14, PER-SB-15).
func (g *game) attacks(me *tablev1.Character, skill, id, field string) *rule.Refusal {
	row := g.pack.skill(skill)
	switch {
	case row == nil || !hasSkill(me, skill):
		return rule.Refuse(whySkillMissing, id, field).Suggest(skill, usable(me).GetSkills())
	case row.Class != "attack" || row.Power < 1 && !row.kills():
		return rule.Refuse(whyAttackNotEligible, id, field)
	}
	return nil
}

// intercept strikes against an attack, with power or with instant death. It reports
// whether it can be supported: if it was not enough (PER-SB-11, PER-SB-14, PER-SB-15).
func (g *game) intercept(c *rule.Ctx, by string, a *personav1.Intercept) bool {
	of := own(a.Instance, by)
	row := g.pack.skill(a.Skill)
	id := "PER-SB-14"
	if row.kills() {
		id = "PER-SB-15"
	}
	g.declare(c, by, reactIntercept, of, row.ID, id)
	g.pay(c, by, row, id)
	struck := &personav1.Interception{Character: by, Instance: of, InstantDeath: row.kills()}
	ok := false
	if row.kills() {
		hit, rate := g.instantDeath(c, by, row, 0, id)
		ok, struck.Rate = hit, &rate
		c.Emit(resolved(c, by, reactIntercept, of, id, ok))
	} else {
		power := g.attackPower(c, by, row, id)
		total := power.Total()
		ok, struck.Power = total > battle(c.State).GetPower(), &total
		c.Emit(resolved(c, by, reactIntercept, of, id, ok).
			Number(fPower, "", rule.Dice, total).
			Trace(power.Trace()...))
	}
	if ok {
		g.nullify(c, of, by, id)
		return false
	}
	c.Change(setBattle(c.State, func(b *personav1.Battle) { b.Interception = struck }))
	return true
}

// db are the damage dice of a Persona for physical attacks, or magic ones (section 3.2).
func (g *game) db(p *personav1.Persona, attackType string) dice.Dice {
	given, stat := p.DbMagic, p.Magic
	if attackType == "physical" {
		given, stat = p.DbPhysical, p.Strength
	}
	if d, err := dice.Parse(given); err == nil {
		return d
	}
	return from(g.pack.dbByStat, stat)
}

// attackPower rolls the power of an attack of one's own: so many damage dice, what the
// weapon adds to a physical one, and then what raises it by percents: for an attack on
// all the numbers of the enemies, and incense (PER-SB-14, PER-CHK-03).
func (g *game) attackPower(c *rule.Ctx, by string, row *skillRow, id string) *effect.Value {
	me := c.Character(by)
	d := g.db(usable(me), row.AttackType)
	d.Count *= row.Power
	power := effect.Begin(by, rule.Values, "rolled", id, total(c, rule.Dice, "power", by, d))
	for _, w := range g.wornRows(me) {
		if w.Power != 0 && row.AttackType == "physical" {
			power.Add(w.ID, "PER-SB-14", w.Power)
		}
	}
	var percents []int32
	if more := outnumbered(c.State); more > 0 && row.broad() {
		percents = append(percents, more)
	}
	for _, r := range g.pack.items {
		if r.PowerPercent != 0 && effect.Has(c.State, me, r.ID) {
			percents = append(percents, r.PowerPercent)
		}
	}
	if len(percents) > 0 {
		power.Add("increase", "PER-CHK-03", increased(power.Total(), percents...)-power.Total())
	}
	return power
}

// instantDeath rolls for instant death; more is what an intercept adds to the rate of a
// support. It returns the rate, at least 0, for those who support (PER-SB-17, PER-SB-18).
func (g *game) instantDeath(c *rule.Ctx, by string, row *skillRow, more int32, id string) (bool, int32) {
	target := effect.Begin(by, levelAudience(&c.View), row.ID, "PER-SB-18", row.rate).
		Add("luck", "PER-SB-18", usable(c.Character(by)).GetLuck()).
		Add("enemy_level", "PER-SB-18", -opponent(c.State).GetLevel())
	if n := c.Number("instant_death_offset"); n != 0 {
		target.Add("instant_death_offset", "PER-SB-18", n)
	}
	rate := max(0, target.Total())
	if more != 0 {
		target.Add("intercept", "PER-SB-17", more)
	}
	return g.roll(c, check{label: "instant_death", by: by, name: "instant_death", target: target, told: levelAudience(&c.View), id: id}), rate
}
