package oracle

// ShockDue tells whether a single damage calls for a shock roll (COC-INJ-02).
func (o Options) ShockDue(damage, before, hpMax int, extraterrestrial bool) bool {
	if extraterrestrial || before-damage <= 2 {
		return false
	}
	if o.ShockHalfMax {
		return damage*2 >= hpMax
	}
	return damage*2 >= before
}

// Healed is what a healing of so many points gives back to somebody with a wound of which
// so much is unhealed (COC-INJ-05, 06).
func (o Options) Healed(points, unhealed, hp, hpMax int) int {
	if !o.HealBeyondWound {
		points = min(points, unhealed)
	}
	return max(0, min(points, hpMax-hp))
}

// FirstAid is what a First Aid roll does to the hit points (COC-INJ-05).
func (o Options) FirstAid(d Dice, r Result, unhealed, hp, hpMax int) int {
	switch r {
	case Critical:
		return o.Healed(3, unhealed, hp, hpMax)
	case Success:
		return o.Healed(d(3), unhealed, hp, hpMax)
	case Fumble:
		return -1
	}
	return 0
}

// Medicine is what a Medicine roll does to the hit points (COC-INJ-06).
func (o Options) Medicine(d Dice, r Result, unhealed, hp, hpMax int) int {
	if !r.Succeeded() {
		return 0
	}
	return o.Healed(d(3), unhealed, hp, hpMax)
}

// Week is what a week gives back, with the Medicine of a healer or not (COC-INJ-06).
func Week(d Dice, medicine bool, hp, hpMax int) int {
	dice := 1
	if medicine {
		dice = 2
	}
	return max(0, min(d.sum(dice, 3), hpMax-hp))
}
