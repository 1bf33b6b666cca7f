package persona

import (
	"slices"

	"github.com/hantei/hantei/engine/rule"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

// codedGM are the rules that the GM's levers have code for.
var codedGM = []string{"PER-DUN-01", "PER-DUN-04", "PER-DUN-07", "PER-EXP-02", "PER-HID-01", "PER-HID-02", "PER-MAC-01", "PER-MAC-07", "PER-SQ-01"}

func (g *game) registerGM(r *rule.Ruleset) {
	rule.Register(r, rule.Action[*personav1.AdjustMacca]{Rule: "PER-MAC-01", Group: groupRulings, GM: true, Lever: true, Table: true, Offers: offerAdjust, Valid: validAdjust, Run: adjustMacca})
	rule.Register(r, rule.Action[*personav1.PlaceItem]{Rule: "PER-DUN-04", Group: groupRulings, GM: true, Lever: true, Table: true, Offers: offerPlaceItem, Valid: g.validPlaceItem, Run: g.placeItem})
	rule.Register(r, rule.Action[*personav1.RevealFeature]{Rule: "PER-HID-02", Group: groupRulings, GM: true, Lever: true, Table: true, Offers: offerReveal, Valid: validReveal, Run: g.revealByGM})
	rule.Register(r, rule.Action[*personav1.Set]{Rule: "PER-DUN-01", Group: groupRulings, GM: true, Lever: true, Table: true, Offers: offerSet, Valid: g.validSet, Run: g.set})
	r.Override = rule.Override{Event: gmOverride, Reason: fNotes, Why: rule.GM, Valid: validOverride, Then: g.resume}
}

// validOverride refuses of the core's lever what no sheet of these rules can have
// (PER-CHK-03), and what more follows from than it writes: set has that.
func validOverride(_ *tablev1.Character, o *tablev1.Operation, field string) *rule.Refusal {
	switch what := o.GetOperation().(type) {
	case *tablev1.Operation_Resource:
		if what.Resource.GetValue() < 0 {
			return invalid(field+".resource.value").Say("int32.gte", rule.Number("gte", 0))
		}
	case *tablev1.Operation_Status:
		if what.Status.GetKey() == stPersonaDisabled {
			return invalid(field + ".status.key").Say("summoned_apart")
		}
	}
	return nil
}

// lever begins the event of what the GM has changed: what it was and what it is, to
// whom may know it, and why, for himself.
func lever(c *rule.Ctx, who, id, reason string, a typev1.Audience, what, before, after string) *rule.Event {
	e := c.Event(gmOverride, id, who).Words(fWhat, "", a, what)
	if before != "" {
		e.Words(fBefore, "", a, before)
	}
	if after != "" {
		e.Words(fAfter, "", a, after)
	}
	if reason != "" {
		e.Text(fNotes, "", rule.GM, reason)
	}
	return e
}

// atTable refuses a character that is not there.
func atTable(v *rule.View, id, field string) *rule.Refusal {
	if v.Character(id) == nil {
		return rule.Core(tablev1.Reason_REASON_NOT_FOUND, field).Suggest(id, v.CharacterIDs())
	}
	return nil
}

// adjustMacca gives or takes macca (PER-MAC-01); it does not fall below 0.
func adjustMacca(c *rule.Ctx, _ string, a *personav1.AdjustMacca) {
	me := c.Character(a.Character)
	before := resource(me, kMacca)
	after := max(0, before+a.Delta)
	c.Emit(lever(c, me.Id, "PER-MAC-01", a.Reason, rule.Values, kMacca, text(before), text(after)).
		Change(setResource(me, kMacca, after)))
}

func validAdjust(v *rule.View, _ string, a *personav1.AdjustMacca) *rule.Refusal {
	const field = "action.persona.gm_adjust_macca."
	if refusal := atTable(v, a.Character, field+"character"); refusal != nil {
		return refusal
	}
	if a.Delta == 0 {
		return invalid(field + "delta").Say("required")
	}
	return nil
}

func offerAdjust(v *rule.View, _ string) []*tablev1.Offer {
	const path = "persona.gm_adjust_macca."
	var out []*tablev1.Offer
	for _, me := range v.State.Characters {
		o := rule.NewOffer(&personav1.AdjustMacca{Character: me.Id}, nil, "gm_adjust_macca", me.Id)
		o.Inputs = []*tablev1.Input{needed(rule.NumberInput("delta", path+"delta", -1_000_000, 1_000_000)), reasonInput(path + "reason")}
		out = append(out, o)
	}
	return out
}

// reasonInput asks why; it may be left out.
func reasonInput(path string) *tablev1.Input {
	return &tablev1.Input{Name: "reason", Path: path, Kind: tablev1.InputKind_INPUT_KIND_TEXT, MaxCount: 1, Max: 200}
}

// inDungeon refuses what is for a dungeon that is explored, where none is.
func inDungeon(v *rule.View) *rule.Refusal {
	if v.State.GetDungeon() == nil {
		return rule.Refuse(whyNotExploring, "PER-EXP-09", "")
	}
	return nil
}

// revealByGM discloses what lies in the dungeon, to the party or to whom it is for
// (PER-HID-02). What is known as well already is not told again.
func (g *game) revealByGM(c *rule.Ctx, _ string, a *personav1.RevealFeature) {
	f, detail := featureOf(c.State, a.Feature), presence
	if a.Data && kindOf(f) != kindEvent { // of an event only that it is there
		detail = data
	}
	who := explorers(&c.View)
	if a.Character != "" {
		who = []string{a.Character}
	}
	for _, k := range knowers(&c.View, who) {
		g.reveal(c, k, featureOf(c.State, a.Feature), detail, "PER-HID-02")
	}
}

func validReveal(v *rule.View, _ string, a *personav1.RevealFeature) *rule.Refusal {
	const field = "action.persona.gm_reveal."
	if refusal := inDungeon(v); refusal != nil {
		return refusal
	}
	if featureOf(v.State, a.Feature) == nil {
		return rule.Core(tablev1.Reason_REASON_NOT_FOUND, field+"feature")
	}
	if a.Character != "" && !slices.Contains(explorers(v), a.Character) {
		return rule.Core(tablev1.Reason_REASON_NOT_FOUND, field+"character").Suggest(a.Character, explorers(v))
	}
	return nil
}

func offerReveal(v *rule.View, _ string) []*tablev1.Offer {
	if inDungeon(v) != nil || len(tableDetails(v.State).GetFeatures()) == 0 {
		return nil
	}
	return formOffer(&personav1.RevealFeature{}, nil, "gm_reveal")
}

func offerSet(*rule.View, string) []*tablev1.Offer { return formOffer(&personav1.Set{}, nil, "gm_set") }

func offerPlaceItem(v *rule.View, _ string) []*tablev1.Offer {
	if inDungeon(v) != nil {
		return nil
	}
	return formOffer(&personav1.PlaceItem{}, nil, "gm_place_item")
}
