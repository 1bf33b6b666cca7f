package coc

import (
	"slices"

	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

// approve and reject are the keeper's review of a sheet (COC-CRE-11).
func (g *game) approve(c *rule.Ctx, _ string, a *cocv1.Approve) {
	g.review(c, a.Character, tablev1.Review_REVIEW_APPROVED)
}

func (g *game) reject(c *rule.Ctx, _ string, a *cocv1.Reject) {
	g.review(c, a.Character, tablev1.Review_REVIEW_REJECTED)
}

func (g *game) review(c *rule.Ctx, who string, verdict tablev1.Review) {
	c.Emit(c.Event(sheetReviewed, "COC-CRE-11", who).For(rule.Owner).
		Words(fState, "", rule.Owner, rule.Word(verdict, "REVIEW_")).
		Change(rule.SetReview(c.Character(who), verdict)))
}

func (g *game) validApprove(v *rule.View, _ string, a *cocv1.Approve) *rule.Refusal {
	return reviewable(v, a.Character, "action.coc.gm_approve.character")
}

func (g *game) validReject(v *rule.View, _ string, a *cocv1.Reject) *rule.Refusal {
	return reviewable(v, a.Character, "action.coc.gm_reject.character")
}

// reviewable refuses a sheet that the keeper cannot review: a draft is its player's
// until it is submitted.
func reviewable(v *rule.View, id, field string) *rule.Refusal {
	if refusal := atTable(v, id, "COC-CRE-11", field); refusal != nil {
		return refusal
	}
	if v.Character(id).Review == tablev1.Review_REVIEW_DRAFT {
		return rule.Refuse(badTarget, "COC-CRE-11", field).Name(id)
	}
	return nil
}

// atTable refuses a character that is not at the table.
func atTable(v *rule.View, id, ruleID, field string) *rule.Refusal {
	if v.Character(id) == nil {
		return rule.Refuse(badTarget, ruleID, field).Suggest(id, v.CharacterIDs())
	}
	return nil
}

func (g *game) offerReviews(v *rule.View, _ string) []*tablev1.Offer {
	var out []*tablev1.Offer
	for _, c := range v.State.Characters {
		if c.Review == tablev1.Review_REVIEW_SUBMITTED {
			out = append(out, rule.NewOffer(&cocv1.Approve{Character: c.Id}, nil, "gm_approve", c.Id))
		}
	}
	return out
}

func (g *game) offerRejections(v *rule.View, _ string) []*tablev1.Offer {
	var out []*tablev1.Offer
	for _, c := range v.State.Characters {
		if c.Review == tablev1.Review_REVIEW_SUBMITTED {
			out = append(out, rule.NewOffer(&cocv1.Reject{Character: c.Id}, nil, "gm_reject", c.Id))
		}
	}
	return out
}

// rpPoints gives points for roleplay (COC-CHK-03).
func (g *game) rpPoints(c *rule.Ctx, _ string, a *cocv1.RpPoints) {
	after := mindOf(c.Character(a.Character))
	n := after.GetRpPoints() + a.N
	after.RpPoints = &n
	c.Emit(c.Event(rpPointsChanged, "COC-CHK-03", a.Character).For(rule.Mind).
		Number(fDelta, "", rule.Mind, a.N).
		Number(fPoints, "", rule.Mind, n).
		Text(fNotes, "", rule.Mind, a.Perk).
		Change(piece(a.Character, &cocv1.Part{Part: &cocv1.Part_Mind{Mind: after}})))
}

func (g *game) validRpPoints(v *rule.View, _ string, a *cocv1.RpPoints) *rule.Refusal {
	return atTable(v, a.Character, "COC-CHK-03", "action.coc.gm_rp_points.character")
}

func (g *game) offerRpPoints(v *rule.View, _ string) []*tablev1.Offer {
	var out []*tablev1.Offer
	for _, ch := range v.State.Characters {
		if !isPC(ch) {
			continue
		}
		o := rule.NewOffer(&cocv1.RpPoints{Character: ch.Id}, nil, "gm_rp_points", ch.Id)
		n := rule.NumberInput("n", "coc.gm_rp_points.n", -1000, 1000)
		n.MinCount = 1
		perk := textInput("perk", "coc.gm_rp_points.perk", 200)
		perk.MinCount, perk.Min = 0, 0
		o.Inputs = []*tablev1.Input{n, perk}
		out = append(out, o)
	}
	return out
}

// rpBonus attaches a bonus to the next roll of a skill (COC-CHK-06).
func (g *game) rpBonus(c *rule.Ctx, _ string, a *cocv1.RpBonus) {
	c.Emit(c.Event(rpBonusGiven, "COC-CHK-06", a.Character).
		Words(fSkill, "", rule.Values, a.Skill).
		Number(fPoints, "", rule.Values, a.N).
		Change(rule.SetModifier(a.Character, &typev1.Modifier{
			Id: "rp_bonus." + a.Skill, Rule: "COC-CHK-06", AppliesTo: a.Skill,
			Op: typev1.ModifierOp_MODIFIER_OP_ADD, Value: &a.N, Uses: 1, Audience: rule.Values,
		})))
}

func (g *game) validRpBonus(v *rule.View, _ string, a *cocv1.RpBonus) *rule.Refusal {
	const id, field = "COC-CHK-06", "action.coc.gm_rp_bonus."
	if refusal := atTable(v, a.Character, id, field+"character"); refusal != nil {
		return refusal
	}
	if a.N < 10 || a.N > 20 {
		return rule.Refuse(badBonus, id, field+"n")
	}
	if skills := g.bonusSkills(v.Character(a.Character)); !slices.Contains(skills, a.Skill) {
		return rule.Refuse(badSkillKind, id, field+"skill").Suggest(a.Skill, skills)
	}
	return nil
}

// bonusSkills are the skills of a sheet that roleplay can help (COC-CHK-06).
func (g *game) bonusSkills(ch *tablev1.Character) []string {
	return g.skillsWhere(func(s *skillRow) bool { return s.Group != "other" && table.Stat(ch, s.ID) != nil })
}

func (g *game) offerRpBonus(v *rule.View, _ string) []*tablev1.Offer {
	var out []*tablev1.Offer
	for _, ch := range v.State.Characters {
		skills := g.bonusSkills(ch)
		if len(skills) == 0 {
			continue
		}
		o := rule.NewOffer(&cocv1.RpBonus{Character: ch.Id}, nil, "gm_rp_bonus", ch.Id)
		o.Inputs = []*tablev1.Input{
			rule.ChoiceInput("skill", "coc.gm_rp_bonus.skill", skills),
			{Name: "n", Path: "coc.gm_rp_bonus.n", Kind: tablev1.InputKind_INPUT_KIND_NUMBER, MinCount: 1, MaxCount: 1, Min: 10, Max: 20},
		}
		out = append(out, o)
	}
	return out
}

// treatAsCritical makes an attack roll that succeeded count as a critical
// (COC-ATK-07): a note on the attacker, read after the open prompt.
func (g *game) treatAsCritical(c *rule.Ctx, _ string, a *cocv1.TreatAsCritical) {
	by := c.Ref(a.RollId).Event.Actor
	c.Emit(c.Event(treatedAsCritical, "COC-ATK-07", by).
		Change(setCombat(c.Character(by), func(x *cocv1.Combat) { x.TreatedAsCritical = true })))
}

// validTreatAsCritical takes an attack roll that is a success, while a cover or
// defend prompt of that attack is open.
func (g *game) validTreatAsCritical(v *rule.View, _ string, a *cocv1.TreatAsCritical) *rule.Refusal {
	const id, field = "COC-ATK-07", "action.coc.gm_treat_as_critical.roll_id"
	ref := v.Ref(a.RollId)
	if !successfulAttack(ref.Event) {
		return rule.Refuse(badTarget, id, field)
	}
	if ref.Open {
		for _, w := range v.State.Windows {
			if w.Open && w.BecauseOf == ref.Event.Actor && (w.Name == "cover" || w.Name == "defend") {
				return nil
			}
		}
	}
	return rule.Refuse(tooLate, id, field)
}

// successfulAttack reports whether an event is the roll of an attack that succeeded.
func successfulAttack(e *tablev1.Event) bool {
	if e == nil || e.Name != checkResolved.String() || len(e.Dice) != 1 || e.Dice[0].Label != "attack" {
		return false
	}
	for _, f := range e.Facts {
		if f.Key == fResult.String() {
			return f.Words[0] == success.String()
		}
	}
	return false
}
