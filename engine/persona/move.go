package persona

import (
	"slices"

	"github.com/hantei/hantei/engine/encounter"
	"github.com/hantei/hantei/engine/grid"
	"github.com/hantei/hantei/engine/rule"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
)

// codedMovement are the rules of movement that have code.
var codedMovement = []string{
	"PER-MOVE-01", "PER-MOVE-02", "PER-MOVE-03", "PER-MOVE-04", "PER-EXP-06", "PER-SKL-02",
	"PER-SQ-01", "PER-SQ-02", "PER-SQ-03", "PER-SQ-06", "PER-SQ-07",
}

func (g *game) registerMovement(r *rule.Ruleset) {
	rule.Register(r, rule.Action[*personav1.Move]{Rule: "PER-MOVE-01", Group: groupTurn, Offers: g.offerMove, Valid: g.validMove, Run: g.move})
	rule.Register(r, rule.Action[*personav1.ChangeFloor]{Rule: "PER-MOVE-03", Group: groupTurn, Offers: g.offerChangeFloor, Valid: g.validChangeFloor, Run: g.changeFloor})
	rule.Register(r, rule.Action[*personav1.Escape]{Rule: "PER-MOVE-04", Group: groupTurn, Offers: g.offerEscape, Valid: g.validEscape, Run: g.escape})
	rule.RegisterPrompt(r, rule.Prompt[*personav1.SimultaneousMove]{Valid: g.validSimultaneousMove})
	rule.RegisterPrompt(r, rule.Prompt[*personav1.WarpChoice]{})
	rule.RegisterPrompt(r, rule.Prompt[*personav1.FloorChangeConsent]{})
	rule.RegisterPrompt(r, rule.Prompt[*personav1.ConfirmEscape]{})
	rule.RegisterPrompt(r, rule.Prompt[*personav1.GmEvent]{})
	rule.RegisterStep(r, g.floorArrival)
}

// step is the move of one of several who move together.
type step struct {
	who      string
	from, to *typev1.Square
}

// move goes to a neighbouring square (PER-MOVE-01): all who move together relocate,
// then each sees where he is, and what goes off there does.
func (g *game) move(c *rule.Ctx, by string, a *personav1.Move) {
	hand, _ := g.onTurn(&c.View, by, a.Hand, true)
	if a.ViaWarp {
		g.moveByWarp(c, by, hand)
		return
	}
	from := place(c.Character(by))
	steps := []step{{by, from, target(from, a)}}
	if hand == personav1.Hand_HAND_MOVE_HAND {
		steps = g.together(c, steps[0])
	}
	chases := g.chases(&c.View, hand, steps)
	var who []string
	for _, s := range steps {
		g.spend(c, s.who, hand, "move")
		who = append(who, s.who)
	}
	for _, s := range steps {
		g.put(c, s.who, s.to, "PER-MOVE-01", "move")
	}
	met := g.pursue(c, chases)
	g.lookAround(c, steps, "PER-MOVE-01")
	c.Then("", append(append(arrivals(steps), met...), &personav1.HandEnd{Characters: who, Hand: handWord(hand), Action: "move"})...)
}

// lookAround is what those who have moved see, by their order in the party: what their
// square has openly, then the four beside it; at last whether a Reaper is near.
func (g *game) lookAround(c *rule.Ctx, steps []step, id string) {
	hiddenDecides(c, "look_around")
	for _, s := range steps {
		for _, k := range knowers(&c.View, []string{s.who}) {
			g.seeHere(c, k, s.to, id)
			g.seeAround(c, k, s.to, id)
		}
	}
	g.sight(c, "PER-RPR-09")
}

// target is the square that a move names; nil in a direction from nowhere.
func target(from *typev1.Square, a *personav1.Move) *typev1.Square {
	switch {
	case a.Direction == personav1.Direction_DIRECTION_UNSPECIFIED:
		return a.To
	case from == nil: // the GM has taken the token away
		return nil
	}
	return square(cell(from).Step(grid.Direction(a.Direction-1)), from.Floor)
}

func (g *game) validMove(v *rule.View, by string, a *personav1.Move) *rule.Refusal {
	const field = "action.persona.move."
	if _, refusal := g.onTurn(v, by, a.Hand, true); refusal != nil {
		return refusal
	}
	if a.ViaWarp {
		return g.validViaWarp(v, by)
	}
	if a.Direction == personav1.Direction_DIRECTION_UNSPECIFIED && a.To == nil {
		return invalid(field + "direction").Say("move_needs")
	}
	return mayEnter(v, by, target(place(v.Character(by)), a), field+"to")
}

// mayEnter refuses a square that is none of the four beside, and a wall. Whoever stands
// somewhere knows his neighbours, so nothing hidden is told (PER-HID-01).
func mayEnter(v *rule.View, who string, to *typev1.Square, field string) *rule.Refusal {
	from := place(v.Character(who))
	if _, beside := cell(from).Beside(cell(to)); !beside || from.GetFloor() != to.GetFloor() {
		return rule.Refuse(whyNotAdjacent, "PER-MOVE-01", field)
	}
	if knownTerrain(v, who, to) != tablev1.Terrain_TERRAIN_PASSAGE {
		return rule.Refuse(whyBlockedByWall, "PER-SQ-01", field)
	}
	return nil
}

// directionWords are the directions in the order of neighbours.
var directionWords = []string{"up", "right", "down", "left"}

// open are the directions in which somebody can go.
func open(v *rule.View, who string) []string {
	from := place(v.Character(who))
	var out []string
	for d, n := range cell(from).Neighbours() {
		if mayEnter(v, who, square(n, from.GetFloor()), "") == nil {
			out = append(out, directionWords[d])
		}
	}
	return out
}

func (g *game) offerMove(v *rule.View, by string) []*tablev1.Offer {
	if !encounter.In(v.Encounter(), by) || place(v.Character(by)) == nil {
		return nil
	}
	_, refusal := g.onTurn(v, by, personav1.Hand_HAND_UNSPECIFIED, true)
	ways := open(v, by)
	if refusal == nil && len(ways) == 0 {
		refusal = rule.Refuse(whyBlockedByWall, "PER-SQ-01", "")
	}
	o := rule.NewOffer(&personav1.Move{}, refusal, "move")
	o.Inputs = []*tablev1.Input{directionInput("direction", "persona.move.direction", ways)}
	return append([]*tablev1.Offer{o}, g.offerViaWarp(v, by)...)
}

// arrivals are the steps that process what goes off where these have arrived: each
// square once, in the order of the first who arrives there (PER-EXP-06).
func arrivals(steps []step) []proto.Message {
	var out []*personav1.Arrive
	for _, s := range steps {
		i := slices.IndexFunc(out, func(a *personav1.Arrive) bool { return sameSquare(a.Square, s.to) })
		if i < 0 {
			out = append(out, &personav1.Arrive{Square: s.to})
			i = len(out) - 1
		}
		out[i].Characters, out[i].From = append(out[i].Characters, s.who), append(out[i].From, s.from)
	}
	all := make([]proto.Message, len(out))
	for i, a := range out {
		all[i] = a
	}
	return all
}
