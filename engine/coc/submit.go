package coc

import (
	"cmp"
	"slices"

	"github.com/hantei/hantei/engine/rule"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"google.golang.org/protobuf/proto"
)

// submit gives a draft to the keeper (COC-CRE-11). Points that are left lapse
// (COC-CRE-06).
func (g *game) submit(c *rule.Ctx, by string, _ *cocv1.Submit) {
	c.Emit(c.Event(sheetSubmitted, "COC-CRE-11", by).For(rule.Owner).
		Change(rule.SetReview(c.Character(by), tablev1.Review_REVIEW_SUBMITTED)))
}

// validSubmit tests the whole draft once more: a reroll, a swap, another occupation
// or the scenario may have changed what it was made by (COC-CRE-06).
func (g *game) validSubmit(v *rule.View, by string, _ *cocv1.Submit) *rule.Refusal {
	me := v.Character(by)
	if refusal := inDraft(me, "COC-CRE-11"); refusal != nil {
		return refusal
	}
	if refusal := rolledDraft(me); refusal != nil {
		return refusal
	}
	d := details(me)
	each := func(valid func(p *cocv1.SkillPoints, s *skillRow) *rule.Refusal) *rule.Refusal {
		for _, p := range d.GetSkillPoints() {
			if refusal := valid(p, g.pack.skill(p.Skill)); refusal != nil {
				return refusal.Name(p.Skill)
			}
		}
		return nil
	}
	// In the order of the specification, each for all skills before the next.
	if refusal := cmp.Or(
		each(func(_ *cocv1.SkillPoints, s *skillRow) *rule.Refusal { return allowedHere(v, me, s, "") }),
		originalSize(v, d.GetOccupation()),
		each(func(_ *cocv1.SkillPoints, s *skillRow) *rule.Refusal { return inSupplement(v, me, s, "") }),
		traitsAllowed(v, me, len(d.GetTraits())),
		each(func(p *cocv1.SkillPoints, s *skillRow) *rule.Refusal {
			if p.Occupation == 0 {
				return nil
			}
			return inOccupation(me, s, "")
		}),
		each(func(p *cocv1.SkillPoints, s *skillRow) *rule.Refusal {
			return underCap(v, me, s, p.Occupation+p.Personal, "")
		}),
	); refusal != nil {
		return refusal
	}
	for _, pool := range []cocv1.Pool{cocv1.Pool_POOL_OCCUPATION, cocv1.Pool_POOL_PERSONAL} {
		if spent(me, pool) > budget(me, pool) {
			return rule.Refuse(pointsExceeded, "COC-CRE-06", "")
		}
	}
	return nil
}

func (g *game) offerSubmit(v *rule.View, by string) []*tablev1.Offer {
	if draftOf(v, by) == nil {
		return nil
	}
	a := &cocv1.Submit{}
	return []*tablev1.Offer{rule.NewOffer(a, g.validSubmit(v, by, a), "submit")}
}

// confiscate takes artifacts and spells from an investigator (COC-CRE-11).
func (g *game) confiscate(c *rule.Ctx, _ string, a *cocv1.Confiscate) {
	for _, item := range taken(a.Items, carriedOver(c.Character(a.Character))) {
		was := details(c.Character(a.Character)).GetBelongings()
		if slices.Contains(was.GetArtifacts(), item) {
			takeOff(c, a.Character, confiscated, "artifact", item, func(b *cocv1.Belongings) { b.Artifacts = without(b.Artifacts, item) })
		}
		if slices.Contains(was.GetSpells(), item) {
			takeOff(c, a.Character, confiscated, "spell", item, func(b *cocv1.Belongings) { b.Spells = without(b.Spells, item) })
		}
	}
}

