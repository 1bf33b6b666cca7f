package coc

import (
	"github.com/hantei/hantei/engine/encounter"
	"github.com/hantei/hantei/engine/rule"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

// specialAction asks the keeper about anything else that a player thinks of
// (COC-CMB-10). Refused, it uses nothing and the turn goes on.
func (g *game) specialAction(c *rule.Ctx, by string, a *cocv1.SpecialAction) {
	answer := cocAnswer(c.Ask(&rule.Window{
		Name: "allow_special", Rule: "COC-CMB-10", Kind: oneSeat, BecauseOf: by, About: by,
		Facts: []*typev1.Fact{
			{Key: fNotes.String(), Of: by, Audience: rule.Public, Text: &a.Text},
			{Key: fUses.String(), Of: by, Audience: rule.Public, Words: []string{usesWord(a.Uses)}},
		},
		Slots: []rule.Slot{{Default: "refuse", Choices: []*tablev1.PromptChoice{
			rule.Choice("refuse", &cocv1.AllowSpecial{Choice: &cocv1.AllowSpecial_Refuse{Refuse: &cocv1.Refuse{}}}),
			rule.Choice("allow", &cocv1.AllowSpecial{Choice: &cocv1.AllowSpecial_Allow{Allow: &cocv1.Allow{}}}),
			rule.Choice("check", &cocv1.AllowSpecial{Choice: &cocv1.AllowSpecial_Check{Check: &cocv1.SpecialCheck{}}},
				&tablev1.Input{
					Name: "skill", Path: "coc.allow_special.check.skill", Kind: tablev1.InputKind_INPUT_KIND_CHOICE,
					Choices: g.rollable(c.Character(by)), MinCount: 1, MaxCount: 1,
				},
				&tablev1.Input{
					Name: "mod", Path: "coc.allow_special.check.mod", Kind: tablev1.InputKind_INPUT_KIND_NUMBER,
					MaxCount: 1, Min: -100, Max: 100,
				}),
		}}},
	})[0]).GetAllowSpecial()

	me := c.Character(by)
	e := c.Event(specialDecided, "COC-CMB-10", by).
		Text(fNotes, "", rule.Public, a.Text).
		Words(fUses, "", rule.Public, usesWord(a.Uses))
	check := answer.GetCheck()
	switch {
	case check != nil:
		e.Words(fDecision, "", rule.Public, "check")
	case answer.GetAllow() != nil:
		e.Words(fDecision, "", rule.Public, "allow")
	default:
		c.Emit(e.Words(fDecision, "", rule.Public, "refuse"))
		return
	}
	switch a.Uses {
	case cocv1.Uses_USES_ATTACK:
		e.Change(usesAttack(me))
	case cocv1.Uses_USES_MOVE:
		e.Change(setCombat(me, func(x *cocv1.Combat) { x.Moved = true }))
	}
	c.Emit(e)
	if check != nil {
		g.check(c, c.Character(by), check.Skill, 0, check.Mod, false, false)
	}
}

func usesWord(u cocv1.Uses) string { return rule.Word(u, "USES_") }

// rollable lists what can be rolled of a sheet.
func (g *game) rollable(me *tablev1.Character) []string {
	var out []string
	for _, s := range me.Stats {
		if s.Key != kMov && s.Key != kArmour {
			out = append(out, s.Key)
		}
	}
	return out
}

func (g *game) validAllowSpecial(v *rule.View, w *tablev1.Window, _ string, a *cocv1.AllowSpecial) *rule.Refusal {
	if check := a.GetCheck(); check != nil {
		return g.validRoll(v.Character(w.About), check.Skill, false, "answers.answer.coc.allow_special.check.")
	}
	return nil
}

func (g *game) validSpecial(v *rule.View, by string, a *cocv1.SpecialAction) *rule.Refusal {
	const id = "COC-CMB-10"
	if refusal := turnOf(v, by, stepActions, id); refusal != nil {
		return refusal
	}
	me := v.Character(by)
	if refusal := awake(v, me, id); refusal != nil {
		return refusal
	}
	switch a.Uses {
	case cocv1.Uses_USES_ATTACK:
		return hasAttack(me)
	case cocv1.Uses_USES_MOVE:
		if details(me).GetCombat().GetMoved() {
			return rule.Refuse(alreadyMoved, "COC-CMB-09", "")
		}
	}
	return nil
}

func (g *game) offerSpecial(v *rule.View, by string) []*tablev1.Offer {
	if !encounter.In(v.Encounter(), by) {
		return nil
	}
	var out []*tablev1.Offer
	for _, uses := range []cocv1.Uses{cocv1.Uses_USES_NONE, cocv1.Uses_USES_ATTACK, cocv1.Uses_USES_MOVE} {
		a := &cocv1.SpecialAction{Uses: uses}
		o := rule.NewOffer(a, g.validSpecial(v, by, a), "special_action", usesWord(uses))
		o.Inputs = []*tablev1.Input{textInput("text", "coc.special_action.text", 500)}
		out = append(out, o)
	}
	return out
}
