package coc

import (
	"cmp"
	"slices"

	"github.com/hantei/hantei/engine/effect"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

// grade is how a percentile roll came out, the best first.
type grade int32

const (
	critical grade = iota + 1
	success
	failure
	fumble
)

var gradeWords = [...]string{critical: "critical", success: "success", failure: "failure", fumble: "fumble"}

func (g grade) String() string { return gradeWords[g] }

// ok reports whether the roll succeeded.
func (g grade) ok() bool { return g <= success }

// gradeOf grades a roll against a value (COC-CHK-01): 96 and more is a fumble
// whatever the value, 5 and less a critical if it succeeds at all.
func gradeOf(v *rule.View, value int32, die rule.Die) grade {
	switch {
	case !die.AtMost(v.Number("fumble") - 1):
		return fumble
	case die.AtMost(min(v.Number("crit"), value)):
		return critical
	case die.AtMost(value):
		return success
	}
	return failure
}

// special reports whether a success is a special (COC-CHK-03).
func special(v *rule.View, value int32, die rule.Die, gr grade) bool {
	if gr != success {
		return false
	}
	if v.Option("special_range") == "fifth" {
		return die.AtMost(value / 5)
	}
	return !die.AtMost(5) && die.AtMost(10)
}

// check is a percentile roll in the making.
type check struct {
	label string // of the die, unique in the step
	by    string
	skill string // what is rolled: a skill, a characteristic, luck, idea, know
	// skills are what is rolled where that are several; skill is marked then.
	skills []string
	value  *effect.Value
	// valueOf is whose value it is; empty for the roller's.
	valueOf string
	// changes are what the roll uses up, and what its count changes.
	changes []*tablev1.Change
	// event and id are the event that tells it, and its rule.
	event rule.EventName
	id    string
	// plain is true for a roll without specials, of SAN and growth.
	plain bool
	// mere is true for a roll of SAN: it only succeeds or fails (COC-SAN-02).
	mere bool
	// unmarked is true for a growth roll, which earns no mark (COC-GRW-01).
	unmarked bool
	// audience is who may know of the roll; unspecified for everybody, or as its
	// sender asked.
	audience typev1.Audience
	// action is the one whose roll the keeper may have fixed (COC-GM-01); empty for
	// a roll that belongs to something else.
	action string
}

// rolled is how a check came out.
type rolled struct {
	skill string   // what was rolled, or of several the one that is marked
	die   rule.Die // none where the keeper has fixed the roll
	value int32
	grade grade
	event int32
}

// mindRoll reports whether what is rolled against is of the mind.
func mindRoll(skill string) bool {
	return skill == kLuck || skill == kIdea || skill == kKnow || skill == kSAN
}

// valueAudience is who may see the value of a roll.
func valueAudience(skill string) typev1.Audience {
	if mindRoll(skill) {
		return rule.Mind
	}
	return rule.Values
}

// roll throws the die of a check, tells how it came out, and marks growth.
func (g *game) roll(c *rule.Ctx, ck check, more func(*rule.Event, rolled)) rolled {
	c.Reads(ck.label, cmp.Or(ck.valueOf, ck.by), valueAudience(ck.skill))
	fixed := fixedCheck(c.Character(ck.by), ck.action)
	var die rule.Die
	if fixed == nil {
		die = c.ThrowFor(cmp.Or(ck.audience, rule.Dice), ck.label, ck.by, 100)
	}
	ck.value.Clamp("clamp", "COC-CHK-04", 0, 99)
	r := rolled{skill: ck.skill, die: die, value: ck.value.Total()}
	if fixed == nil {
		r.grade = gradeOf(&c.View, r.value, die)
	} else {
		r.grade = grade(fixed.Result)
		ck.value.Note("fixed", "COC-GM-01")
		ck.changes = append(ck.changes, endFixed(ck.by, fixed))
	}
	earned := r.grade
	if ck.mere {
		r.mere(ck.value, fixed != nil)
	}
	e := c.Event(ck.event, ck.id, ck.by).For(c.Audience).For(ck.audience)
	if len(ck.skills) > 0 {
		e.Words(fSkill, "", rule.Public, ck.skills...)
	} else {
		e.Words(fSkill, "", rule.Public, ck.skill)
	}
	e.Number(fValue, ck.valueOf, valueAudience(ck.skill), r.value)
	if fixed == nil {
		e.Die(fRoll, "", rule.Dice, die)
	}
	e.Words(fResult, "", rule.Public, r.grade.String()).Trace(ck.value.Trace()...)
	if e.Told() && fixed == nil && !ck.plain && special(&c.View, r.value, die, r.grade) {
		// It tells the die, not the value.
		e.Words(fSpecial, "", rule.Dice, "special").
			Trace(&typev1.TraceLine{Of: ck.by, Audience: rule.Dice, Label: "special", Rule: "COC-CHK-03", Suppressed: true})
	}
	if more != nil {
		more(e, r)
	}
	r.event = c.Emit(e.Change(ck.changes...))
	if fixed == nil && !ck.unmarked {
		g.mark(c, ck, earned, r.event)
	}
	return r
}

// mere has a roll only succeed or fail (COC-SAN-02); what it would be otherwise still
// earns a mark.
func (r *rolled) mere(value *effect.Value, fixed bool) {
	if r.grade == critical || r.grade == fumble {
		value.Note("no_extremes", "COC-SAN-02")
	}
	switch {
	case fixed && r.grade == fumble, !fixed && !r.die.AtMost(r.value):
		r.grade = failure
	case fixed && r.grade == critical, !fixed:
		r.grade = success
	}
}

// rollSkill is roll for a skill as it stands on the sheet, with the flat modifiers.
func (g *game) rollSkill(c *rule.Ctx, ck check, plus10 bool, more func(*rule.Event, rolled)) rolled {
	me := c.Character(ck.by)
	ck.value, ck.event = skillValue(me, ck.skill), checkResolved
	ck.changes = append(g.flats(c, me, ck.skill, ck.value, plus10, 0), ck.changes...)
	return g.roll(c, ck, more)
}

// flats adds the flat modifiers of a roll, after every fraction (COC-CHK-04):
// those on the sheet, the +10 right, and mod. It returns what the roll uses up.
func (g *game) flats(c *rule.Ctx, me *tablev1.Character, skill string, value *effect.Value, plus10 bool, mod int32) []*tablev1.Change {
	var used []*tablev1.Change
	if s := g.symptomOf(me); s != nil && s.Skills != 0 && g.pack.skill(skill) != nil {
		value.Add(s.ID, "COC-SAN-04", s.Skills)
	}
	for _, m := range effect.Applying(c.State, me, skill, g.tags(skill)) {
		value.AddModifier(m)
		if ch := effect.Used(me.Id, m); ch != nil {
			used = append(used, ch)
		}
	}
	if plus10 {
		value.Add(stPlus10, "COC-CHK-05", 10)
		c.Emit(c.Event(rightUsed, "COC-CHK-05", me.Id).For(rule.Mind).
			Words(fSkill, "", secretOr(c.Audience, rule.Mind), skill).
			Change(rule.EndStatus(me.Id, table.Status(me, stPlus10))))
	}
	if mod != 0 {
		value.Add("mod", "COC-CHK-04", mod)
	}
	return used
}

func (g *game) tags(skill string) []string {
	if s := g.pack.skill(skill); s != nil {
		return s.Tags
	}
	return nil
}

// skillValue begins the value of a skill roll.
func skillValue(me *tablev1.Character, skill string) *effect.Value {
	return effect.Begin(me.Id, valueAudience(skill), skill, "COC-CHK-04", stat(me, skill))
}

// declared resolves a check that a seat declares (COC-CHK-01, COC-CHK-07).
func (g *game) declared(c *rule.Ctx, by string, a *cocv1.Check) {
	g.check(c, c.Character(by), a.Skill, a.Multiplier, a.Mod, a.UsePlus10, true)
}

// check rolls a skill, a characteristic times n, or luck, idea, know. A critical
// or fumble of an investigator in a declared check may have an effect (COC-CHK-02).
func (g *game) check(c *rule.Ctx, me *tablev1.Character, skill string, multiplier, mod int32, plus10, declared bool) rolled {
	value := skillValue(me, skill)
	id := "COC-CHK-01"
	if g.pack.skill(skill) == nil {
		id = "COC-CHK-07"
	}
	if isCharacteristic(skill) {
		if multiplier == 0 {
			multiplier = 5
		}
		value.Multiply("times", "COC-CHK-07", multiplier)
	}
	used := g.flats(c, me, skill, value, plus10, mod)
	r := g.roll(c, check{label: "check", by: me.Id, skill: skill, value: value, changes: used, event: checkResolved, id: id, action: overridable(declared)}, nil)
	if declared && isPC(me) {
		g.aftermath(c, me.Id, r)
	}
	return r
}

// overridable is the action whose roll the keeper may have fixed: not where the roll
// is another rule's.
func overridable(declared bool) string {
	if declared {
		return "check"
	}
	return ""
}

func (g *game) validCheck(v *rule.View, by string, a *cocv1.Check) *rule.Refusal {
	me := v.Character(by)
	if !conscious(me) {
		return rule.Refuse(unconscious, "COC-CHK-01", "")
	}
	return g.validRoll(me, a.Skill, a.UsePlus10, "action.coc.check.")
}

// validRoll refuses an unknown skill, and the +10 right where it is not held or
// the roll is no skill roll (COC-CHK-05).
func (g *game) validRoll(me *tablev1.Character, skill string, plus10 bool, field string) *rule.Refusal {
	if table.Stat(me, skill) == nil || skill == kMov || skill == kArmour {
		all := g.skillsWhere(func(*skillRow) bool { return true })
		names := slices.Concat([]string{kLuck, kIdea, kKnow}, characteristicKeys, all)
		return rule.Refuse(unknownSkill, "COC-CHK-01", field+"skill").Suggest(skill, names)
	}
	if plus10 && g.pack.skill(skill) == nil {
		return rule.Refuse(notASkill, "COC-CHK-05", field+"use_plus10")
	}
	return validRight(me, plus10, field)
}

func validRight(me *tablev1.Character, plus10 bool, field string) *rule.Refusal {
	if plus10 && !has(me, stPlus10) {
		return rule.Refuse(noRight, "COC-CHK-05", field+"use_plus10")
	}
	return nil
}

// offerChecks lists a check for each skill and value on the sheet.
func (g *game) offerChecks(v *rule.View, by string) []*tablev1.Offer {
	me := v.Character(by)
	var out []*tablev1.Offer
	offer := func(key string) {
		s := table.Stat(me, key)
		if s == nil || s.Value == nil {
			return
		}
		a := &cocv1.Check{Skill: key}
		o := rule.NewOffer(a, g.validCheck(v, by, a), "check", key)
		o.Stat = key
		if has(me, stPlus10) && g.pack.skill(key) != nil {
			o.Inputs = append(o.Inputs, plus10Input("coc.check"))
		}
		if isCharacteristic(key) {
			o.Inputs = append(o.Inputs, rule.NumberInput("multiplier", "coc.check.multiplier", 1, 10))
		}
		if v.Seat.GM {
			o.Inputs = append(o.Inputs, rule.NumberInput("mod", "coc.check.mod", -100, 100))
		}
		out = append(out, o)
	}
	for _, s := range g.pack.skills {
		offer(s.ID)
	}
	for _, k := range characteristicKeys {
		offer(k)
	}
	offer(kLuck)
	offer(kIdea)
	offer(kKnow)
	return out
}
