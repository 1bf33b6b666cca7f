// Package oracle works out the rules of engine/coc/RULES.md a second time, from their
// words alone. It imports nothing of the module and shares no line with the ruleset, so
// that a test that finds the two apart has found a fault in one of them or a rule that can
// be read in two ways.
//
// It is written for reading against the rules, not for play: plain numbers and names, the
// identifiers are those of the rules. Dice come from outside, one at a time, in the order
// in which the rules throw them.
package oracle

// Dice throws the next die, which has so many sides.
type Dice func(sides int) int

// sum throws n dice and adds them.
func (d Dice) sum(n, sides int) (total int) {
	for range n {
		total += d(sides)
	}
	return total
}

// Options are those of section 3.4. Each field is named after its option; where an option
// has two settings it is a bool that is true for the one that is not the default.
type Options struct {
	Crit, Fumble       int    // COC-CHK-01
	SpecialFifth       bool   // COC-CHK-03: special_range=fifth
	SpecialInCombat    bool   // COC-ATK-07
	PerCharacteristic  bool   // COC-CRE-03: single_reroll_scope=per_characteristic
	SwapAcrossFormulas bool   // COC-CRE-04
	SkillCapInitial    int    // COC-CRE-07
	GrowthCap          int    // COC-GRW-02, 0: none
	HalvingSeparate    bool   // COC-DEF-03: defence_halving=separate
	ChainOfCombat      bool   // COC-DEF-03: defence_chain_reset=combat
	LockRounds         int    // COC-DEF-04
	LockCountsCurrent  bool   // COC-DEF-04
	LowFirstAnySkill   bool   // COC-DEF-06: low_first_exempt=any_skill
	ReliefNextRoll     bool   // COC-DEF-08: crit_dodge_relief=next_roll
	HigherWins         bool   // COC-DEF-10: crit_compare=higher_wins
	ETCritEither       bool   // COC-ATK-04: et_crit_scope=either
	CoverReach         int    // COC-DEF-07, 0: no limit
	DodgeBullets       string // COC-ATK-03: first, none, all
	NoParryExcess      bool   // COC-DEF-02: parry_excess=false
	PhysicalPsychoMax  bool   // COC-SAN-07: physical_psycho_base=max
	HealBeyondWound    bool   // COC-INJ-05: heal_cap_by_wound=false
	MarksUnlimited     bool   // COC-GRW-01: mark_limit=none
	NinetyInclusive    bool   // COC-GRW-04
	ShockHalfMax       bool   // COC-INJ-02: shock_threshold=half_max
}

// Defaults are the options of a table that has set none.
func Defaults() Options {
	return Options{
		Crit: 5, Fumble: 96, SkillCapInitial: 80, GrowthCap: 99,
		LockRounds: 2, CoverReach: 1, DodgeBullets: "first",
	}
}
