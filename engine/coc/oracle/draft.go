package oracle

import (
	"fmt"
	"slices"
)

// Overrides are the creation_overrides of a scenario; nil leaves the ordinary limit
// (COC-CRE-10).
type Overrides struct {
	RerollsAll, RerollsOne, OccupationSkillsMax, SkillCapInitial, TraitsMax *int
	Swap, Supplements                                                       *bool
}

// Draft is a sheet that is being made (chapter COC-CRE).
type Draft struct {
	Options
	Overrides
	Submitted, Made     bool // Made: the characteristics have been rolled
	Values              map[string]int
	RerollsAll          int
	Rerolls             map[string]int
	Owns2010, Owns2015  bool
	Occupation          []string // its skills
	Original            bool
	Occupational, Hobby map[string]int // points of both pools by skill
	Extras              []string       // skills that the keeper has approved (COC-CRE-08)
	Traits              []string
}

// NewDraft is an empty sheet: its characteristics are 10 until they are rolled (COC-CRE-01).
func NewDraft(o Options) *Draft {
	d := &Draft{Options: o, Values: map[string]int{}, Rerolls: map[string]int{}, Occupational: map[string]int{}, Hobby: map[string]int{}}
	for _, c := range Characteristics() {
		d.Values[c] = 10
	}
	return d
}

// Characteristics are the eight in the order in which they are rolled (COC-CRE-01).
func Characteristics() []string {
	return []string{"str", "con", "pow", "dex", "app", "siz", "int", "edu"}
}

// TraitIDs is table 6.5 in the order of its die.
func TraitIDs() []string {
	return []string{"sturdy", "light_sleeper", "keen_eye", "slow_hand", "well_read", "nervous", "lucky_charm", "weak_stomach", "old_injury", "sharp_tongue"}
}

// traitChanges is table 6.5.
var traitChanges = map[string]map[string]int{
	"sturdy": {"hp": 1}, "light_sleeper": {"listen": 10}, "keen_eye": {"spot": 10}, "slow_hand": {"sneak": 10, "throw": -5},
	"well_read": {"library": 10}, "nervous": {"san": -5}, "lucky_charm": {"luck": 5},
	"weak_stomach": {"first_aid": -10, "psychology": 10}, "old_injury": {"climb": -10, "medicine": 5},
	"sharp_tongue": {"fast_talk": 10, "persuade": -5},
}

// limit is a limit with a scenario's in its place, and whether that is what forbids.
func limit(ordinary int, override *int) (n int, forbids bool) {
	if override == nil {
		return ordinary, false
	}
	return *override, *override == 0
}

// Roll rolls the characteristics for the first time (COC-CRE-01).
func (d *Draft) Roll(throw func() Dice) string {
	switch {
	case d.Submitted:
		return "ALREADY_SUBMITTED"
	case d.Made:
		return "ALREADY_ROLLED"
	}
	d.Made = true
	d.rollAll(throw())
	return ""
}

func (d *Draft) rollAll(dice Dice) {
	for _, c := range Characteristics() {
		d.Values[c] = RollOne(dice, c)
	}
}

// RerollAll rolls the whole set again (COC-CRE-03).
func (d *Draft) RerollAll(throw func() Dice) string {
	most, forbids := limit(5, d.Overrides.RerollsAll)
	switch {
	case d.Submitted:
		return "ALREADY_SUBMITTED"
	case forbids:
		return "NOT_ALLOWED_HERE"
	case !d.Made:
		return "NOT_ROLLED"
	case d.RerollsAll >= most:
		return "NO_REROLLS_LEFT"
	}
	d.RerollsAll++
	d.rollAll(throw())
	return ""
}

// RerollOne rolls one characteristic again (COC-CRE-03).
func (d *Draft) RerollOne(throw func() Dice, c string) string {
	most, forbids := limit(3, d.RerollsOne)
	made := d.Rerolls[c]
	if !d.PerCharacteristic {
		made = 0
		for _, n := range d.Rerolls {
			made += n
		}
	}
	switch {
	case d.Submitted:
		return "ALREADY_SUBMITTED"
	case forbids:
		return "NOT_ALLOWED_HERE"
	case !d.Made:
		return "NOT_ROLLED"
	case made >= most:
		return "NO_REROLLS_LEFT"
	}
	d.Rerolls[c]++
	d.Values[c] = RollOne(throw(), c)
	return ""
}

