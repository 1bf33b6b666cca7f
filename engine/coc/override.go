package coc

import (
	"slices"
	"strings"

	"github.com/hantei/hantei/engine/rule"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"google.golang.org/protobuf/proto"
)

// ruleNote writes an additional rule into the log, for all to read (COC-GM-01).
func (g *game) ruleNote(c *rule.Ctx, _ string, a *cocv1.RuleNote) {
	c.Emit(c.Event(ruleNoted, "COC-GM-01", "").Text(fText, "", rule.Public, a.Text))
}

func (g *game) offerRuleNote(*rule.View, string) []*tablev1.Offer {
	o := rule.NewOffer(&cocv1.RuleNote{}, nil, "gm_rule_note")
	o.Inputs = []*tablev1.Input{textInput("text", "coc.gm_rule_note.text", 2000)}
	return []*tablev1.Offer{o}
}

// keepersWord is what the core's lever does here: who may see what changed hears of it,
// but why is the keeper's (COC-GM-01).
func (g *game) keepersWord() rule.Override {
	return rule.Override{
		Rule: "COC-GM-01", Event: gmOverride, Reason: fNotes, Why: rule.GM,
		Unknown: func(v *rule.View, id, field string) *rule.Refusal { return atTable(v, id, "COC-GM-01", field) },
		Valid:   g.validOverride,
		Piece:   ownAudience,
	}
}

// ownAudience is a part with the audience of its kind, which is not the keeper's to
// set. A weapon that was never in hand is a line of the sheet like any other.
func ownAudience(me *tablev1.Character, p *tablev1.Part) *tablev1.Part {
	p = proto.CloneOf(p)
	if w := p.GetCoc().GetWeapons(); w != nil {
		w.Audience = rule.Values
		if w.InHand || weaponOf(me, w.Id).GetAudience() == rule.Public {
			w.Audience = rule.Public
		}
	}
	if m := p.GetCoc().GetGrowthMarks(); m != nil {
		m.Audience = rule.Owner
		if strings.HasPrefix(m.Id, secretMark) {
			m.Audience = rule.GM
		}
	}
	return p
}

func (g *game) validOverride(_ *tablev1.Character, o *tablev1.Operation, field string) *rule.Refusal {
	if p := o.GetPart(); p != nil {
		return g.validPart(p.GetCoc(), field+".part")
	}
	if r := o.GetResource(); r.GetValue() < 0 && r.GetKey() != kHP {
		return rule.Core(tablev1.Reason_REASON_INVALID_FIELD, field+".resource.value").Say("only_hp_below_0")
	}
	return nil
}

// validPart refuses a part that no sheet can have.
func (g *game) validPart(p *cocv1.Part, field string) *rule.Refusal {
	wrong := rule.Core(tablev1.Reason_REASON_INVALID_FIELD, field)
	switch part := p.GetPart().(type) {
	case *cocv1.Part_Weapons:
		if w := part.Weapons; w.GetId() == "" || g.pack.weapon(w.GetTemplate()) == nil || w.State == cocv1.WeaponState_WEAPON_STATE_UNSPECIFIED {
			return wrong.Say("part_of", rule.Code("names", "id", "template", "state"))
		} else if w.Durability != nil && g.template(w).natural() {
			return wrong.Say("natural_durability")
		}
	case *cocv1.Part_Wounds:
		if part.Wounds.GetId() < 1 {
			return wrong.Say("numbered_from_1")
		}
	case *cocv1.Part_GrowthMarks:
		if m := part.GrowthMarks; m.GetId() == "" || m.Kind == cocv1.MarkKind_MARK_KIND_UNSPECIFIED || m.Source == "" {
			return wrong.Say("part_of", rule.Code("names", "id", "kind", "source"))
		}
	case *cocv1.Part_FixedChecks:
		return wrong.Say("fixed_checks_apart")
	case *cocv1.Part_Scenario:
		return wrong.Say("scenario_apart")
	case *cocv1.Part_Rerolls:
		if r := part.Rerolls; !isCharacteristic(r.GetCharacteristic()) || r.Times < 0 {
			return wrong.Say("rerolls_counted").Suggest(r.GetCharacteristic(), characteristicKeys)
		}
	case *cocv1.Part_Occupation:
		o := part.Occupation
		if id := o.GetSample(); id != "" && g.pack.occupation(id) == nil {
			return wrong.Say("no_occupation", rule.Sent("sent", id)).Suggest(id, g.occupations())
		}
		for _, id := range o.GetSkills() {
			if g.learnable(id) == nil {
				return wrong.Say("no_skill", rule.Sent("sent", id)).Suggest(id, g.learnableIDs())
			}
		}
	case *cocv1.Part_SkillPoints:
		if p := part.SkillPoints; g.learnable(p.GetSkill()) == nil {
			return wrong.Say("no_skill", rule.Sent("sent", p.GetSkill())).Suggest(p.GetSkill(), g.learnableIDs())
		} else if p.Occupation < 0 || p.Personal < 0 {
			return wrong.Say("points_not_negative")
		}
	case *cocv1.Part_Traits:
		if id := part.Traits.GetId(); g.pack.trait(id) == nil {
			return wrong.Say("no_trait", rule.Sent("sent", id)).Suggest(id, g.traits())
		}
	case *cocv1.Part_Extras:
		if part.Extras.GetId() < 1 {
			return wrong.Say("numbered_from_1")
		}
	case *cocv1.Part_Ninety:
		if id := part.Ninety.GetSkill(); g.learnable(id) == nil {
			return wrong.Say("no_skill", rule.Sent("sent", id)).Suggest(id, g.learnableIDs())
		}
	}
	return nil
}

