package coc

import (
	"strconv"

	"github.com/hantei/hantei/engine/dice"
	"github.com/hantei/hantei/engine/effect"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
)

// Kinds of growth marks.
const (
	markInitial  = cocv1.MarkKind_MARK_KIND_INITIAL_SUCCESS
	markCritical = cocv1.MarkKind_MARK_KIND_CRITICAL
	markFumble   = cocv1.MarkKind_MARK_KIND_FUMBLE
)

// growthRoll uses a mark after the scenario (COC-GRW-02): by a critical the skill
// grows without a roll, by the others mostly where the roll fails.
func (g *game) growthRoll(c *rule.Ctx, by string, a *cocv1.GrowthRoll) {
	m := markOf(c.Character(by), a.Mark)
	c.Change(endMark(by, m))
	gain := int32(10)
	if m.Kind == markCritical {
		c.Emit(c.Event(growthResolved, "COC-GRW-02", by).For(m.Audience).
			Words(fKind, "", m.Audience, markWord(m.Kind)).
			Words(fSkill, "", rule.Public, m.Skill))
	} else if r := g.growthChecks(c, by, m); r.grade.ok() {
		gain = 0
		if m.Kind == markFumble {
			gain = 3
		}
	}
	if gain > 0 {
		g.grow(c, by, m.Skill, c.RollFor(rule.Values, "gain", by, dice.Dice{Count: 1, Sides: gain})[0])
	}
}

// growthChecks rolls on the stored skill, and again after a critical as long as the
// player wants (COC-GRW-03).
func (g *game) growthChecks(c *rule.Ctx, by string, m *cocv1.GrowthMark) rolled {
	for n := 1; ; n++ {
		me := c.Character(by)
		r := g.roll(c, check{
			label: "growth/" + strconv.Itoa(n), by: by, skill: m.Skill, event: growthResolved, id: "COC-GRW-02",
			value: effect.Begin(by, valueAudience(m.Skill), m.Skill, "COC-GRW-02", stat(me, m.Skill)),
			plain: true, unmarked: true, audience: m.Audience,
		}, func(e *rule.Event, _ rolled) { e.Words(fKind, "", m.Audience, markWord(m.Kind)) })
		if r.grade != critical || !g.rollsAgain(c, by, m) {
			return r
		}
	}
}

func (g *game) rollsAgain(c *rule.Ctx, by string, m *cocv1.GrowthMark) bool {
	return cocAnswer(c.Ask(&rule.Window{
		Name: "growth_reroll", Rule: "COC-GRW-03", Kind: oneSeat, BecauseOf: by, About: by, Audience: m.Audience,
		Slots: []rule.Slot{{Character: by, Default: "yes", Choices: []*tablev1.PromptChoice{
			rule.Choice("yes", &cocv1.GrowthReroll{Reroll: true}),
			rule.Choice("no", &cocv1.GrowthReroll{}),
		}}},
	})[0]).GetGrowthReroll().GetReroll()
}

// grow adds to a skill, up to the option growth_cap. Above 90 for the first time,
// the player may add 2D6 to sanity (COC-GRW-04).
func (g *game) grow(c *rule.Ctx, by, skill string, points int32) {
	s := table.Stat(c.Character(by), skill)
	if s == nil {
		// That of a weapon which the keeper gave: it stands on the sheet from now on.
		s = &typev1.Stat{Key: skill, Audience: valueAudience(skill)}
	}
	before := s.GetValue()
	after := grown(before, points, c.Number("growth_cap"))
	e := c.Event(skillChanged, "COC-GRW-02", by).For(rule.Values).
		Words(fSkill, "", rule.Values, skill).
		Number(fDelta, "", rule.Values, after-before).
		Number(fValue, "", rule.Values, after).
		Change(rule.SetStat(by, &typev1.Stat{Key: s.Key, Value: &after, Base: s.Base, Speciality: s.Speciality, Audience: s.Audience}))
	above := passes90(before, after, c.Flag("ninety_inclusive")) && !hasNinety(c.Character(by), skill)
	if above {
		e.Change(piece(by, &cocv1.Part{Part: &cocv1.Part_Ninety{Ninety: &cocv1.Ninety{Skill: skill}}}))
	}
	n := c.Emit(e)
	if !above {
		return
	}
	a := cocAnswer(c.Ask(&rule.Window{
		Name: "ninety_san", Rule: "COC-GRW-04", Kind: oneSeat, BecauseOf: by, About: by, Audience: rule.Owner,
		Slots: []rule.Slot{{Character: by, Default: "yes", Choices: []*tablev1.PromptChoice{
			rule.Choice("yes", &cocv1.NinetySan{Roll: true}),
			rule.Choice("no", &cocv1.NinetySan{}),
		}}},
	})[0]).GetNinetySan()
	if !a.GetRoll() {
		return
	}
	gain := total(c.Sum(by, rule.Summand{Label: "san_gain", Dice: dice.Dice{Count: 2, Sides: 6}, Sign: 1, Audience: rule.Mind}))
	if g.changeSAN(c, by, gain, "COC-GRW-04", n) == 0 {
		c.Tell("COC-GRW-04", "san_gain") // sanity is as high as it can be
	}
}

