package persona

import (
	"github.com/hantei/hantei/engine/rule"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
)

// eventTrigger are events of the scenario that begin when somebody enters their square
// (PER-SQ-07).
func (g *game) eventTrigger() trigger {
	return trigger{
		kind: kindEvent,
		fires: func(_ *rule.View, _ *personav1.Arrive, f *personav1.Feature) bool {
			return f.GetEvent().Trigger != personav1.Trigger_TRIGGER_SEARCH
		},
		run: func(c *rule.Ctx, a *personav1.Arrive, f *personav1.Feature) []proto.Message {
			g.fireEvent(c, f, present(&c.View, a))
			return nil
		},
	}
}

// fireEvent begins an event of the scenario, set off by these: the GM does what it
// brings, and says when it is done; until then all waits. It is gone afterwards, unless
// it happens again (PER-SQ-07).
func (g *game) fireEvent(c *rule.Ctx, f *personav1.Feature, who []string) {
	ks := knowers(&c.View, on(&c.View, place(c.Character(who[0])), isPC))
	g.learn(c, ks, f, presence, "PER-SQ-07")
	key := textFact(fEventKey, rule.GM, f.GetEvent().Key)
	e := c.Event(eventFired, "PER-SQ-07", "").On(who...)
	g.tellOf(c, e, ks, f)
	addFacts(e, []*typev1.Fact{key})
	c.Emit(e)
	c.Ask(&rule.Window{
		Name: "gm_event", Rule: "PER-SQ-07", Kind: tablev1.WindowKind_WINDOW_KIND_ONE, Facts: []*typev1.Fact{key},
		Slots: []rule.Slot{{Choices: []*tablev1.PromptChoice{rule.Choice("done", &personav1.GmEvent{})}}}, // it waits
	})
	if now := featureOf(c.State, f.Id); now != nil && !now.GetEvent().GetAgain() {
		g.remove(c, now, "PER-SQ-07", "over")
	}
}