// SwapTwo exchanges two characteristics (COC-CRE-04).
func (d *Draft) SwapTwo(a, b string) string {
	formula := func(c string) string {
		switch c {
		case "siz", "int":
			return "2D6+6"
		case "edu":
			return "3D6+3"
		}
		return "3D6"
	}
	switch {
	case d.Submitted:
		return "ALREADY_SUBMITTED"
	case d.Swap != nil && !*d.Swap:
		return "NOT_ALLOWED_HERE"
	case !d.Made:
		return "NOT_ROLLED"
	case a == b, formula(a) != formula(b) && !d.SwapAcrossFormulas:
		return "SWAP_NOT_ALLOWED"
	}
	d.Values[a], d.Values[b] = d.Values[b], d.Values[a]
	return ""
}

// Known tells whether a skill can stand in an occupation or take points at all: claws, which
// only creatures have, cannot (COC-CRE-05).
func known(skill string) bool {
	_, ok := Base(skill, 0, 0)
	return ok
}

// Choose chooses an occupation with its skills, one of the books or an original one
// (COC-CRE-05).
func (d *Draft) Choose(original bool, skills []string) string {
	most, forbids := limit(8, d.OccupationSkillsMax)
	var once []string
	for _, s := range skills {
		if !slices.Contains(once, s) {
			once = append(once, s)
		}
	}
	switch {
	case d.Submitted:
		return "ALREADY_SUBMITTED"
	case original && forbids:
		return "NOT_ALLOWED_HERE"
	case original && len(once) > most:
		return "TOO_MANY_OCCUPATION_SKILLS"
	case slices.ContainsFunc(once, func(s string) bool { return !known(s) }):
		return "UNKNOWN_SKILL"
	}
	d.Occupation, d.Original = once, original
	return ""
}

// book is the supplement that a skill comes from (table 6.1).
func book(skill string) string {
	switch skill {
	case "martial_way":
		return "2010"
	case "street_lore":
		return "2015"
	}
	return ""
}

func (d *Draft) owns(book string) bool {
	if d.Supplements != nil {
		return *d.Supplements
	}
	return book == "" || book == "2010" && d.Owns2010 || book == "2015" && d.Owns2015
}

// skillFaults is what speaks against the points of a skill, in the order of the rules
// (COC-CRE-06 to 08, COC-CRE-10).
func (d *Draft) skillFaults(skill string, occupational, hobby int, ofOccupation bool) (faults []string) {
	most, forbids := limit(d.Options.SkillCapInitial, d.Overrides.SkillCapInitial)
	approved := slices.Contains(d.Extras, skill)
	barred := book(skill) != "" && !approved && d.Supplements != nil && !*d.Supplements
	if skill != "own_language" && forbids || barred {
		faults = append(faults, "NOT_ALLOWED_HERE")
	}
	if !known(skill) {
		return append(faults, "UNKNOWN_SKILL")
	}
	if skill == "cthulhu_mythos" {
		faults = append(faults, "FORBIDDEN_SKILL")
	}
	if book(skill) != "" && !approved && !barred && !d.owns(book(skill)) {
		faults = append(faults, "SUPPLEMENT_REQUIRED")
	}
	if ofOccupation && !slices.Contains(d.Occupation, skill) {
		faults = append(faults, "NOT_OCCUPATION_SKILL")
	}
	base, _ := Base(skill, d.Values["dex"], d.Values["edu"])
	if skill == "own_language" {
		most = 99
	}
	if occupational+hobby > 0 && base+occupational+hobby > most { // a base alone may be above
		faults = append(faults, "SKILL_CAP")
	}
	return faults
}

// spent sums a pool up.
func spent(pool map[string]int) (total int) {
	for _, n := range pool {
		total += n
	}
	return total
}