// grown is a skill after growth: at most the cap, 0 for none; what is above it
// already stays.
func grown(before, points, cap int32) int32 {
	after := before + points
	if cap > 0 && after > cap {
		return max(before, cap)
	}
	return after
}

// passes90 reports whether a skill goes above 90, or with ninety_inclusive to it.
func passes90(before, after int32, inclusive bool) bool {
	if inclusive {
		return before < 90 && after >= 90
	}
	return before <= 90 && after > 90
}

func hasNinety(me *tablev1.Character, skill string) bool {
	for _, n := range details(me).GetNinety() {
		if n.Skill == skill {
			return true
		}
	}
	return false
}

// markOf is a growth mark on a sheet, or nil.
func markOf(me *tablev1.Character, id string) *cocv1.GrowthMark {
	for _, m := range details(me).GetGrowthMarks() {
		if m.Id == id {
			return m
		}
	}
	return nil
}

func markWord(kind cocv1.MarkKind) string { return rule.Word(kind, "MARK_KIND_") }

func endMark(who string, m *cocv1.GrowthMark) *tablev1.Change {
	gone := &cocv1.GrowthMark{Id: m.Id, Audience: m.Audience}
	return rule.EndPart(who, rule.Wrap[*tablev1.Part](gone))
}

func setMark(who string, m *cocv1.GrowthMark, f func(*cocv1.GrowthMark)) *tablev1.Change {
	after := proto.Clone(m).(*cocv1.GrowthMark)
	f(after)
	return piece(who, &cocv1.Part{Part: &cocv1.Part_GrowthMarks{GrowthMarks: after}})
}

// validMark finds a mark, or refuses one that is not on the sheet. One that only the
// keeper knows of is not on it for others, who would try what a secret roll came to.
func validMark(v *rule.View, by, id, field string) (*cocv1.GrowthMark, *rule.Refusal) {
	var ids []string
	for _, m := range details(v.Character(by)).GetGrowthMarks() {
		switch {
		case m.Audience == rule.GM && !v.Seat.GM:
		case m.Id == id:
			return m, nil
		default:
			ids = append(ids, m.Id)
		}
	}
	return nil, rule.Core(tablev1.Reason_REASON_NOT_FOUND, field).Suggest(id, ids)
}

func (g *game) validGrowthRoll(v *rule.View, by string, a *cocv1.GrowthRoll) *rule.Refusal {
	const field = "action.coc.growth_roll.mark"
	m, refusal := validMark(v, by, a.Mark, field)
	if refusal != nil {
		return refusal
	}
	switch {
	case !ended(v.State, m):
		return rule.Refuse(scenarioNotEnded, "COC-GRW-02", field)
	case m.Skill == "":
		return rule.Refuse(unknownSkill, "COC-GRW-05", field)
	case m.Skill == kMythos:
		return rule.Refuse(forbiddenSkill, "COC-GRW-05", field)
	}
	return nil
}

func (g *game) offerGrowthRolls(v *rule.View, by string) []*tablev1.Offer {
	var out []*tablev1.Offer
	for _, m := range aliveMarks(v, by) {
		a := &cocv1.GrowthRoll{Mark: m.Id}
		out = append(out, rule.NewOffer(a, g.validGrowthRoll(v, by, a), "growth_roll", markWord(m.Kind), sourceOf(m)))
	}
	return out
}

// aliveMarks are the marks of whoever is not dead.
func aliveMarks(v *rule.View, by string) []*cocv1.GrowthMark {
	if has(v.Character(by), stDead) {
		return nil
	}
	return details(v.Character(by)).GetGrowthMarks()
}

// sourceOf is what a mark is for: the skill, or what was rolled.
func sourceOf(m *cocv1.GrowthMark) string {
	if m.Skill != "" {
		return m.Skill
	}
	return m.Source
}

