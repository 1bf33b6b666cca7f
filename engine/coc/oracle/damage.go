package oracle

// Weapon is one of table 6.3.
type Weapon struct {
	ID, Skill, Part, Kind string // kind: natural, melee, firearm, thrown
	Count, Sides          int    // its dice
	Range                 int    // metres
	Durability            int    // as made; a natural weapon has none
	Impaling              bool
}

// Weapons is table 6.3.
func Weapons() []Weapon {
	return []Weapon{
		{ID: "fist", Skill: "fist", Part: "arm", Kind: "natural", Count: 1, Sides: 3, Range: 1},
		{ID: "kick", Skill: "kick", Part: "leg", Kind: "natural", Count: 1, Sides: 6, Range: 1},
		{ID: "headbutt", Skill: "headbutt", Part: "head", Kind: "natural", Count: 1, Sides: 4, Range: 1},
		{ID: "knife", Skill: "knife", Part: "arm", Kind: "melee", Count: 1, Sides: 4, Range: 1, Durability: 9, Impaling: true},
		{ID: "baton", Skill: "club", Part: "arm", Kind: "melee", Count: 1, Sides: 6, Range: 1, Durability: 12},
		{ID: "sword", Skill: "sword", Part: "arm", Kind: "melee", Count: 1, Sides: 8, Range: 1, Durability: 20},
		{ID: "handgun", Skill: "handgun", Part: "arm", Kind: "firearm", Count: 1, Sides: 10, Range: 15, Durability: 8},
		{ID: "rifle", Skill: "rifle", Part: "arm", Kind: "firearm", Count: 2, Sides: 6, Range: 60, Durability: 12},
		{ID: "claw", Skill: "claw", Part: "arm", Kind: "natural", Count: 1, Sides: 6, Range: 2},
	}
}

// RangeFactor is by what a skill is multiplied at a distance, as a fraction; out says that
// the shot is not possible (COC-ATK-03).
func RangeFactor(distance, dex, base int) (num, den int, out bool) {
	switch {
	case distance*3 <= dex:
		return 2, 1, false
	case distance <= base:
		return 1, 1, false
	case distance <= 2*base:
		return 1, 2, false
	case distance <= 3*base:
		return 1, 4, false
	}
	return 0, 1, true
}

// Blow is damage before armour: the dice of weapon and bonus.
type Blow struct{ Weapon, Bonus int }

// Throw throws weapon dice, twice where twice, then the damage bonus where the weapon has
// one (COC-ATK-02, COC-ATK-08).
func (w Weapon) Throw(d Dice, twice bool, bonus Bonus) (b Blow) {
	count := w.Count
	if twice {
		count *= 2
	}
	b.Weapon = d.sum(count, w.Sides)
	switch w.Kind {
	case "natural", "melee":
		b.Bonus = bonus.throw(d)
	case "thrown":
		b.Bonus = bonus.throw(d) / 2
	}
	return b
}

// Rolled is weapon and bonus, at least 0 (COC-CRE-12).
func (b Blow) Rolled() int { return max(0, b.Weapon+b.Bonus) }

// Plain is the damage of a success (COC-ATK-02).
func (b Blow) Plain(armour int) int { return max(0, b.Rolled()-armour) }

// CriticalDamage is the damage of an attacker's critical (COC-ATK-04).
func (o Options) CriticalDamage(b Blow, armour int, attackerET, targetET bool) int {
	if targetET || o.ETCritEither && attackerET {
		return b.Plain(armour)
	}
	if armour > 0 {
		return b.Rolled()
	}
	return 2 * b.Rolled()
}

// DefenceBetter tells which of two criticals is the better (COC-DEF-10).
func (o Options) DefenceBetter(attack, defence int) bool {
	if o.HigherWins {
		return defence > attack
	}
	return defence < attack
}

// BothCritical is the damage where both were critical (COC-DEF-10).
func BothCritical(b Blow, armour int, defenceBetter bool) int {
	if defenceBetter {
		return max(1, b.Rolled()/4-armour)
	}
	return max(0, b.Rolled()/2-armour)
}