// Assign says how many points of a pool a skill has (COC-CRE-06).
func (d *Draft) Assign(skill string, occupational bool, points int) string {
	pool, budget := d.Hobby, d.Values["int"]*10
	if occupational {
		pool, budget = d.Occupational, d.Values["edu"]*20
	}
	switch {
	case d.Submitted:
		return "ALREADY_SUBMITTED"
	case !d.Made:
		return "NOT_ROLLED"
	}
	if points >= pool[skill] || !known(skill) { // to take back is never refused
		o, h := d.Occupational[skill], points
		if occupational {
			o, h = points, d.Hobby[skill]
		}
		if faults := d.skillFaults(skill, o, h, occupational); len(faults) > 0 {
			return faults[0]
		}
		if spent(pool)-pool[skill]+points > budget {
			return "POINTS_EXCEEDED"
		}
	}
	if pool[skill] = points; points == 0 {
		delete(pool, skill)
	}
	return ""
}

// Take takes a trait, "" by a die; ones that repeat are thrown again (COC-CRE-09).
func (d *Draft) Take(throw func() Dice, trait string) string {
	most, forbids := limit(2, d.TraitsMax)
	barred := d.Supplements != nil && !*d.Supplements
	switch {
	case d.Submitted:
		return "ALREADY_SUBMITTED"
	case forbids || barred:
		return "NOT_ALLOWED_HERE"
	case !d.owns("2015"):
		return "SUPPLEMENT_REQUIRED"
	case len(d.Traits) >= most || slices.Contains(d.Traits, trait):
		return "TOO_MANY_TRAITS"
	}
	if trait == "" {
		dice := throw()
		for trait == "" || slices.Contains(d.Traits, trait) {
			trait = TraitIDs()[dice(10)-1]
		}
	}
	d.Traits = append(d.Traits, trait)
	return ""
}

// Faults is all that speaks against the submission of a draft (COC-CRE-06, COC-CRE-11).
func (d *Draft) Faults() (faults []string) {
	if d.Submitted {
		return []string{"ALREADY_SUBMITTED"}
	}
	if !d.Made {
		return []string{"NOT_ROLLED"}
	}
	if most, forbids := limit(8, d.OccupationSkillsMax); d.Original && forbids {
		faults = append(faults, "NOT_ALLOWED_HERE")
	} else if d.Original && len(d.Occupation) > most {
		faults = append(faults, "TOO_MANY_OCCUPATION_SKILLS")
	}
	for _, s := range append(Skills(), "martial_way", "street_lore") {
		if o, h := d.Occupational[s], d.Hobby[s]; o+h > 0 {
			faults = append(faults, d.skillFaults(s, o, h, o > 0)...)
		}
	}
	if len(d.Traits) > 0 {
		most, forbids := limit(2, d.TraitsMax)
		switch {
		case forbids, d.Supplements != nil && !*d.Supplements:
			faults = append(faults, "NOT_ALLOWED_HERE")
		case !d.owns("2015"):
			faults = append(faults, "SUPPLEMENT_REQUIRED")
		case len(d.Traits) > most:
			faults = append(faults, "TOO_MANY_TRAITS")
		}
	}
	if spent(d.Occupational) > d.Values["edu"]*20 || spent(d.Hobby) > d.Values["int"]*10 {
		faults = append(faults, "POINTS_EXCEEDED")
	}
	return faults
}

// Sheet is what stands on it: characteristics, what follows from them, skills with points
// and traits (COC-CRE-02, COC-CRE-09).
func (d *Draft) Sheet() map[string]int {
	v := d.Values
	x := Rolled{v["str"], v["con"], v["pow"], v["dex"], v["app"], v["siz"], v["int"], v["edu"]}.Derive(0)
	out := map[string]int{"hp": x.HP, "mp": x.MP, "san": x.SAN, "luck": x.Luck, "idea": x.Idea, "know": x.Know}
	for c, n := range v {
		out[c] = n
	}
	for _, s := range append(Skills(), "martial_way", "street_lore") {
		base, _ := Base(s, v["dex"], v["edu"])
		out[s] = min(99, base+d.Occupational[s]+d.Hobby[s])
	}
	for _, t := range d.Traits {
		for key, n := range traitChanges[t] {
			out[key] += n
			if key != "hp" {
				out[key] = min(99, out[key])
			}
		}
	}
	return out
}

// String writes a bonus as dice: 0, +1D4, -1D6.
func (b Bonus) String() string {
	switch {
	case b.Count == 0:
		return "0"
	case b.Negative:
		return fmt.Sprintf("-%dD%d", b.Count, b.Sides)
	}
	return fmt.Sprintf("+%dD%d", b.Count, b.Sides)
}