// declareGrowth declares that the skill of a critical is to grow (COC-GRW-02).
func (g *game) declareGrowth(c *rule.Ctx, by string, a *cocv1.DeclareGrowth) {
	m := markOf(c.Character(by), a.Mark)
	c.Emit(tellMark(c.Event(growthDeclared, "COC-GRW-02", by), m).Change(setMark(by, m, func(m *cocv1.GrowthMark) { m.Declared = true })))
}

func (g *game) validDeclareGrowth(v *rule.View, by string, a *cocv1.DeclareGrowth) *rule.Refusal {
	const field = "action.coc.declare_growth.mark"
	m, refusal := validMark(v, by, a.Mark, field)
	switch {
	case refusal != nil:
		return refusal
	case ended(v.State, m):
		return rule.Refuse(tooLate, "COC-GRW-02", field)
	case m.Kind != markCritical:
		return rule.Core(tablev1.Reason_REASON_INVALID_FIELD, field).Say("mark_of_critical")
	}
	return nil
}

func (g *game) offerDeclareGrowth(v *rule.View, by string) []*tablev1.Offer {
	var out []*tablev1.Offer
	for _, m := range aliveMarks(v, by) {
		if m.Kind != markCritical || m.Declared {
			continue
		}
		a := &cocv1.DeclareGrowth{Mark: m.Id}
		out = append(out, rule.NewOffer(a, g.validDeclareGrowth(v, by, a), "declare_growth", sourceOf(m)))
	}
	return out
}

// chooseGrowthSkill asks the keeper whether another skill may grow (COC-GRW-05).
// Nothing waits for it.
func (g *game) chooseGrowthSkill(c *rule.Ctx, by string, a *cocv1.ChooseGrowthSkill) {
	m := markOf(c.Character(by), a.Mark)
	c.AskLater(&rule.Window{
		Name: "approve_growth_skill", Rule: "COC-GRW-05", Kind: oneSeat, BecauseOf: by, About: by, Audience: m.Audience,
		Facts: []*typev1.Fact{
			rule.WordFact(fSource, by, m.Audience, m.Source),
			rule.WordFact(fSkill, by, m.Audience, a.Skill),
		},
		Slots: []rule.Slot{{Default: "no", Choices: []*tablev1.PromptChoice{
			rule.Choice("yes", &cocv1.ApproveGrowthSkill{Approve: true, Mark: a.Mark, Skill: a.Skill}),
			rule.Choice("no", &cocv1.ApproveGrowthSkill{Mark: a.Mark, Skill: a.Skill}),
		}}},
	})
}

// settleGrowthSkill takes the keeper's word, unless the mark is gone meanwhile.
func (g *game) settleGrowthSkill(c *rule.Ctx, w *tablev1.Window, a *cocv1.ApproveGrowthSkill) {
	m := markOf(c.Character(w.About), a.Mark)
	if m == nil {
		return
	}
	decision := "rejected"
	if a.Approve {
		decision = "approved"
	}
	e := c.Event(growthSkillChosen, "COC-GRW-05", w.About).For(m.Audience).
		Words(fSource, "", m.Audience, m.Source).
		Words(fSkill, "", m.Audience, a.Skill).
		Words(fDecision, "", m.Audience, decision)
	if a.Approve {
		e.Change(setMark(w.About, m, func(m *cocv1.GrowthMark) { m.Skill = a.Skill }))
	}
	c.Emit(e)
}

func (g *game) validChooseGrowthSkill(v *rule.View, by string, a *cocv1.ChooseGrowthSkill) *rule.Refusal {
	const id, field = "COC-GRW-05", "action.coc.choose_growth_skill."
	if _, refusal := validMark(v, by, a.Mark, field+"mark"); refusal != nil {
		return refusal
	}
	if g.pack.skill(a.Skill) == nil || table.Stat(v.Character(by), a.Skill) == nil {
		return rule.Refuse(unknownSkill, id, field+"skill").Suggest(a.Skill, g.skillIDs(v.Character(by)))
	}
	if a.Skill == kMythos {
		return rule.Refuse(forbiddenSkill, id, field+"skill")
	}
	return nil
}

func (g *game) offerChooseGrowthSkill(v *rule.View, by string) []*tablev1.Offer {
	var skills []string
	for _, id := range g.skillIDs(v.Character(by)) {
		if id != kMythos {
			skills = append(skills, id)
		}
	}
	var out []*tablev1.Offer
	for _, m := range aliveMarks(v, by) {
		o := rule.NewOffer(&cocv1.ChooseGrowthSkill{Mark: m.Id}, nil, "choose_growth_skill", markWord(m.Kind), sourceOf(m))
		o.Inputs = []*tablev1.Input{rule.ChoiceInput("skill", "coc.choose_growth_skill.skill", skills)}
		out = append(out, o)
	}
	return out
}
