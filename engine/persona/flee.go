package persona

import (
	"github.com/hantei/hantei/engine/prompt"
	"github.com/hantei/hantei/engine/rule"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
)

// battleFlee has those who have surprised the enemy flee, if they agree: the battle is
// over, without rewards, and each goes to a square beside (PER-SB-08). The enemy stays.
func (g *game) battleFlee(c *rule.Ctx, _ string, _ *personav1.BattleFlee) {
	if !g.agreed(c) {
		c.Then("", &personav1.BattleAttack{})
		return
	}
	steps := g.destinations(c)
	g.endBattle(c, "PER-SB-08", "fled")
	for _, s := range steps {
		g.put(c, s.who, s.to, "PER-SB-08", "fled")
	}
	g.lookAround(c, steps, "PER-SB-08")
	met := arrivals(steps)
	if !c.Flag("flee_triggers") { // nothing that lies there goes off: the Reaper alone can be met
		for _, a := range met {
			a.(*personav1.Arrive).Kind = int32(len(g.triggers))
		}
	}
	c.Then("", met...)
}

// agreed asks all who can act whether to flee. All must agree, or with option
// flee_consent any one decides; the answer that decides ends the question (PER-SB-08).
func (g *game) agreed(c *rule.Ctx) bool {
	anyone := c.Option("flee_consent") == "any"
	w := &rule.Window{
		Name: "flee_vote", Rule: "PER-SB-08", Kind: tablev1.WindowKind_WINDOW_KIND_OPEN,
		Takes: func(a *tablev1.Answer) bool { return a.GetPersona().GetFleeVote().GetFlee() == anyone },
	}
	for _, id := range fighters(&c.View) {
		w.Slots = append(w.Slots, rule.Slot{Character: id, Default: "no", Choices: []*tablev1.PromptChoice{
			rule.Choice("yes", &personav1.FleeVote{Flee: true}), rule.Choice("no", &personav1.FleeVote{}),
		}})
	}
	for _, a := range c.Ask(w) {
		if a != nil && rule.Unpack[*personav1.FleeVote](a).Flee == anyone {
			return anyone
		}
	}
	return !anyone && len(w.Slots) > 0
}

// destinations asks where everybody flees to; who has no way stays where he is.
func (g *game) destinations(c *rule.Ctx) []step {
	w := &rule.Window{Name: "flee_destination", Rule: "PER-SB-08", Kind: tablev1.WindowKind_WINDOW_KIND_OPEN}
	var out []step
	for _, id := range fighters(&c.View) {
		from := place(c.Character(id))
		if ways := beside(&c.View, id); len(ways) > 0 {
			w.Slots = append(w.Slots, fleeSlot(c.State, id, ways))
			out = append(out, step{who: id, from: from})
		}
	}
	for i, a := range c.Ask(w) {
		out[i].to = rule.Unpack[*personav1.FleeDestination](a).Square
	}
	return out
}

// beside are the squares that somebody can go to, in the order of neighbours.
func beside(v *rule.View, who string) []*typev1.Square {
	from := place(v.Character(who))
	var out []*typev1.Square
	for _, n := range cell(from).Neighbours() {
		if to := square(n, from.GetFloor()); mayEnter(v, who, to, "") == nil {
			out = append(out, to)
		}
	}
	return out
}

// fleeSlot asks for one of these squares; the one that he came from unless said, or
// else the first.
func fleeSlot(s *tablev1.State, who string, ways []*typev1.Square) rule.Slot {
	slot := squareSlot(who, ways, func(to *typev1.Square) proto.Message { return &personav1.FleeDestination{Square: to} })
	from := combatant(s, who).GetFrom()
	for i, to := range ways {
		if from != nil && sameSquare(from, to) {
			slot.Default = slot.Choices[i].Id
		}
	}
	return slot
}

// squareSlot asks for one of these squares, the first unless said.
func squareSlot(who string, ways []*typev1.Square, answer func(to *typev1.Square) proto.Message) rule.Slot {
	slot := rule.Slot{Character: who}
	for _, to := range ways {
		slot.Choices = append(slot.Choices, rule.Choice("square."+prompt.SquareText(to), answer(to)))
	}
	slot.Default = slot.Choices[0].Id
	return slot
}

func (g *game) validFleeDestination(v *rule.View, _ *tablev1.Window, who string, a *personav1.FleeDestination) *rule.Refusal {
	return mayEnter(v, who, a.Square, "answer.persona.flee_destination.square")
}
