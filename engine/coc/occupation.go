package coc

import (
	"slices"

	"github.com/hantei/hantei/engine/rule"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"google.golang.org/protobuf/proto"
)

// setOccupation gives a draft an occupation, a sample or an original one (COC-CRE-05).
// Points that were spent stay: submit tests them against it.
func (g *game) setOccupation(c *rule.Ctx, by string, a *cocv1.SetOccupation) {
	e := c.Event(occupationSet, "COC-CRE-05", by)
	after := &cocv1.Occupation{}
	if o := a.GetOriginal(); o != nil {
		after.Name, after.Skills = proto.String(o.Name), distinct(o.Skills)
		e.Text(fNotes, "", rule.Values, o.Name)
	} else {
		after.Sample, after.Skills = proto.String(a.GetSample()), g.pack.occupation(a.GetSample()).Skills
		e.Words(fOccupation, "", rule.Values, a.GetSample())
	}
	c.Emit(e.Words(fSkills, "", rule.Values, after.Skills...).
		Change(piece(by, &cocv1.Part{Part: &cocv1.Part_Occupation{Occupation: after}})))
}

// distinct are the words without those that stand before.
func distinct(words []string) []string {
	var out []string
	for _, w := range words {
		if !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}

func (g *game) validSetOccupation(v *rule.View, by string, a *cocv1.SetOccupation) *rule.Refusal {
	const id, field = "COC-CRE-05", "action.coc.set_occupation"
	if refusal := inDraft(v.Character(by), id); refusal != nil {
		return refusal
	}
	switch k := a.Occupation.(type) {
	case *cocv1.SetOccupation_Sample:
		if g.pack.occupation(k.Sample) == nil {
			return rule.Core(tablev1.Reason_REASON_INVALID_FIELD, field+".sample").
				Say("no_occupation", rule.Sent("sent", k.Sample)).Suggest(k.Sample, g.occupations())
		}
		return nil
	case *cocv1.SetOccupation_Original:
		skills := distinct(k.Original.GetSkills())
		if refusal := occupationSize(v, len(skills), field+".original.skills"); refusal != nil {
			return refusal
		}
		for _, s := range skills {
			if g.learnable(s) == nil {
				return g.noSuchSkill(id, field+".original.skills", s)
			}
		}
		return nil
	}
	return rule.Core(tablev1.Reason_REASON_INVALID_FIELD, field).Say("oneof", rule.Code("names", "sample", "original"))
}

// occupationSize refuses an original occupation of more skills than it may have.
func occupationSize(v *rule.View, skills int, field string) *rule.Refusal {
	most := int32(8)
	if n := overrides(v).OccupationSkillsMax; n != nil {
		if most = *n; most == 0 {
			return rule.Refuse(notAllowedHere, "COC-CRE-10", field)
		}
	}
	if int32(skills) > most {
		return rule.Refuse(tooManyOccupationSkills, "COC-CRE-05", field)
	}
	return nil
}

// originalSize is occupationSize for the occupation of a sheet.
func originalSize(v *rule.View, o *cocv1.Occupation) *rule.Refusal {
	if o == nil || o.Sample != nil {
		return nil
	}
	return occupationSize(v, len(o.Skills), "")
}

func (g *game) occupations() []string {
	ids := make([]string, len(g.pack.occupations))
	for i, o := range g.pack.occupations {
		ids[i] = o.ID
	}
	return ids
}

// learnable is a skill that an investigator can have; nil for one that there is not,
// or that only creatures have.
func (g *game) learnable(id string) *skillRow {
	if s := g.pack.skill(id); s != nil && s.Base != "" {
		return s
	}
	return nil
}

func (g *game) learnableIDs() []string {
	return g.skillsWhere(func(s *skillRow) bool { return s.Base != "" })
}

// skillsWhere are the skills of the pack of which something is so.
func (g *game) skillsWhere(so func(*skillRow) bool) []string {
	var ids []string
	for _, s := range g.pack.skills {
		if so(s) {
			ids = append(ids, s.ID)
		}
	}
	return ids
}

func (g *game) noSuchSkill(id, field, skill string) *rule.Refusal {
	return rule.Refuse(unknownSkill, id, field).Suggest(skill, g.learnableIDs())
}

func (g *game) offerOccupations(v *rule.View, by string) []*tablev1.Offer {
	if draftOf(v, by) == nil {
		return nil
	}
	a := &cocv1.SetOccupation{Occupation: &cocv1.SetOccupation_Sample{}}
	sample := rule.NewOffer(a, nil, "set_occupation", "sample")
	sample.Inputs = []*tablev1.Input{rule.ChoiceInput("sample", "coc.set_occupation.sample", g.occupations())}

	own := &cocv1.SetOccupation{Occupation: &cocv1.SetOccupation_Original{Original: &cocv1.OriginalOccupation{}}}
	original := rule.NewOffer(own, occupationSize(v, 0, ""), "set_occupation", "original")
	most := int32(8)
	if n := overrides(v).OccupationSkillsMax; n != nil {
		most = max(1, *n)
	}
	// With a skill all of its specialities are of the occupation.
	firsts := g.skillsWhere(func(s *skillRow) bool { return s.Base != "" && s.Of == "" })
	skills := rule.ChoiceInput("skills", "coc.set_occupation.original.skills", firsts)
	skills.MaxCount = most
	original.Inputs = []*tablev1.Input{
		textInput("name", "coc.set_occupation.original.name", 80),
		skills,
	}
	return []*tablev1.Offer{sample, original}
}
