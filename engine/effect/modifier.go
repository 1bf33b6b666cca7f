package effect

import (
	"slices"
	"strings"

	"github.com/hantei/hantei/engine/rule"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

// Applying lists a character's modifiers in force that apply to a stat with
// these tags, in the order of their ids. A modifier applies to the stat by its
// key, to a tag by "#tag", or to any check.
func Applying(s *tablev1.State, c *tablev1.Character, stat string, tags []string) []*typev1.Modifier {
	var out []*typev1.Modifier
	for _, m := range c.GetModifiers() {
		if applies(m.AppliesTo, stat, tags) && InForce(s, m.Duration) {
			out = append(out, m)
		}
	}
	return out
}

func applies(to, stat string, tags []string) bool {
	if tag, ok := strings.CutPrefix(to, "#"); ok {
		return slices.Contains(tags, tag)
	}
	return to == stat || to == rule.AnyCheck
}

// AddModifier adds a modifier that adds. Rulesets with other operations say themselves
// at which stage those count.
func (v *Value) AddModifier(m *typev1.Modifier) *Value {
	return v.Add(m.Id, m.Rule, m.GetValue())
}

// Used is the change that a use makes: a limited modifier has one use less, or
// ends. It is nil for one without a limit.
func Used(character string, m *typev1.Modifier) *tablev1.Change {
	switch m.Uses {
	case 0:
		return nil
	case 1:
		return rule.EndModifier(character, m)
	}
	after := &typev1.Modifier{
		Id: m.Id, Rule: m.Rule, AppliesTo: m.AppliesTo, Op: m.Op, Value: m.Value, Uses: m.Uses - 1,
		Duration: m.Duration, Reason: m.Reason, Audience: m.Audience,
	}
	return rule.SetModifier(character, after)
}
