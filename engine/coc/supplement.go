package coc

import (
	"github.com/hantei/hantei/engine/rule"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

// declareSupplements takes down which books the player owns (COC-CRE-08).
func (g *game) declareSupplements(c *rule.Ctx, by string, a *cocv1.DeclareSupplements) {
	var books []string
	if a.Owns_2010 {
		books = append(books, "2010")
	}
	if a.Owns_2015 {
		books = append(books, "2015")
	}
	e := c.Event(supplementsDeclared, "COC-CRE-08", by).For(rule.Owner)
	redraft(c, e.Words(fBooks, "", rule.Owner, books...), by, func(ch *tablev1.Character) {
		making(ch).Owns_2010, making(ch).Owns_2015 = a.Owns_2010, a.Owns_2015
	})
}

func (g *game) validDeclareSupplements(v *rule.View, by string, _ *cocv1.DeclareSupplements) *rule.Refusal {
	return inDraft(v.Character(by), "COC-CRE-08")
}

// owns reports whether a supplement may be used: by its owner, or by everybody
// where the scenario opens them (COC-CRE-10).
func owns(v *rule.View, me *tablev1.Character, book string) bool {
	if open := overrides(v).Supplements; open != nil && *open {
		return true
	}
	switch book {
	case "2010":
		return creation(me).GetOwns_2010()
	case "2015":
		return creation(me).GetOwns_2015()
	}
	return false
}

// allowed reports whether the keeper has allowed an investigator a skill.
func allowed(me *tablev1.Character, skill string) bool {
	for _, x := range details(me).GetExtras() {
		if x.Skill == skill {
			return true
		}
	}
	return false
}

// requestExtra asks the keeper for a skill or a rule beyond the books (COC-CRE-08).
// Nothing waits for the answer.
func (g *game) requestExtra(c *rule.Ctx, by string, a *cocv1.RequestExtra) {
	e := c.Event(extraRequested, "COC-CRE-08", by).For(rule.Owner).Text(fNotes, "", rule.Owner, a.Text)
	facts := []*typev1.Fact{{Key: fNotes.String(), Of: by, Audience: rule.Owner, Text: &a.Text}}
	if a.Skill != "" {
		e.Words(fSkill, "", rule.Owner, a.Skill)
		facts = append(facts, rule.WordFact(fSkill, by, rule.Owner, a.Skill))
	}
	c.Emit(e)
	c.AskLater(&rule.Window{
		Name: "approve_extra", Rule: "COC-CRE-08", Kind: oneSeat, BecauseOf: by, About: by, Audience: rule.Owner, Facts: facts,
		Slots: []rule.Slot{{Default: "no", Choices: []*tablev1.PromptChoice{
			rule.Choice("yes", &cocv1.ApproveExtra{Approve: true}),
			rule.Choice("no", &cocv1.ApproveExtra{}),
		}}},
	})
}

// settleExtra takes the keeper's word. A skill of a supplement may be taken from
// now on; anything else is noted on the sheet, and what comes of it is the keeper's.
func (g *game) settleExtra(c *rule.Ctx, w *tablev1.Window, a *cocv1.ApproveExtra) {
	me := c.Character(w.About)
	x := &cocv1.Extra{Id: int32(len(details(me).GetExtras())) + 1}
	for _, f := range w.Facts {
		switch f.Key {
		case fNotes.String():
			x.Text = f.GetText()
		case fSkill.String():
			x.Skill = f.Words[0]
		}
	}
	e := c.Event(extraDecided, "COC-CRE-08", me.Id).For(rule.Owner).Text(fNotes, "", rule.Owner, x.Text)
	if !a.Approve {
		c.Emit(e.Words(fDecision, "", rule.Owner, "refuse"))
		return
	}
	c.Emit(e.Words(fDecision, "", rule.Owner, "allow").
		Change(piece(me.Id, &cocv1.Part{Part: &cocv1.Part_Extras{Extras: x}})))
}

func (g *game) validRequestExtra(v *rule.View, by string, _ *cocv1.RequestExtra) *rule.Refusal {
	if refusal := inDraft(v.Character(by), "COC-CRE-08"); refusal != nil {
		return refusal
	}
	if scenario(v).GetCreationClosed() {
		return rule.Refuse(deadlinePassed, "COC-CRE-08", "")
	}
	return nil
}

func (g *game) offerSupplements(v *rule.View, by string) []*tablev1.Offer {
	if draftOf(v, by) == nil {
		return nil
	}
	o := rule.NewOffer(&cocv1.DeclareSupplements{}, nil, "declare_supplements")
	o.Inputs = []*tablev1.Input{
		boolInput("owns_2010", "coc.declare_supplements.owns_2010"),
		boolInput("owns_2015", "coc.declare_supplements.owns_2015"),
	}
	return []*tablev1.Offer{o}
}

func (g *game) offerExtra(v *rule.View, by string) []*tablev1.Offer {
	me := draftOf(v, by)
	if me == nil {
		return nil
	}
	a := &cocv1.RequestExtra{}
	o := rule.NewOffer(a, g.validRequestExtra(v, by, a), "request_extra")
	o.Inputs = []*tablev1.Input{textInput("text", "coc.request_extra.text", 500)}
	skills := g.skillsWhere(func(s *skillRow) bool { return s.Requires != "" && !allowed(me, s.ID) && !owns(v, me, s.Requires) })
	if len(skills) > 0 {
		skill := rule.ChoiceInput("skill", "coc.request_extra.skill", skills)
		skill.MinCount = 0
		o.Inputs = append(o.Inputs, skill)
	}
	return []*tablev1.Offer{o}
}
