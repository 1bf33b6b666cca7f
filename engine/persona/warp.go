package persona

import (
	"github.com/hantei/hantei/engine/rule"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
)

// warpTrigger are warps, which take away whoever comes to their square, or ask; not
// whom a warp has brought there (PER-SQ-03).
func (g *game) warpTrigger() trigger {
	return trigger{
		kind: kindWarp,
		fires: func(_ *rule.View, a *personav1.Arrive, _ *personav1.Feature) bool {
			return !a.Warped && !a.EventsOnly
		},
		run: func(c *rule.Ctx, a *personav1.Arrive, f *personav1.Feature) []proto.Message {
			who := present(&c.View, a)
			if f.GetWarp().Mode != personav1.WarpMode_WARP_MODE_FORCED {
				who = g.willWarp(c, f, who)
			}
			if now := featureOf(c.State, f.Id); now.GetWarp() != nil { // the GM may have changed it meanwhile
				return g.warp(c, now, who, nil)
			}
			return nil
		},
	}
}

// willWarp asks who of those who have come goes through a warp. That it is there they
// know by the question, where it leads only if they knew it before (PER-SQ-03).
func (g *game) willWarp(c *rule.Ctx, f *personav1.Feature, who []string) []string {
	w := &rule.Window{Name: "warp_choice", Rule: "PER-SQ-03", Kind: tablev1.WindowKind_WINDOW_KIND_OPEN}
	for _, k := range knowers(&c.View, who) {
		g.reveal(c, k, featureOf(c.State, f.Id), presence, "PER-SQ-03")
		if knownAs(c.State, k, f.Id).Detail == data {
			w.Facts = append(w.Facts, &typev1.Fact{Key: fTo.String(), Of: k.of, Squares: []*typev1.Square{f.GetWarp().To}, Audience: k.audience})
		}
	}
	for _, id := range who {
		w.Slots = append(w.Slots, rule.Slot{Character: id, Default: "stay", Choices: []*tablev1.PromptChoice{
			rule.Choice("warp", &personav1.WarpChoice{Warp: true}), rule.Choice("stay", &personav1.WarpChoice{}),
		}})
	}
	w.Apart = apart(&c.View, w)
	var out []string
	for i, a := range c.Ask(w) {
		me := c.Character(who[i])
		if rule.Unpack[*personav1.WarpChoice](a).Warp && able(me) && sameSquare(place(me), f.Square) {
			out = append(out, who[i])
		}
	}
	return out
}

// warp takes these through a warp, and Reapers take the steps that go with it. What it
// returns processes their arrival, which is like that of a move, but that no warp goes
// off (PER-SQ-03).
func (g *game) warp(c *rule.Ctx, f *personav1.Feature, who []string, chases []chase) []proto.Message {
	if len(who) == 0 {
		return nil
	}
	to := f.GetWarp().To
	farther := to.GetFloor() != f.Square.GetFloor()
	var clock []*tablev1.Change
	if farther {
		g.leaveFloor(c, f.Square.GetFloor(), who)
		clock = floorClock(&c.View, to.GetFloor())
	}
	var steps []step
	for _, id := range who {
		ks := knowers(&c.View, []string{id})
		g.learn(c, ks, featureOf(c.State, f.Id), data, "PER-SQ-03")
		e := c.Event(warpUsed, "PER-SQ-03", id).
			Squares(fFrom, "", rule.Public, f.Square).
			Squares(fTo, "", rule.Public, to).
			Change(rule.SetPosition(id, to, rule.Public)).
			Change(clock...).
			Walk(id, []*typev1.Square{to})
		g.tellOf(c, e, ks, f)
		c.Emit(e)
		clock = nil
		steps = append(steps, step{who: id, from: f.Square, to: to})
	}
	met := g.pursue(c, chases)
	if farther {
		for _, k := range knowers(&c.View, who) {
			g.seeFloor(c, k, to.GetFloor())
		}
	}
	g.lookAround(c, steps, "PER-SQ-03")
	return append([]proto.Message{&personav1.Arrive{Square: to, Characters: who, Warped: true}}, met...)
}

// moveByWarp goes through the known warp of the own square (PER-SQ-03). It is no step
// beside those of others, who are not asked; a Reaper that is tied takes its own with it
// (PER-RPR-03).
func (g *game) moveByWarp(c *rule.Ctx, by string, hand personav1.Hand) {
	f := marked(c.State, markHere(&c.View, by, kindWarp))
	chases := g.chases(&c.View, hand, []step{{by, f.Square, f.GetWarp().GetTo()}})
	g.spend(c, by, hand, "move")
	hiddenDecides(c, "warp")
	c.Then("", append(g.warp(c, f, []string{by}, chases), handOver(by, hand, "move"))...)
}

// validViaWarp refuses to go through a warp where none is known, or there is none.
func (g *game) validViaWarp(v *rule.View, by string) *rule.Refusal {
	if markHere(v, by, kindWarp) == nil {
		return rule.Refuse(whyNoWarp, "PER-SQ-03", "action.persona.move.via_warp")
	}
	return nil
}

// offerViaWarp offers to go through the known warp of the own square.
func (g *game) offerViaWarp(v *rule.View, by string) []*tablev1.Offer {
	if markHere(v, by, kindWarp) == nil {
		return nil
	}
	_, refusal := g.onTurn(v, by, personav1.Hand_HAND_UNSPECIFIED, true)
	return []*tablev1.Offer{rule.NewOffer(&personav1.Move{ViaWarp: true}, refusal, "move", "warp")}
}
