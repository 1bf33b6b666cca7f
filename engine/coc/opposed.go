package coc

import (
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// opposed has two roll against each other, the active one first (COC-CHK-09). Then
// come the prompts of both (COC-CHK-02).
func (g *game) opposed(c *rule.Ctx, by string, a *cocv1.Opposed) {
	active := g.side(c, by, a.Skill)
	passive := g.side(c, a.Target, a.TargetSkill)
	e := c.Event(opposedResolved, "COC-CHK-09", by).On(a.Target).For(c.Audience).
		Words(fResult, "", rule.Public, active.grade.String(), passive.grade.String()).
		Because(passive.event)
	switch better(active, passive) {
	case 1:
		e.Characters(fWinner, "", rule.Public, by)
	case -1:
		e.Characters(fWinner, "", rule.Public, a.Target)
	}
	c.Emit(e)
	for _, s := range []struct {
		who string
		r   rolled
	}{{by, active}, {a.Target, passive}} {
		if isPC(c.Character(s.who)) {
			g.aftermath(c, s.who, s.r)
		}
	}
}

// side is the roll of one of the two.
func (g *game) side(c *rule.Ctx, who, skill string) rolled {
	return g.rollSkill(c, check{label: "check/" + who, by: who, skill: skill, id: "COC-CHK-09"}, false, nil)
}

// better is 1 if the active roll wins, -1 if the passive one does, 0 if nothing
// changes: neither succeeds, or both are as good and the dice equal. Specials do
// not rank.
func better(active, passive rolled) int {
	switch {
	case !active.grade.ok() && !passive.grade.ok():
		return 0
	case active.grade != passive.grade && (!passive.grade.ok() || active.grade == critical):
		return 1
	case active.grade != passive.grade:
		return -1
	case active.die.Below(passive.die):
		return 1
	case passive.die.Below(active.die):
		return -1
	}
	return 0
}

func (g *game) validOpposed(v *rule.View, by string, a *cocv1.Opposed) *rule.Refusal {
	const id, field = "COC-CHK-09", "action.coc.opposed."
	if has(v.Character(by), stDead) {
		return rule.Refuse(unconscious, id, "")
	}
	if refusal := g.validSkill(v.Character(by), a.Skill, id, field+"skill"); refusal != nil {
		return refusal
	}
	if refusal := other(v, by, a.Target, id, field+"target"); refusal != nil {
		return refusal
	}
	return g.validSkill(v.Character(a.Target), a.TargetSkill, id, field+"target_skill")
}

// validSkill refuses what is not on the sheet, and what is there but no skill.
func (g *game) validSkill(me *tablev1.Character, skill, id, field string) *rule.Refusal {
	switch s := g.pack.skill(skill); {
	case s == nil && table.Stat(me, skill) != nil && skill != kMov && skill != kArmour:
		return rule.Refuse(notASkill, id, field)
	case s == nil, table.Stat(me, skill) == nil && !s.everybodys():
		return rule.Refuse(unknownSkill, id, field).Suggest(skill, g.skillIDs(nil))
	}
	return nil
}

// skillIDs are the skills of a sheet, or those that every sheet has: they may be named
// also by who does not see the sheet.
func (g *game) skillIDs(me *tablev1.Character) []string {
	if me == nil {
		return g.skillsWhere((*skillRow).everybodys)
	}
	return g.skillsWhere(func(s *skillRow) bool { return table.Stat(me, s.ID) != nil })
}

func (g *game) offerOpposed(v *rule.View, by string) []*tablev1.Offer {
	targets := others(v, by)
	if has(v.Character(by), stDead) || len(targets) == 0 {
		return nil
	}
	o := rule.NewOffer(&cocv1.Opposed{}, nil, "opposed")
	o.Inputs = []*tablev1.Input{
		rule.ChoiceInput("skill", "coc.opposed.skill", g.skillIDs(v.Character(by))),
		rule.CharacterInput("target", "coc.opposed.target", targets),
		rule.ChoiceInput("target_skill", "coc.opposed.target_skill", g.skillIDs(nil)),
	}
	return []*tablev1.Offer{o}
}
