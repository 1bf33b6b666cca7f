package persona

import (
	"slices"

	"github.com/hantei/hantei/engine/effect"
	"github.com/hantei/hantei/engine/rule"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
)

// searchDisarm has the searcher try to disarm traps that are known on the square, each
// once; a failure has no effect of its own (PER-SRCH-04).
func (g *game) searchDisarm(c *rule.Ctx, by string, s *personav1.SearchDisarm) {
	hiddenDecides(c, "disarm_choice")
	var names []string
	for _, f := range featuresOn(c.State, s.Square) {
		if name := g.knownTrap(&c.View, by, f); name != "" {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return
	}
	a := askSubset(c, by, "disarm_choice", "traps", "PER-SRCH-04", names, func(all []string) proto.Message {
		return &personav1.DisarmChoice{Traps: all}
	})
	chosen := rule.Unpack[*personav1.DisarmChoice](a).GetTraps()
	tries := int32(0)
	for _, f := range featuresOn(c.State, s.Square) {
		name := g.knownTrap(&c.View, by, f)
		if name == "" || !slices.Contains(chosen, name) {
			continue
		}
		tries++
		target, parts := g.disarmTarget(&c.View, c.Character(by))
		// The die shows to those too who do not know the trap: it is named by its turn.
		if g.roll(c, check{label: "check/" + text(tries), by: by, name: "disarm", target: target, parts: parts, id: "PER-SRCH-04"}) {
			g.remove(c, f, "PER-SRCH-04", "disarmed")
		}
	}
}

// knownTrap names a trap of which somebody knows, by the number of its mark and as far
// as it is known by its kind; it is empty for anything else.
func (g *game) knownTrap(v *rule.View, who string, f *personav1.Feature) string {
	known := knownAs(v.State, knowerOf(v, who), f.Id)
	if f.GetTrap() == nil || known == nil {
		return ""
	}
	if row := g.pack.trap(f.GetTrap().Kind); row != nil && known.Detail == data {
		return thing(known, row.ID)
	}
	return thing(known, kindTrap)
}

// disarmTarget is the target of disarming (PER-SRCH-04): the moon does not count in it
// (PER-DUN-03).
func (g *game) disarmTarget(v *rule.View, me *tablev1.Character) (*effect.Value, []*typev1.TraceLine) {
	agility := g.agility(v, me)
	return effect.Begin(me.Id, rule.Values, "disarm", "PER-SRCH-04", 50).
		Add("dungeon_level", "PER-SRCH-04", -tableDetails(v.State).GetConditions().GetLevel()).
		Add("agility", "PER-CHK-05", agility.Total()), agility.Trace()
}

func validDisarm(_ *rule.View, w *tablev1.Window, who string, a *personav1.DisarmChoice) *rule.Refusal {
	return subset(w, who, "answer.persona.disarm_choice.traps", a.Traps, func(ch *tablev1.PromptChoice) []string {
		return ch.GetAnswer().GetPersona().GetDisarmChoice().GetTraps()
	})
}
