package oracle

// Defending is what counts for the value of a defence roll.
type Defending struct {
	Skill           int // stored value of Dodge or of the parrying weapon's skill
	Dodge           bool
	BaseDodge       int
	Dodges, Parries int  // defence rolls of the chain before this one
	Dedicated       bool // to this kind
	Relief          bool
	Flat            []int
}

// before counts the rolls that halve this one (COC-DEF-03).
func (o Options) before(d Defending) int {
	switch {
	case !o.HalvingSeparate:
		return d.Dodges + d.Parries
	case d.Dodge:
		return d.Dodges
	}
	return d.Parries
}

// Defence is the value of a defence roll, and whether the roll brings the lock
// (COC-DEF-03 to 06, 08).
func (o Options) Defence(d Defending) (value int, locks bool) {
	k := o.before(d)
	if d.Dedicated || d.Relief {
		return Value(d.Skill, 1, 1, 0, d.Flat...), false
	}
	value = Value(d.Skill, 1, 1, k, d.Flat...)
	halved := d.Skill >> k
	if halved > 15 {
		return value, false
	}
	first := d.Dodges+d.Parries == 0
	if first && d.BaseDodge <= 15 {
		return value, false
	}
	if first && o.LowFirstAnySkill && d.Skill <= 15 {
		return value, false
	}
	return value, true
}

// LockedUntil is the last round of a lock that a roll of this round brings (COC-DEF-04).
func (o Options) LockedUntil(round int) int {
	if o.LockCountsCurrent {
		return round + o.LockRounds - 1
	}
	return round + o.LockRounds
}
