package coc

import (
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"google.golang.org/protobuf/proto"
)

// fromDraft makes the sheet that the making of an investigator begins with. Until
// they are rolled the characteristics are 10, as on any sheet that names none, so
// that whatever reads a sheet finds a whole one.
func (g *game) fromDraft() *tablev1.Character {
	ch, refusal := g.fromSheet(&tablev1.SheetInput{})
	if refusal != nil {
		panic(refusal) // Nothing is wrong with what is empty.
	}
	return ch
}

// creation is how far the making of an investigator has come; empty at its beginning.
func creation(c *tablev1.Character) *cocv1.Creation { return details(c).GetCreation() }

// inDraft refuses what is for drafts alone: a sheet that was submitted is the keeper's.
func inDraft(me *tablev1.Character, id string) *rule.Refusal {
	if me.Review != tablev1.Review_REVIEW_DRAFT {
		return rule.Refuse(alreadySubmitted, id, "")
	}
	return nil
}

// rolledDraft refuses what needs the characteristics before they were rolled.
func rolledDraft(me *tablev1.Character) *rule.Refusal {
	if !creation(me).GetRolled() {
		return rule.Refuse(notRolled, "COC-CRE-01", "")
	}
	return nil
}

// draftOf is the draft with the id, or nil: nothing of creation is offered for
// another sheet.
func draftOf(v *rule.View, by string) *tablev1.Character {
	if me := v.Character(by); me.Review == tablev1.Review_REVIEW_DRAFT && isPC(me) {
		return me
	}
	return nil
}

// inPlay refuses what a draft does not do before it is submitted (COC-CRE-11).
func inPlay[M proto.Message](valid func(*rule.View, string, M) *rule.Refusal) func(*rule.View, string, M) *rule.Refusal {
	return func(v *rule.View, by string, m M) *rule.Refusal {
		if v.Character(by).Review == tablev1.Review_REVIEW_DRAFT {
			return rule.Refuse(notApproved, "COC-CRE-11", "")
		}
		return valid(v, by, m)
	}
}

// played offers nothing of that to a draft.
func played(offers func(*rule.View, string) []*tablev1.Offer) func(*rule.View, string) []*tablev1.Offer {
	return func(v *rule.View, by string) []*tablev1.Offer {
		if v.Character(by).Review == tablev1.Review_REVIEW_DRAFT {
			return nil
		}
		return offers(v, by)
	}
}

// redraft emits an event with what write does to a draft.
func redraft(c *rule.Ctx, e *rule.Event, id string, write func(*tablev1.Character)) {
	was := c.Character(id)
	now := proto.Clone(was).(*tablev1.Character)
	write(now)
	c.Emit(e.Change(table.Changes(was, now)...))
}

// making is the creation of a sheet that is being written.
func making(ch *tablev1.Character) *cocv1.Creation {
	d := details(ch)
	if d.Creation == nil {
		d.Creation = &cocv1.Creation{}
	}
	return d.Creation
}
