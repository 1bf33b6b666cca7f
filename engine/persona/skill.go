package persona

import (
	"slices"

	"github.com/hantei/hantei/engine/effect"
	"github.com/hantei/hantei/engine/encounter"
	"github.com/hantei/hantei/engine/rule"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

// codedSkills are the rules of using skills of a Persona that have code.
var codedSkills = []string{
	"PER-SKL-01", "PER-SKL-02", "PER-SKL-03", "PER-SKL-04", "PER-SKL-05", "PER-SKL-06", "PER-SKL-07", "PER-SKL-08",
}

func (g *game) registerSkills(r *rule.Ruleset) {
	rule.Register(r, rule.Action[*personav1.UsePersonaSkill]{Rule: "PER-SKL-01", Group: groupTurn, Offers: g.offerPersonaSkill, Valid: g.validPersonaSkill, Run: g.usePersonaSkill})
	rule.RegisterPrompt(r, rule.Prompt[*personav1.ConnectConsent]{})
}

// explores reports whether a skill can be used as an action while exploring
// (PER-SKL-01); one with a time of its own is used then.
func (r *skillRow) explores() bool {
	return slices.Contains([]string{"recovery", "support", analyze}, r.Class) && r.Timing == ""
}

// use is the use of a skill in the making.
type use struct {
	row *skillRow
	// owner has the skill, pays and rolls. lender gives the main hand and the square on
	// which the targets are: somebody else with Connect Away (PER-SKL-03).
	owner, lender string
}

func (g *game) useOf(by string, a *personav1.UsePersonaSkill) use {
	u := use{row: g.pack.skill(a.Skill), owner: by, lender: by}
	if a.Owner != "" {
		u.owner = a.Owner
	}
	if a.Via != "" {
		u.lender = a.Via
	}
	return u
}

// usePersonaSkill uses a skill of the Persona with the main hand: it is paid, checked if
// it is one to search with, and takes effect (PER-SKL-01).
func (g *game) usePersonaSkill(c *rule.Ctx, by string, a *personav1.UsePersonaSkill) {
	u := g.useOf(by, a)
	if !g.lent(c, by, u) || g.validPersonaSkill(&c.View, by, a) != nil {
		return // denied: nothing is spent
	}
	targets, _ := g.skillTargets(&c.View, u, a.Targets)
	g.spend(c, u.lender, personav1.Hand_HAND_MAIN_HAND, "use_persona_skill")
	g.pay(c, u.owner, u.row, "PER-SKL-01")
	if u.row.Class == analyze {
		g.sense(c, u)
	} else {
		g.takeEffect(c, u.owner, u.row, targets, "PER-SKL-01")
	}
	c.Then("", handOver(u.lender, personav1.Hand_HAND_MAIN_HAND, "use_persona_skill"))
}

// takeEffect heals, and gives what lasts. Dice are rolled once for all targets.
func (g *game) takeEffect(c *rule.Ctx, by string, row *skillRow, targets []string, id string) {
	if row.Heal != "" {
		healed := total(c, rule.HP, "heal/"+row.ID, by, row.heal)
		for _, who := range targets {
			g.heal(c, who, healed, because(row.ID), id)
		}
	}
	if !row.lasting() {
		return
	}
	for _, who := range targets {
		g.lasts(c, who, row.ID, row.rounds, id)
	}
}

// lasts gives somebody an effect that lasts for so many rounds of the exploration, this
// one included, or with 0 for the floor (PER-SKL-02, PER-ITM-02).
func (g *game) lasts(c *rule.Ctx, who, key string, rounds int32, id string) {
	var d *typev1.Duration
	if rounds > 0 {
		d = effect.Rounds(c.State, 0, rounds-1)
	}
	s := g.status(key, d)
	e := c.Event(statusGained, id, who).Words(fStatus, "", s.Audience, key)
	if rounds > 0 {
		e.Number(fUntil, "", s.Audience, c.Encounter().GetRound()+rounds-1)
	} else {
		e.Words(fExpiry, "", s.Audience, "this_floor")
	}
	c.Emit(e.Change(rule.SetStatus(who, s)))
}

func (g *game) validPersonaSkill(v *rule.View, by string, a *personav1.UsePersonaSkill) *rule.Refusal {
	const field = "action.persona.use_persona_skill."
	u := g.useOf(by, a)
	if refusal := g.inTurn(v, u.lender); refusal != nil {
		return refusal
	}
	if !able(v.Character(by)) {
		return rule.Refuse(whyActorIncapacitated, "PER-CHK-02", "")
	}
	if _, refusal := g.onTurn(v, u.lender, a.Hand, false); refusal != nil {
		return refusal
	}
	owner := v.Character(u.owner)
	switch {
	case usable(owner) == nil:
		return rule.Refuse(whyPersonaNotSummoned, "PER-SKL-01", "")
	case u.row != nil && !u.row.explores():
		return rule.Refuse(whyClassNotAllowed, "PER-SKL-01", field+"skill")
	case u.row == nil || !hasSkill(owner, a.Skill):
		return rule.Refuse(whySkillMissing, "PER-SKL-01", field+"skill").Suggest(a.Skill, usable(owner).GetSkills())
	case by != u.owner && by != u.lender || u.owner != u.lender && !connects(owner, v.Character(u.lender)):
		return rule.Refuse(whyConnectUnavailable, "PER-SKL-03", "")
	}
	if _, refusal := g.skillTargets(v, u, a.Targets); refusal != nil {
		return refusal
	}
	return mayPay(owner, u.row, field+"skill")
}

// skillTargets are those on whom a skill takes effect: on the square of whose hand is
// spent, the one who is named or else he himself, or all whom its range takes in
// (PER-SKL-01, PER-SKL-03). A skill to search with has none.
func (g *game) skillTargets(v *rule.View, u use, named []string) ([]string, *rule.Refusal) {
	const field = "action.persona.use_persona_skill.targets"
	here := on(v, place(v.Character(u.lender)), alive)
	switch {
	case u.row.Class == analyze:
		if len(named) > 0 {
			return nil, invalid(field)
		}
		return nil, nil
	case u.row.Range == "self":
		named = append(slices.Clip(named), u.owner)
	case u.row.Range != "one":
		named = append(slices.Clip(named), here...)
	case len(named) == 0:
		named = []string{u.lender}
	case len(named) > 1:
		return nil, invalid(field)
	}
	var out []string
	for _, id := range named {
		if !slices.Contains(here, id) {
			return nil, rule.Refuse(whyTargetNotOnSquare, "PER-SKL-01", field).Suggest(id, here)
		}
		if !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return inOrder(v, out), nil
}

// alive reports whether somebody can be the target of skills and items.
func alive(c *tablev1.Character) bool { return c != nil && !has(c, stDead) }

// offerPersonaSkill offers the skills of the own Persona, and with Connect Away those
// through others and of others (PER-SKL-03).
func (g *game) offerPersonaSkill(v *rule.View, by string) []*tablev1.Offer {
	if !encounter.In(v.Encounter(), by) {
		return nil
	}
	me := v.Character(by)
	out := g.skillOffers(v, by, &personav1.UsePersonaSkill{})
	for _, id := range explorers(v) {
		if id == by {
			continue
		}
		if slices.Contains(v.Encounter().Turn, id) && connects(me, v.Character(id)) {
			out = append(out, g.skillOffers(v, by, &personav1.UsePersonaSkill{Via: id})...)
		}
		if slices.Contains(v.Encounter().Turn, by) && connects(v.Character(id), me) {
			out = append(out, g.skillOffers(v, by, &personav1.UsePersonaSkill{Owner: id})...)
		}
	}
	return out
}

// skillOffers offers one's skills, or those that are used with the help of somebody, of
// whom the button tells.
func (g *game) skillOffers(v *rule.View, by string, with *personav1.UsePersonaSkill) []*tablev1.Offer {
	u := g.useOf(by, with)
	label, help := "use_persona_skill", []string(nil)
	switch {
	case with.Via != "":
		label, help = "use_persona_skill_through", []string{with.Via}
	case with.Owner != "":
		label, help = "use_persona_skill_of", []string{with.Owner}
	}
	var out []*tablev1.Offer
	for _, skill := range declared(v.Character(u.owner)).GetSkills() {
		row := g.pack.skill(skill)
		if row == nil || !row.explores() {
			continue
		}
		a := &personav1.UsePersonaSkill{Skill: skill, Via: with.Via, Owner: with.Owner}
		o := rule.NewOffer(a, g.validPersonaSkill(v, by, a), label, append([]string{skill}, help...)...)
		if row.Class != analyze && row.Range == "one" {
			here := on(v, place(v.Character(u.lender)), alive)
			o.Inputs = []*tablev1.Input{rule.CharacterInput("targets", "persona.use_persona_skill.targets", here)}
		}
		out = append(out, o)
	}
	return out
}
