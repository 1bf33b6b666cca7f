package persona

import (
	"slices"

	"github.com/hantei/hantei/engine/rule"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	"google.golang.org/protobuf/proto"
)

// trigger is a kind of feature that can go off where somebody arrives.
type trigger struct {
	kind string
	// fires reports whether a feature of the kind goes off at an arrival; nil for never.
	fires func(v *rule.View, a *personav1.Arrive, f *personav1.Feature) bool
	// run has it go off. What it returns runs before the next feature of the square.
	run func(c *rule.Ctx, a *personav1.Arrive, f *personav1.Feature) []proto.Message
}

// arrive processes what goes off where somebody has arrived, one feature in each step:
// traps, then enemies, then events, then warps, each by id (PER-MOVE-02). What is left
// when nobody who arrived can act there any more stays as it is. At last the Reaper may
// be met.
func (g *game) arrive(c *rule.Ctx, _ string, a *personav1.Arrive) {
	if c.Encounter().GetStep() != phaseActive {
		return
	}
	if len(present(&c.View, a)) == 0 {
		return
	}
	for i := int(a.Kind); i < len(g.triggers); i++ {
		for _, f := range featuresOn(c.State, a.Square) {
			t := g.triggers[i]
			if kindOf(f) != t.kind || i == int(a.Kind) && f.Id <= a.After || t.fires == nil || !t.fires(&c.View, a, f) {
				continue
			}
			next := proto.CloneOf(a)
			next.Kind, next.After = int32(i), f.Id
			c.Then("", append(t.run(c, a, f), next)...)
			return
		}
	}
	g.meetReaper(c, a)
}

// present are those who have arrived, are still there and can act, by their order in
// the party.
func present(v *rule.View, a *personav1.Arrive) []string {
	var out []string
	for _, id := range a.Characters {
		c := v.Character(id)
		if able(c) && place(c) != nil && sameSquare(place(c), a.Square) {
			out = append(out, id)
		}
	}
	return slices.Clip(inOrder(v, out))
}
