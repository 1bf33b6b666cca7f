package persona

import (
	"slices"

	"github.com/hantei/hantei/engine/encounter"
	"github.com/hantei/hantei/engine/persona/dungeon"
	"github.com/hantei/hantei/engine/rule"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

// leadsOutside is where stairs lead that are an entrance or exit, as their data has it.
const leadsOutside = "outside"

// arrivalOf is where one arrives who takes stairs, or nil (PER-SQ-02).
func arrivalOf(s *tablev1.State, stairs *personav1.Feature) *personav1.Feature {
	return dungeon.Arrival(&personav1.Dungeon{Features: tableDetails(s).GetFeatures()}, stairs)
}

// onStairs is the mark of the stairs on somebody's square, if he knows where they lead.
// Stairs that a skill has shown to be there are known so far only by whoever comes to
// their square, so that no refusal tells where they lead (PER-HID-01).
func onStairs(v *rule.View, by string) *tablev1.DungeonMark {
	if m := markHere(v, by, kindStairs); m.GetDetail() == data {
		return m
	}
	return nil
}

// outward reports whether stairs lead outside, by what is known of them.
func outward(m *tablev1.DungeonMark) bool {
	return slices.ContainsFunc(m.Facts, func(f *typev1.Fact) bool {
		return f.Key == fLeads.String() && slices.Equal(f.Words, []string{leadsOutside})
	})
}

// assembled reports whether every PC who can act stands on somebody's square.
func assembled(v *rule.View, by string) bool {
	at := place(v.Character(by))
	return !slices.ContainsFunc(explorers(v), func(id string) bool {
		c := v.Character(id)
		return ablePC(c) && (place(c) == nil || !sameSquare(place(c), at))
	})
}

// onStairsTurn refuses whoever has no turn, no hand, or does not stand on stairs.
func (g *game) onStairsTurn(v *rule.View, by string, hand personav1.Hand, id string) (*tablev1.DungeonMark, *rule.Refusal) {
	if _, refusal := g.onTurn(v, by, hand, true); refusal != nil {
		return nil, refusal
	}
	if !isPC(v.Character(by)) {
		return nil, rule.Core(tablev1.Reason_REASON_INVALID_FIELD, "actor").Say("pc_only")
	}
	switch m := markHere(v, by, kindStairs); m.GetDetail() {
	case data:
		return m, nil
	case presence:
		return nil, rule.Refuse(whyNotOnStairs, "PER-HID-01", "")
	}
	return nil, rule.Refuse(whyNotOnStairs, id, "")
}

func (g *game) validChangeFloor(v *rule.View, by string, a *personav1.ChangeFloor) *rule.Refusal {
	m, refusal := g.onStairsTurn(v, by, a.GetHand(), "PER-MOVE-03")
	if refusal != nil {
		return refusal
	}
	if outward(m) {
		return rule.Refuse(whyStairsLeadOutside, "PER-MOVE-03", "")
	}
	// Who sees only what he knows does not see the features, and is offered it.
	if f := marked(v.State, m); f != nil && arrivalOf(v.State, f) == nil {
		return rule.Refuse(whyNoArrival, "PER-SQ-02", "")
	}
	if !v.Flag("split_party") && !assembled(v, by) {
		return rule.Refuse(whyPartyNotAssembled, "PER-MOVE-03", "")
	}
	return nil
}

// changeFloor takes the stairs to another floor (PER-MOVE-03): the round is cut off,
// those who go arrive on the stairs there, and a new round begins. With option
// split_party the willing go, and the round goes on.
func (g *game) changeFloor(c *rule.Ctx, by string, a *personav1.ChangeFloor) {
	hand, _ := g.onTurn(&c.View, by, a.Hand, true)
	willing := g.consent(c, by, "PER-MOVE-03", !c.Flag("split_party"))
	hiddenDecides(c, "change_floor")
	if willing == nil || g.validChangeFloor(&c.View, by, a) != nil {
		return // somebody refuses, or the GM has changed what it needs meanwhile
	}
	to := arrivalOf(c.State, marked(c.State, onStairs(&c.View, by)))
	who := g.goers(&c.View, place(c.Character(by)), willing)
	g.spend(c, by, hand, "change_floor")
	arrival := &personav1.FloorArrival{Stairs: to.Id, Characters: who}
	arrive := &personav1.Arrive{Square: to.Square, Characters: who, EventsOnly: true}
	if !c.Flag("split_party") {
		c.Then("", &personav1.RoundEnd{CutOff: true}, arrival, arrive, &personav1.RoundStart{})
		return
	}
	for _, id := range who {
		c.Change(setHands(c.Character(id), func(h *personav1.Hands) {
			h.Move, h.Main, h.Waiting, h.Tied = false, false, false, false
			h.Acted = !slices.Contains(c.Encounter().Turn, id) // the others' turns end with the hand
		}))
	}
	c.Then("", arrival, arrive, &personav1.HandEnd{})
}

// consent asks the other PCs who can act on the square whether they take the stairs. It
// returns who does. Where all must agree a refusal ends the question, and nobody does.
func (g *game) consent(c *rule.Ctx, by, id string, all bool) []string {
	w := &rule.Window{
		Name: "floor_change_consent", Rule: id, Kind: tablev1.WindowKind_WINDOW_KIND_OPEN, BecauseOf: by,
		Leads: []*tablev1.Lead{{Character: by, Choice: "yes"}},
	}
	if all {
		w.Takes = func(a *tablev1.Answer) bool { return !a.GetPersona().GetFloorChangeConsent().GetConsent() }
	}
	for _, other := range on(&c.View, place(c.Character(by)), ablePC) {
		if other != by {
			w.Slots = append(w.Slots, rule.Slot{Character: other, Default: "no", Choices: []*tablev1.PromptChoice{
				rule.Choice("yes", &personav1.FloorChangeConsent{Consent: true}), rule.Choice("no", &personav1.FloorChangeConsent{}),
			}})
		}
	}
	out := []string{by}
	if len(w.Slots) == 0 {
		return out
	}
	w.Apart = apart(&c.View, w)
	for i, a := range c.Ask(w) {
		switch {
		case a != nil && rule.Unpack[*personav1.FloorChangeConsent](a).Consent:
			out = append(out, w.Slots[i].Character)
		case all:
			return nil
		}
	}
	return out
}

// goers are who takes the stairs, by the order of the party: the willing who still can,
// NPCs of the party who can act there, and with option rescue_on_stairs the PCs who
// cannot.
func (g *game) goers(v *rule.View, at *typev1.Square, willing []string) []string {
	return on(v, at, func(c *tablev1.Character) bool {
		switch {
		case has(c, stDead):
			return false
		case !able(c):
			return isPC(c) && v.Flag("rescue_on_stairs")
		case isPC(c):
			return slices.Contains(willing, c.Id)
		}
		return true
	})
}

// floorArrival brings those who have taken stairs to the other floor (PER-MOVE-03).
func (g *game) floorArrival(c *rule.Ctx, _ string, s *personav1.FloorArrival) {
	from, to := place(c.Character(s.Characters[0])), featureOf(c.State, s.Stairs).GetSquare()
	g.leaveFloor(c, from.GetFloor(), s.Characters)
	e := c.Event(floorChanged, "PER-MOVE-03", "").On(s.Characters...).
		Characters(fParty, "", rule.Public, s.Characters...).
		Squares(fFrom, "", rule.Public, from).
		Squares(fTo, "", rule.Public, to).
		Change(floorClock(&c.View, to.GetFloor())...)
	for _, id := range s.Characters {
		e.Change(rule.SetPosition(id, to, rule.Public)).Walk(id, []*typev1.Square{to})
	}
	c.Emit(e)
	g.seeArrival(c, s.Characters, to)
	g.seeStairs(c, s.Characters, to)
	g.sight(c, "PER-RPR-09")
}

// leaveFloor is what comes of leaving a floor: what lasts for it ends (PER-SKL-02), and
// where nobody is left who can act its Reaper goes (PER-RPR-08).
func (g *game) leaveFloor(c *rule.Ctx, floor int32, who []string) {
	for _, id := range who {
		g.endFloorStatuses(c, id, "PER-SKL-02")
	}
	stays := func(id string) bool {
		me := c.Character(id)
		return ablePC(me) && floorNow(me) == floor && !slices.Contains(who, id)
	}
	if !slices.ContainsFunc(explorers(&c.View), stays) {
		g.reaperLeaves(c, floor)
	}
}

// floorClock is the clock of a floor as somebody arrives there: with option floor_clock
// reset it begins anew, unless a PC who can act is there (PER-DUN-07).
func floorClock(v *rule.View, floor int32) []*tablev1.Change {
	if v.Option("floor_clock") != "reset" || spent(v.State, floor) == 0 || slices.Contains(occupied(v), floor) {
		return nil
	}
	return []*tablev1.Change{setSpent(floor, 0)}
}

// seeStairs has those who have come by stairs know them, hidden or not (PER-HID-02).
func (g *game) seeStairs(c *rule.Ctx, who []string, at *typev1.Square) {
	for _, k := range knowers(&c.View, who) {
		for _, f := range featuresOn(c.State, at) {
			if kindOf(f) == kindStairs {
				g.reveal(c, k, f, data, "PER-HID-02")
			}
		}
	}
}

func (g *game) offerChangeFloor(v *rule.View, by string) []*tablev1.Offer {
	if m := onStairs(v, by); m == nil || outward(m) || !encounter.In(v.Encounter(), by) {
		return nil
	}
	return []*tablev1.Offer{rule.NewOffer(&personav1.ChangeFloor{}, g.validChangeFloor(v, by, nil), "change_floor")}
}

func (g *game) validEscape(v *rule.View, by string, a *personav1.Escape) *rule.Refusal {
	m, refusal := g.onStairsTurn(v, by, a.GetHand(), "PER-MOVE-04")
	switch {
	case refusal != nil:
		return refusal
	case !outward(m):
		return rule.Refuse(whyStairsLeadInside, "PER-MOVE-04", "")
	case !assembled(v, by):
		return rule.Refuse(whyPartyNotAssembled, "PER-MOVE-04", "")
	}
	return nil
}

// escape takes the stairs outside, which ends the exploration for all: it takes every PC
// who can act, with option split_party too. Who cannot leave is lost (PER-MOVE-04).
func (g *game) escape(c *rule.Ctx, by string, a *personav1.Escape) {
	hand, _ := g.onTurn(&c.View, by, a.Hand, true)
	if g.consent(c, by, "PER-MOVE-04", true) == nil {
		return
	}
	if lost := g.lost(&c.View, by); len(lost) > 0 && !g.confirmed(c, by, lost) {
		return
	}
	if g.validEscape(&c.View, by, a) != nil {
		return // the GM has changed what it needs meanwhile
	}
	g.spend(c, by, hand, "escape")
	for _, id := range g.lost(&c.View, by) {
		c.Emit(c.Event(characterDied, "PER-MOVE-04", id).
			Words(fCause, "", rule.Public, "left_behind").
			Change(rule.SetStatus(id, g.status(stDead, nil))))
	}
	g.leave(c, personav1.EndReason_END_REASON_ESCAPED)
}

// lost are the PCs who cannot leave, since they cannot act; with option rescue_on_stairs
// not those on the stairs (PER-MOVE-04).
func (g *game) lost(v *rule.View, by string) []string {
	var out []string
	for _, id := range explorers(v) {
		c := v.Character(id)
		if !isPC(c) || able(c) || has(c, stDead) {
			continue
		}
		if v.Flag("rescue_on_stairs") && place(c) != nil && sameSquare(place(c), place(v.Character(by))) {
			continue
		}
		out = append(out, id)
	}
	return out
}

// confirmed asks the GM whether the party leaves though some would die.
func (g *game) confirmed(c *rule.Ctx, by string, lost []string) bool {
	a := c.Ask(&rule.Window{
		Name: "confirm_escape", Rule: "PER-MOVE-04", Kind: tablev1.WindowKind_WINDOW_KIND_ONE, BecauseOf: by,
		Facts: []*typev1.Fact{{Key: fDeaths.String(), Characters: lost, Audience: rule.Public}},
		Slots: []rule.Slot{{Default: "confirm", Choices: []*tablev1.PromptChoice{
			rule.Choice("confirm", &personav1.ConfirmEscape{Confirm: true}), rule.Choice("cancel", &personav1.ConfirmEscape{}),
		}}},
	})[0]
	return rule.Unpack[*personav1.ConfirmEscape](a).Confirm
}

func (g *game) offerEscape(v *rule.View, by string) []*tablev1.Offer {
	if m := onStairs(v, by); m == nil || !outward(m) || !encounter.In(v.Encounter(), by) {
		return nil
	}
	return []*tablev1.Offer{rule.NewOffer(&personav1.Escape{}, g.validEscape(v, by, nil), "escape")}
}
