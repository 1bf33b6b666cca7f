package oracle

import (
	"fmt"
	"slices"
)

// Result is what a roll came to, in the words of the rules.
type Result string

// The four results of a roll (COC-CHK-01).
const (
	Failure  Result = "failure"
	Success  Result = "success"
	Critical Result = "critical"
	Fumble   Result = "fumble"
)

// Succeeded tells a success of either kind.
func (r Result) Succeeded() bool { return r == Success || r == Critical }

// Check is a CCB roll against a value (COC-CHK-01).
func (o Options) Check(value, roll int) Result {
	if roll >= o.Fumble {
		return Fumble
	}
	if roll > value {
		return Failure
	}
	if roll <= o.Crit {
		return Critical
	}
	return Success
}

// Special tells whether a roll is a special (COC-CHK-03), which is a kind of success.
func (o Options) Special(value, roll int) bool {
	if o.Check(value, roll) != Success {
		return false
	}
	if o.SpecialFifth {
		return o.Crit < roll && roll <= value/5
	}
	return 6 <= roll && roll <= 10
}

// Clamp keeps what is rolled against between 0 and 99 (COC-CHK-04, COC-CHK-07).
func Clamp(value int) int { return min(max(value, 0), 99) }

// Value builds what is rolled against (COC-CHK-04): the skill by a fraction that a range
// brings (cut down), then halved so many times, then the flat modifiers, then the clamp.
func Value(skill, num, den, halvings int, flat ...int) int {
	value := skill * num / den
	for range halvings {
		value /= 2
	}
	for _, f := range flat {
		value += f
	}
	return Clamp(value)
}

// Resistance is the chance of a resistance roll; without a die it is settled (COC-CHK-08).
func Resistance(active, passive int) (chance int, automatic bool) {
	chance = 50 + (active-passive)*5
	return chance, chance >= 100 || chance <= 0
}

// Winner names who wins an opposed roll, "" for no change (COC-CHK-09).
func Winner(active, passive Result, activeRoll, passiveRoll int) string {
	rank := func(r Result) int {
		switch r {
		case Critical:
			return 2
		case Success:
			return 1
		}
		return 0
	}
	a, p := rank(active), rank(passive)
	switch {
	case a == 0 && p == 0:
		return ""
	case a > p:
		return "active"
	case p > a:
		return "passive"
	case activeRoll < passiveRoll:
		return "active"
	case passiveRoll < activeRoll:
		return "passive"
	}
	return ""
}

// Combined is one roll against several values: it has to be within all (COC-CHK-10).
func (o Options) Combined(roll int, values ...int) Result {
	least := values[0]
	for _, v := range values {
		least = min(least, v)
	}
	return o.Check(least, roll)
}

// Mark is the kind of growth mark that a roll earns a player's character, "" for none
// (COC-GRW-01). A skill at its base is one whose stored value is the base; what is no
// skill has none.
func Mark(r Result, skillAtBase bool) string {
	switch {
	case r == Critical:
		return "critical"
	case r == Fumble:
		return "fumble"
	case r == Success && skillAtBase:
		return "initial_success"
	}
	return ""
}

// AddMark adds a mark to those on a sheet, by its id: once of a kind and source, or with
// mark_limit=none numbered from the second (section 3.1, COC-GRW-01). It tells whether
// there is a new one.
func (o Options) AddMark(have []string, kind, source string) ([]string, bool) {
	id := kind + "." + source
	if !slices.Contains(have, id) {
		return append(have, id), true
	}
	if !o.MarksUnlimited {
		return have, false
	}
	for n := 2; ; n++ {
		if next := fmt.Sprintf("%s.%d", id, n); !slices.Contains(have, next) {
			return append(have, next), true
		}
	}
}
