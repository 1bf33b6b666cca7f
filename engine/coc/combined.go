package coc

import (
	"slices"

	"github.com/hantei/hantei/engine/effect"
	"github.com/hantei/hantei/engine/rule"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"google.golang.org/protobuf/proto"
)

// combined rolls one die against several skills (COC-CHK-10): it succeeds against
// all of them, so against the lowest, or fails.
func (g *game) combined(c *rule.Ctx, by string, a *cocv1.Combined) {
	me := c.Character(by)
	var values []*effect.Value
	var used []*tablev1.Change
	lowest := 0
	for i, skill := range a.Skills {
		v := skillValue(me, skill)
		for _, ch := range g.flats(c, me, skill, v, false, 0) {
			// A modifier for any check counts for each skill, and is used once.
			if !slices.ContainsFunc(used, func(u *tablev1.Change) bool { return proto.Equal(u, ch) }) {
				used = append(used, ch)
			}
		}
		v.Clamp("clamp", "COC-CHK-04", 0, 99)
		values = append(values, v)
		if v.Total() < values[lowest].Total() {
			lowest = i
		}
	}
	marked := a.MarkSkill
	if marked == "" {
		marked = a.Skills[0]
	}
	r := g.roll(c, check{
		label: "check", by: by, skill: marked, skills: a.Skills, value: values[lowest], changes: used,
		event: checkResolved, id: "COC-CHK-10", action: "combined",
	}, func(e *rule.Event, _ rolled) {
		for i, v := range values {
			if i != lowest {
				e.Trace(v.Trace()...)
			}
		}
	})
	if isPC(me) {
		g.aftermath(c, by, r)
	}
}

func (g *game) validCombined(v *rule.View, by string, a *cocv1.Combined) *rule.Refusal {
	const id, field = "COC-CHK-10", "action.coc.combined."
	if has(v.Character(by), stDead) {
		return rule.Refuse(unconscious, id, "")
	}
	for _, skill := range a.Skills {
		if refusal := g.validSkill(v.Character(by), skill, id, field+"skills"); refusal != nil {
			return refusal
		}
	}
	if len(a.Skills) < 2 {
		return rule.Core(tablev1.Reason_REASON_INVALID_FIELD, field+"skills").Say("repeated.min_items", rule.Number("min_items", 2))
	}
	if a.MarkSkill != "" && !slices.Contains(a.Skills, a.MarkSkill) {
		return rule.Refuse(unknownSkill, id, field+"mark_skill").Suggest(a.MarkSkill, a.Skills)
	}
	return nil
}

func (g *game) offerCombined(v *rule.View, by string) []*tablev1.Offer {
	me := v.Character(by)
	if has(me, stDead) {
		return nil
	}
	o := rule.NewOffer(&cocv1.Combined{}, nil, "combined")
	skills := rule.ChoiceInput("skills", "coc.combined.skills", g.skillIDs(me))
	skills.MinCount, skills.MaxCount = 2, 5
	o.Inputs = []*tablev1.Input{skills}
	return []*tablev1.Offer{o}
}
