package persona

import (
	"slices"

	"github.com/hantei/hantei/engine/grid"
	"github.com/hantei/hantei/engine/rule"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// together are a move with the movement hand, and those of the others who are tied and
// move at the same time, by their order in the party (PER-EXP-06). PCs are asked before
// NPCs; whoever holds keeps the hand for later.
func (g *game) together(c *rule.Ctx, first step) []step {
	steps := []step{first}
	for _, pc := range []bool{true, false} {
		w := &rule.Window{
			Name: "simultaneous_move", Rule: "PER-EXP-06", Kind: tablev1.WindowKind_WINDOW_KIND_OPEN, BecauseOf: first.who,
		}
		for _, s := range steps {
			w.Leads = append(w.Leads, &tablev1.Lead{Character: s.who, Choice: wayOf(s)})
		}
		for _, id := range tiedMovers(&c.View, first.who) {
			if isPC(c.Character(id)) == pc {
				w.Slots = append(w.Slots, holdSlot(&c.View, id))
			}
		}
		if len(w.Slots) == 0 {
			continue
		}
		w.Apart = apart(&c.View, w)
		for i, a := range c.Ask(w) {
			id := w.Slots[i].Character
			d := rule.Unpack[*personav1.SimultaneousMove](a).Direction
			from := place(c.Character(id))
			if d == personav1.Direction_DIRECTION_UNSPECIFIED || !able(c.Character(id)) || from == nil {
				continue
			}
			if to := target(from, &personav1.Move{Direction: d}); mayEnter(&c.View, id, to, "") == nil {
				steps = append(steps, step{who: id, from: from, to: to})
			}
		}
	}
	slices.SortFunc(steps, func(a, b step) int { return index(&c.View, a.who) - index(&c.View, b.who) })
	return steps
}

// wayOf is a step in the words of choices.
func wayOf(s step) string {
	d, _ := cell(s.from).Beside(cell(s.to))
	return directionWords[d]
}

// tiedMovers are the others of both sides of a tie who still hold the movement hand, by
// their order in the party.
func tiedMovers(v *rule.View, besides string) []string {
	var out []string
	for _, id := range explorers(v) {
		c := v.Character(id)
		h := hands(c)
		if id != besides && able(c) && place(c) != nil && h.GetMove() && (h.GetTied() || slices.Contains(v.Encounter().Turn, id) && !h.GetWaiting()) {
			out = append(out, id)
		}
	}
	return out
}

// tiedNPCs are the NPCs whose turn comes right after that of these PCs, since they are as
// quick: their movement hands are there already (PER-EXP-06).
func (g *game) tiedNPCs(v *rule.View, group []string) []string {
	first := v.Character(group[0])
	if !isPC(first) {
		return nil
	}
	var out []string
	for _, id := range explorers(v) {
		c := v.Character(id)
		if !isPC(c) && toCome(c) && able(c) && g.initiative(v, c).Total() == g.initiative(v, first).Total() {
			out = append(out, id)
		}
	}
	return out
}

// holdSlot asks where somebody moves to, if anywhere.
func holdSlot(v *rule.View, who string) rule.Slot {
	s := rule.Slot{Character: who, Default: "hold", Choices: []*tablev1.PromptChoice{rule.Choice("hold", &personav1.SimultaneousMove{})}}
	for _, way := range open(v, who) {
		d := personav1.Direction(slices.Index(directionWords, way) + 1)
		s.Choices = append(s.Choices, rule.Choice(way, &personav1.SimultaneousMove{Direction: d}))
	}
	return s
}

func (g *game) validSimultaneousMove(v *rule.View, _ *tablev1.Window, who string, a *personav1.SimultaneousMove) *rule.Refusal {
	if a.Direction == personav1.Direction_DIRECTION_UNSPECIFIED {
		return nil
	}
	at := place(v.Character(who))
	to := square(cell(at).Step(grid.Direction(a.Direction-1)), at.GetFloor())
	return mayEnter(v, who, to, "answer.persona.simultaneous_move.direction")
}

// apart reports who cannot follow whom in a window: whoever stands on another square, and
// anybody whom it does not ask and who has declared nothing (PER-EXP-06).
func apart(v *rule.View, w *rule.Window) func(who, whom string) bool {
	return func(who, whom string) bool {
		goes := slices.ContainsFunc(w.Slots, func(s rule.Slot) bool { return s.Character == whom }) ||
			slices.ContainsFunc(w.Leads, func(l *tablev1.Lead) bool { return l.Character == whom })
		return !goes || !sameSquare(place(v.Character(who)), place(v.Character(whom)))
	}
}
