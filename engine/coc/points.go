package coc

import (
	"slices"
	"strings"

	"github.com/hantei/hantei/engine/rule"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// assignPoints says how many points of a pool a skill has (COC-CRE-06).
func (g *game) assignPoints(c *rule.Ctx, by string, a *cocv1.AssignPoints) {
	e := c.Event(pointsAssigned, "COC-CRE-06", by).Words(fSkill, "", rule.Values, a.Skill)
	redraft(c, e, by, func(ch *tablev1.Character) {
		setPoints(details(ch), a)
		g.rederive(ch)
		e.Number(fValue, "", rule.Values, stat(ch, a.Skill)).
			Words(fPool, "", rule.Owner, poolWord(a.Pool)).
			Number(fPoints, "", rule.Owner, a.Points).
			Number(fLeft, "", rule.Owner, budget(ch, a.Pool)-spent(ch, a.Pool))
	})
}

func poolWord(p cocv1.Pool) string { return rule.Word(p, "POOL_") }

// setPoints writes the points of a skill into a sheet that is being written.
func setPoints(d *cocv1.Details, a *cocv1.AssignPoints) {
	i, found := slices.BinarySearchFunc(d.SkillPoints, a.Skill, func(p *cocv1.SkillPoints, skill string) int { return strings.Compare(p.Skill, skill) })
	if !found {
		d.SkillPoints = slices.Insert(d.SkillPoints, i, &cocv1.SkillPoints{Skill: a.Skill})
	}
	p := d.SkillPoints[i]
	if a.Pool == cocv1.Pool_POOL_OCCUPATION {
		p.Occupation = a.Points
	} else {
		p.Personal = a.Points
	}
	if p.Occupation == 0 && p.Personal == 0 {
		d.SkillPoints = slices.Delete(d.SkillPoints, i, i+1)
	}
}

// budget is how many points of a pool there are (COC-CRE-06).
func budget(me *tablev1.Character, p cocv1.Pool) int32 {
	if p == cocv1.Pool_POOL_OCCUPATION {
		return stat(me, kEDU) * 20
	}
	return stat(me, kINT) * 10
}

// spent is how many of them are spent.
func spent(me *tablev1.Character, p cocv1.Pool) int32 {
	var n int32
	for _, s := range details(me).GetSkillPoints() {
		n += pointsOf(s, p)
	}
	return n
}

func pointsOf(s *cocv1.SkillPoints, p cocv1.Pool) int32 {
	if p == cocv1.Pool_POOL_OCCUPATION {
		return s.GetOccupation()
	}
	return s.GetPersonal()
}

// skillPoints are the points that a skill has; empty for none.
func skillPoints(me *tablev1.Character, skill string) *cocv1.SkillPoints {
	for _, p := range details(me).GetSkillPoints() {
		if p.Skill == skill {
			return p
		}
	}
	return &cocv1.SkillPoints{Skill: skill}
}

func (g *game) validAssignPoints(v *rule.View, by string, a *cocv1.AssignPoints) *rule.Refusal {
	const id, field = "COC-CRE-06", "action.coc.assign_points."
	me := v.Character(by)
	if refusal := inDraft(me, id); refusal != nil {
		return refusal
	}
	if refusal := rolledDraft(me); refusal != nil {
		return refusal
	}
	if a.Pool == cocv1.Pool_POOL_UNSPECIFIED || a.Points < 0 {
		return rule.Core(tablev1.Reason_REASON_INVALID_FIELD, field+"pool").Say("pool_and_points", rule.Code("names", "POOL_OCCUPATION", "POOL_PERSONAL"))
	}
	had := skillPoints(me, a.Skill)
	if a.Points < pointsOf(had, a.Pool) {
		return nil // Whatever has changed since, points can be taken back.
	}
	s := g.learnable(a.Skill)
	if refusal := allowedHere(v, me, s, field+"skill"); refusal != nil {
		return refusal
	}
	if s == nil {
		return g.noSuchSkill(id, field+"skill", a.Skill)
	}
	if s.ID == kMythos {
		return rule.Refuse(forbiddenSkill, id, field+"skill")
	}
	if refusal := inSupplement(v, me, s, field+"skill"); refusal != nil {
		return refusal
	}
	if a.Pool == cocv1.Pool_POOL_OCCUPATION {
		if refusal := inOccupation(me, s, field+"skill"); refusal != nil {
			return refusal
		}
	}
	more := a.Points - pointsOf(had, a.Pool)
	if refusal := underCap(v, me, s, had.Occupation+had.Personal+more, field+"points"); refusal != nil {
		return refusal
	}
	if spent(me, a.Pool)+more > budget(me, a.Pool) {
		return rule.Refuse(pointsExceeded, id, field+"points")
	}
	return nil
}

// allowedHere refuses a skill that the scenario does not allow (COC-CRE-10): of a
// supplement, or any where no skill may be raised. What the keeper allowed this
// investigator stays allowed. s is nil for what is no skill.
func allowedHere(v *rule.View, me *tablev1.Character, s *skillRow, field string) *rule.Refusal {
	o := overrides(v)
	closed := s != nil && s.Requires != "" && o.Supplements != nil && !*o.Supplements && !allowed(me, s.ID)
	none := o.SkillCapInitial != nil && *o.SkillCapInitial == 0 && (s == nil || s.ID != kOwnLanguage)
	if closed || none {
		return rule.Refuse(notAllowedHere, "COC-CRE-10", field)
	}
	return nil
}

// inSupplement refuses a skill of a supplement that the player does not own (COC-CRE-08).
func inSupplement(v *rule.View, me *tablev1.Character, s *skillRow, field string) *rule.Refusal {
	if s.Requires == "" || allowed(me, s.ID) || owns(v, me, s.Requires) {
		return nil
	}
	return rule.Refuse(supplementRequired, "COC-CRE-08", field)
}

// inOccupation refuses occupation points on a skill that is not of the occupation. With
// a skill all of its specialities are.
func inOccupation(me *tablev1.Character, s *skillRow, field string) *rule.Refusal {
	if all := details(me).GetOccupation().GetSkills(); !slices.Contains(all, s.ID) && !slices.Contains(all, s.first()) {
		return rule.Refuse(notOccupationSkill, "COC-CRE-06", field)
	}
	return nil
}

// underCap refuses points that raise a skill above what it may begin with (COC-CRE-07).
func underCap(v *rule.View, me *tablev1.Character, s *skillRow, points int32, field string) *rule.Refusal {
	if points > 0 && baseOn(me, s)+points > capOf(v, s.ID) {
		return rule.Refuse(skillCap, "COC-CRE-07", field)
	}
	return nil
}

func baseOn(me *tablev1.Character, s *skillRow) int32 {
	base, _ := baseOf(s, func(key string) int32 { return stat(me, key) })
	return base
}

// capOf is the most that a skill begins with (COC-CRE-07). The fixed value of Own
// Language is exempt, and what it is raised to with it.
func capOf(v *rule.View, skill string) int32 {
	if skill == kOwnLanguage {
		return 99
	}
	if n := overrides(v).SkillCapInitial; n != nil {
		return *n
	}
	return v.Number("skill_cap_initial")
}

// offerPoints offers each skill of each pool: how many points it is to have. What is
// not possible is left out, since it is most of a long list.
func (g *game) offerPoints(v *rule.View, by string) []*tablev1.Offer {
	me := draftOf(v, by)
	if me == nil || !creation(me).GetRolled() {
		return nil
	}
	var out []*tablev1.Offer
	for _, pool := range []cocv1.Pool{cocv1.Pool_POOL_OCCUPATION, cocv1.Pool_POOL_PERSONAL} {
		left := budget(me, pool) - spent(me, pool)
		for _, s := range g.pack.skills {
			if g.learnable(s.ID) == nil {
				continue
			}
			had := skillPoints(me, s.ID)
			has := pointsOf(had, pool)
			room := min(left, capOf(v, s.ID)-baseOn(me, s)-had.Occupation-had.Personal)
			if g.validAssignPoints(v, by, &cocv1.AssignPoints{Skill: s.ID, Pool: pool, Points: has + max(room, 1)}) != nil {
				room = -1 // It can only be lowered.
			}
			if has+room < 1 && has == 0 {
				continue
			}
			o := rule.NewOffer(&cocv1.AssignPoints{Skill: s.ID, Pool: pool}, nil, "assign_points", s.ID, poolWord(pool), times(left))
			points := rule.NumberInput("points", "coc.assign_points.points", 0, has+room)
			points.MinCount = 1
			o.Inputs = []*tablev1.Input{points}
			out = append(out, o)
		}
	}
	return out
}
