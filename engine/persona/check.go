package persona

import (
	"cmp"

	"github.com/hantei/hantei/engine/dice"
	"github.com/hantei/hantei/engine/effect"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

// check is a percentile check in the making (PER-CHK-01).
type check struct {
	label string // of the die, unique in the step
	by    string
	// name is what is checked: a skill, or a word like "disarm".
	name   string
	target *effect.Value
	// told is who may see the target; without it whoever sees the sheet's values.
	told typev1.Audience
	// id is the rule that asks for it.
	id string
	// parts is the working of what the target is made of.
	parts []*typev1.TraceLine
}

// succeeds compares a die with a target, which may lie below 1 or above 100: whatever the
// target, dice of the low band succeed and those of the high one fail (PER-CHK-01).
func succeeds(v *rule.View, die rule.Die, target int32) bool {
	low, high := int32(0), int32(101)
	switch v.Option("auto_bands") {
	case "5/96":
		low, high = 5, 96
	case "1/100":
		low, high = 1, 100
	}
	return die.AtMost(max(low, min(target, high-1)))
}

// roll throws the die of a check and tells how it came out.
func (g *game) roll(c *rule.Ctx, ck check) bool {
	me := c.Character(ck.by)
	var changes []*tablev1.Change
	for _, m := range g.eased(c.State, me, ck.name, ck.target) {
		if used := effect.Used(ck.by, m); used != nil {
			changes = append(changes, used)
		}
	}
	die := c.Throw(ck.label, ck.by, 100)
	ok := succeeds(&c.View, die, ck.target.Total())
	c.Emit(c.Event(checkRolled, ck.id, ck.by).
		Words(fName, "", rule.Public, ck.name).
		Number(fTarget, "", cmp.Or(ck.told, rule.Values), ck.target.Total()).
		Die(fRoll, "", rule.Dice, die).
		Words(fSuccess, "", rule.Public, successWord(ok)).
		Trace(ck.parts...).
		Trace(ck.target.Trace()...).
		Change(changes...))
	for _, r := range g.pack.items {
		if s := table.Status(me, r.ID); r.eases(ck.name) && s != nil {
			g.loseStatus(c, ck.by, s, "PER-ITM-02")
		}
	}
	return ok
}

// eased adds to the target of a check what somebody's modifiers and the items that he
// has used for the next such check make of it. The modifiers come back.
func (g *game) eased(s *tablev1.State, me *tablev1.Character, name string, target *effect.Value) []*typev1.Modifier {
	all := effect.Applying(s, me, name, nil)
	for _, m := range all {
		target.AddModifier(m)
	}
	for _, r := range g.pack.items {
		if r.eases(name) && effect.Has(s, me, r.ID) {
			target.Add(r.ID, "PER-ITM-02", r.Bonus)
		}
	}
	return all
}

// skillTarget begins the target of a check with a skill of the sheet.
func skillTarget(c *tablev1.Character, skill, id string) *effect.Value {
	return effect.Begin(c.Id, rule.Values, skill, id, stat(c, skill))
}

// personaTarget begins the target of a check of the Persona skill (PER-CHK-02).
func personaTarget(c *tablev1.Character) *effect.Value {
	return skillTarget(c, kPersonaSkill, "PER-CHK-02")
}

// personaCheck is a check of the Persona skill (PER-CHK-02).
func (g *game) personaCheck(c *rule.Ctx, label, by, id string) bool {
	return g.roll(c, check{label: label, by: by, name: kPersonaSkill, target: personaTarget(c.Character(by)), id: id})
}

// mayCheck refuses a check of a skill that is not on the sheet, and of the Persona
// skill to whom cannot act.
func mayCheck(c *tablev1.Character, skill, id, field string) *rule.Refusal {
	if !able(c) {
		return rule.Refuse(whyActorIncapacitated, "PER-CHK-02", "")
	}
	if table.Stat(c, skill) == nil || !isCheck(skill) {
		return rule.Refuse(whySkillMissing, id, field).Suggest(skill, checksOf(c))
	}
	return nil
}

func isCheck(key string) bool {
	for _, k := range checkKeys {
		if k == key {
			return true
		}
	}
	return false
}

// checksOf lists the skills of a sheet.
func checksOf(c *tablev1.Character) []string {
	var out []string
	for _, k := range checkKeys {
		if table.Stat(c, k) != nil {
			out = append(out, k)
		}
	}
	return out
}

// total throws dice of which only what they come to counts.
func total(c *rule.Ctx, a typev1.Audience, label, of string, d dice.Dice) int32 {
	return c.Sum(of, rule.Summand{Label: label, Dice: d, Sign: 1, Audience: a})[0]
}

// increased raises a rolled number by percentages, which are added up first and
// rounded once (PER-CHK-03).
func increased(rolled int32, percents ...int32) int32 {
	sum := int32(100)
	for _, p := range percents {
		sum += p
	}
	return rolled * sum / 100
}