// fixable are the actions whose roll the keeper can fix.
var fixable = []string{
	"attack", "check", "combined", "first_aid", "medicine", "physical_psychoanalysis", "psychoanalysis", "san_check", "shoot",
}

// overrideCheck fixes how a character's next roll for an action ends (COC-GM-01).
// A second one for the same action replaces the first: the keeper corrects himself.
func (g *game) overrideCheck(c *rule.Ctx, _ string, a *cocv1.OverrideCheck) {
	c.Emit(c.Event(checkFixed, "COC-GM-01", a.Character).For(rule.GM).
		Words(fAction, "", rule.GM, a.Action).
		Words(fResult, "", rule.GM, rule.Word(a.Result, "CHECK_GRADE_")).
		Change(piece(a.Character, &cocv1.Part{Part: &cocv1.Part_FixedChecks{
			FixedChecks: &cocv1.FixedCheck{Action: a.Action, Result: a.Result},
		}})))
}

// fixedCheck is how the keeper has fixed a roll, or nil.
func fixedCheck(me *tablev1.Character, action string) *cocv1.FixedCheck {
	for _, f := range details(me).GetFixedChecks() {
		if f.Action == action {
			return f
		}
	}
	return nil
}

// endFixed is the change that a fixed roll is used.
func endFixed(who string, f *cocv1.FixedCheck) *tablev1.Change {
	return rule.EndPart(who, rule.Wrap[*tablev1.Part](&cocv1.FixedCheck{Action: f.Action}))
}

func (g *game) validOverrideCheck(v *rule.View, _ string, a *cocv1.OverrideCheck) *rule.Refusal {
	const id, field = "COC-GM-01", "action.coc.gm_override_check."
	if refusal := atTable(v, a.Character, id, field+"character"); refusal != nil {
		return refusal
	}
	if !slices.Contains(fixable, a.Action) {
		return rule.Core(tablev1.Reason_REASON_INVALID_FIELD, field+"action").Say("choose_among", rule.Names("names", fixable...), rule.Sent("sent", a.Action)).Suggest(a.Action, fixable)
	}
	if a.Result == cocv1.CheckGrade_CHECK_GRADE_UNSPECIFIED {
		return rule.Core(tablev1.Reason_REASON_INVALID_FIELD, field+"result").Say("required")
	}
	return nil
}

func (g *game) offerOverrideCheck(v *rule.View, _ string) []*tablev1.Offer {
	var out []*tablev1.Offer
	for _, ch := range v.State.Characters {
		if has(ch, stDead) {
			continue
		}
		o := rule.NewOffer(&cocv1.OverrideCheck{Character: ch.Id}, nil, "gm_override_check", ch.Id)
		o.Inputs = []*tablev1.Input{
			rule.ChoiceInput("action", "coc.gm_override_check.action", fixable),
			rule.ChoiceInput("result", "coc.gm_override_check.result", gradeWords[critical:]),
		}
		out = append(out, o)
	}
	return out
}
