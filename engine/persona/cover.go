package persona

import (
	"slices"

	"github.com/hantei/hantei/engine/rule"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// mayCover refuses a cover in the order of PER-SB-11. It needs no Persona (PER-SB-12).
func (g *game) mayCover(v *rule.View, who, target string) *rule.Refusal {
	const field = reactionField + "cover.target"
	if refusal := forbidden(v, who); refusal != nil {
		return refusal
	}
	limited := who
	if v.Option("cover_limit") == "target" {
		limited = target
	}
	i := instance(v.State, target)
	switch {
	case combatant(v.State, limited).GetCoverUsed():
		return rule.Refuse(whyCoverUsed, "PER-SB-12", "")
	case target == who || i == nil:
		return rule.Refuse(whyInvalidTarget, "PER-SB-12", field).Suggest(target, coverable(v.State, who))
	case i.Receiver != target:
		return rule.Refuse(whyAlreadyCovered, "PER-SB-12", field)
	case combatant(v.State, target).GetDodgedOrIntercepted():
		return rule.Refuse(whyTargetAlreadyReacted, "PER-SB-12", field)
	case !stands(i):
		return rule.Refuse(whyAlreadyNullified, "PER-SB-11", field)
	}
	return nil
}

// coverable are the others at whom the attack is aimed.
func coverable(s *tablev1.State, who string) []string {
	return slices.DeleteFunc(slices.Clone(battle(s).Characters), func(id string) bool { return id == who || instance(s, id) == nil })
}

// cover takes another's attack oneself, once in a battle, if he wishes it; if not,
// nothing has happened (PER-SB-12).
func (g *game) cover(c *rule.Ctx, by string, a *personav1.Cover) {
	if !g.wishes(c, by, a.Target) {
		return
	}
	limited := by
	if c.Option("cover_limit") == "target" {
		limited = a.Target
	}
	c.Emit(c.Event(reactionDeclared, "PER-SB-12", by).On(a.Target).
		Words(fKind, "", rule.Public, reactCover).
		Characters(fInstance, "", rule.Public, a.Target).
		Change(setCombatant(c.State, limited, func(b *personav1.Combatant) { b.CoverUsed = true })))
	c.Emit(resolved(c, by, reactCover, a.Target, "PER-SB-12", true).On(a.Target).
		Change(setInstance(c.State, a.Target, func(i *personav1.Instance) { i.Receiver = by })))
}

// wishes asks whether somebody wants to be covered (PER-SB-12).
func (g *game) wishes(c *rule.Ctx, by, target string) bool {
	a := c.Ask(&rule.Window{
		Name: "cover_consent", Rule: "PER-SB-12", Kind: tablev1.WindowKind_WINDOW_KIND_ONE, BecauseOf: by, About: by,
		Slots: []rule.Slot{{Character: target, Default: "yes", Choices: []*tablev1.PromptChoice{
			rule.Choice("yes", &personav1.CoverConsent{Consent: true}), rule.Choice("no", &personav1.CoverConsent{}),
		}}},
	})[0]
	return rule.Unpack[*personav1.CoverConsent](a).Consent
}