// stripSettings takes settings of earlier scenarios off a sheet (COC-CRE-11).
func (g *game) stripSettings(c *rule.Ctx, _ string, a *cocv1.StripSettings) {
	for _, item := range taken(a.Items, details(c.Character(a.Character)).GetBelongings().GetSettings()) {
		takeOff(c, a.Character, settingsStripped, "", item, func(b *cocv1.Belongings) { b.Settings = without(b.Settings, item) })
	}
}

// takeOff tells that something that an earlier scenario has left is taken off a sheet.
func takeOff(c *rule.Ctx, who string, name rule.EventName, kind, item string, write func(*cocv1.Belongings)) {
	left := proto.Clone(details(c.Character(who)).GetBelongings()).(*cocv1.Belongings)
	write(left)
	e := c.Event(name, "COC-CRE-11", who).For(rule.Owner)
	if kind != "" {
		e.Words(fKind, "", rule.Owner, kind)
	}
	c.Emit(e.Text(fNotes, "", rule.Owner, item).
		Change(piece(who, &cocv1.Part{Part: &cocv1.Part_Belongings{Belongings: left}})))
}

func without(items []string, item string) []string {
	return slices.DeleteFunc(items, func(s string) bool { return s == item })
}

// carriedOver are artifacts and spells.
func carriedOver(me *tablev1.Character) []string {
	return slices.Concat(details(me).GetBelongings().GetArtifacts(), details(me).GetBelongings().GetSpells())
}

// taken are the items that are named, or all if none is; each once.
func taken(named, all []string) []string {
	if len(named) == 0 {
		named = all
	}
	return distinct(named)
}

func (g *game) validConfiscate(v *rule.View, _ string, a *cocv1.Confiscate) *rule.Refusal {
	const field = "action.coc.gm_confiscate."
	if refusal := atTable(v, a.Character, "COC-CRE-11", field+"character"); refusal != nil {
		return refusal
	}
	return onSheet(a.Items, carriedOver(v.Character(a.Character)), field+"items")
}

func (g *game) validStripSettings(v *rule.View, _ string, a *cocv1.StripSettings) *rule.Refusal {
	const field = "action.coc.gm_strip_settings."
	if refusal := atTable(v, a.Character, "COC-CRE-11", field+"character"); refusal != nil {
		return refusal
	}
	return onSheet(a.Items, details(v.Character(a.Character)).GetBelongings().GetSettings(), field+"items")
}

// onSheet refuses to take what is not there.
func onSheet(items, all []string, field string) *rule.Refusal {
	for _, item := range items {
		if !slices.Contains(all, item) {
			return rule.Refuse(badTarget, "COC-CRE-11", field).Suggest(item, all)
		}
	}
	if len(all) == 0 {
		return rule.Refuse(badTarget, "COC-CRE-11", field)
	}
	return nil
}

func (g *game) offerConfiscate(v *rule.View, _ string) []*tablev1.Offer {
	var out []*tablev1.Offer
	for _, c := range v.State.Characters {
		if items := distinct(carriedOver(c)); len(items) > 0 {
			o := rule.NewOffer(&cocv1.Confiscate{Character: c.Id}, nil, "gm_confiscate", c.Id)
			o.Inputs = []*tablev1.Input{itemsInput("coc.gm_confiscate.items", items)}
			out = append(out, o)
		}
	}
	return out
}

func (g *game) offerStripSettings(v *rule.View, _ string) []*tablev1.Offer {
	var out []*tablev1.Offer
	for _, c := range v.State.Characters {
		if items := distinct(details(c).GetBelongings().GetSettings()); len(items) > 0 {
			o := rule.NewOffer(&cocv1.StripSettings{Character: c.Id}, nil, "gm_strip_settings", c.Id)
			o.Inputs = []*tablev1.Input{itemsInput("coc.gm_strip_settings.items", items)}
			out = append(out, o)
		}
	}
	return out
}

// itemsInput asks which things; left out, all of them.
func itemsInput(path string, items []string) *tablev1.Input {
	in := rule.ChoiceInput("items", path, items)
	in.MinCount, in.MaxCount = 0, int32(len(items))
	return in
}
