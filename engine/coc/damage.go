package coc

import (
	"github.com/hantei/hantei/engine/dice"
	"github.com/hantei/hantei/engine/effect"
	"github.com/hantei/hantei/engine/rule"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

// blow is how damage is figured: the sum of the dice, times multiply, divided by
// divide, minus armour, at least least.
type blow struct {
	multiply, divide int32
	db               bool
	ignoreArmour     bool
	least            int32
	intoWeapon       bool // a parry: no armour, and the weapon takes it
	rule, note       string
}

// damage throws weapon dice, then DB dice, tells what is left of them (COC-ATK-02),
// and returns it.
func (g *game) damage(c *rule.Ctx, s strike, struck string, b blow, because int32) int32 {
	c.Reads("damage", struck, rule.Values)
	c.Reads("damage", struck, rule.HP)
	weapon, db := g.damageDice(c, s, b.db)
	value := effect.Begin(s.by, rule.Dice, "weapon_dice", "COC-ATK-02", weapon)
	if s.twice {
		value.Note("rolled_twice", s.twiceRule)
	}
	if b.db && db != 0 {
		value.Add("db", "COC-CRE-12", db)
	}
	value.Clamp("at_least_0", "COC-CRE-12", 0, 1<<20)
	if b.multiply != 1 {
		value.Multiply(b.note, b.rule, b.multiply)
	}
	if b.divide != 1 {
		value.Divide(b.note, b.rule, b.divide, "COC-CHK-11")
	}
	e := c.Event(damageRolled, "COC-ATK-02", s.by).On(struck).Because(because).
		Words(fWeapon, "", rule.Public, s.weapon).
		Number(fDice, "", rule.Dice, weapon).
		Number(fDB, "", rule.Dice, db).
		Words(fMultiplier, "", rule.Dice, b.factor()).
		Trace(value.Trace()...)
	if b.intoWeapon {
		c.Emit(e)
		return value.Total()
	}
	armour := stat(c.Character(struck), kArmour)
	if b.ignoreArmour {
		armour = 0
	}
	final := max(b.least, value.Total()-armour)
	if b.note != "" {
		// Which case it is would tell of the struck person's armour or nature.
		e.Trace(&typev1.TraceLine{Of: struck, Audience: rule.Values, Label: b.note, Rule: b.rule, Suppressed: b.multiply == 1 && b.divide == 1})
	}
	c.Emit(e.Number(fArmour, struck, rule.Values, armour).Number(fFinal, struck, rule.HP, final))
	return final
}

// factor is the multiplier in the words of the specification.
func (b blow) factor() string {
	switch {
	case b.multiply == 2:
		return "2"
	case b.divide == 2:
		return "1/2"
	case b.divide == 4:
		return "1/4"
	}
	return "1"
}

// damageDice throws the weapon's own dice, twice as many of them for martial arts or
// an impaling success, and then those of the damage bonus, if it counts.
func (g *game) damageDice(c *rule.Ctx, s strike, withDB bool) (weapon, db int32) {
	thrown := make([]rule.Summand, 0, 3)
	for sign, d := range s.row.damage.Dice() {
		if s.twice {
			d.Count *= 2
		}
		thrown = append(thrown, rule.Summand{Label: "damage", Dice: d, Sign: sign})
	}
	own := len(thrown)
	if withDB {
		thrown = append(thrown, dbDice(c, s)...)
	}
	weapon = s.row.damage.Constant()
	for i, n := range c.Sum(s.by, thrown...) {
		if i < own {
			weapon += n
		} else {
			db += n
		}
	}
	return weapon, db
}

// dbDice are the dice of the damage bonus (COC-CRE-12): none for firearms, half of
// it, cut toward 0, for a thrown weapon.
func dbDice(c *rule.Ctx, s strike) []rule.Summand {
	if s.row.firearm() || !hasDB(s.row.damage) {
		return nil
	}
	sign, count, sides := damageBonus(c.Character(s.by))
	if count == 0 {
		return nil
	}
	return []rule.Summand{{
		Label: "db", Dice: dice.Dice{Count: count, Sides: sides}, Sign: sign, Halved: s.row.Kind == kindThrown,
	}}
}

func hasDB(f dice.Formula) bool {
	for range f.Names() {
		return true
	}
	return false
}

func total(faces []int32) int32 {
	n := int32(0)
	for _, f := range faces {
		n += f
	}
	return n
}

// bothCritical compares two criticals (COC-DEF-10): the better die, which is the
// lower, decides whether the damage is halved or quartered, and who gets a
// counter (COC-DEF-11).
func (g *game) bothCritical(c *rule.Ctx, s strike, struck string, d defence) {
	// An attack roll that the keeper has fixed has no die: that counts as a tie.
	better := d.die.Below(s.atk.die)
	if c.Option("crit_compare") == "higher_wins" {
		better = s.atk.die.Thrown() && s.atk.die.Below(d.die)
	}
	b := blow{multiply: 1, divide: 2, db: true, rule: "COC-DEF-10", note: "halved"}
	if better {
		b = blow{multiply: 1, divide: 4, least: 1, db: true, rule: "COC-DEF-10", note: "quartered"}
	}
	g.hit(c, s, struck, b)
	if better {
		g.counter(c, s, struck)
	}
}

// counter lets the defender strike back for 1D6 (COC-DEF-11), if he is conscious
// and within arm's reach.
func (g *game) counter(c *rule.Ctx, s strike, struck string) {
	foreign := func(ch *tablev1.Character) bool { return details(ch).GetBody().GetExtraterrestrial() }
	if !conscious(c.Character(struck)) || s.row.firearm() || s.row.Kind == kindThrown ||
		foreign(c.Character(struck)) || foreign(c.Character(s.by)) {
		return
	}
	a := cocAnswer(c.Ask(&rule.Window{
		Name: "counter", Rule: "COC-DEF-11", Kind: oneSeat, BecauseOf: s.by, About: s.by,
		Slots: []rule.Slot{{Character: decider(c, struck), Default: "yes", Choices: counterChoices()}},
	})[0]).GetCounter()
	if !a.GetCounter() {
		return
	}
	c.Reads("counter", s.by, rule.Values)
	c.Reads("counter", s.by, rule.HP)
	roll := c.Die("counter", struck, 6)
	amount := max(0, roll-stat(c.Character(s.by), kArmour))
	n := c.Emit(c.Event(counterDealt, "COC-DEF-11", struck).On(s.by).Number(fAmount, s.by, rule.HP, amount))
	g.hurt(c, s.by, amount, n)
}
