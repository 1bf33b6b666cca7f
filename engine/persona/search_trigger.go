package persona

import (
	"slices"

	"github.com/hantei/hantei/engine/rule"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
)

// searchTriggers has what goes off by searching go off, known or not. Who found it with
// a Persona that analyzes may skip that (PER-SRCH-05).
func (g *game) searchTriggers(c *rule.Ctx, by string, s *personav1.SearchTriggers) {
	armed := g.armed(c.State, s.Square)
	if len(armed) == 0 {
		return
	}
	if s.ByPersona {
		a := c.Ask(&rule.Window{
			Name: "skip_search_trigger", Rule: "PER-SRCH-05", Kind: tablev1.WindowKind_WINDOW_KIND_ONE, BecauseOf: by,
			Slots: []rule.Slot{{Character: by, Default: "skip", Choices: []*tablev1.PromptChoice{
				rule.Choice("skip", &personav1.SkipSearchTrigger{}),
				rule.Choice("trigger", &personav1.SkipSearchTrigger{Trigger: true}),
			}}},
		})[0]
		if !rule.Unpack[*personav1.SkipSearchTrigger](a).GetTrigger() {
			return
		}
	}
	steps := make([]proto.Message, len(armed))
	for i, f := range armed {
		steps[i] = &personav1.SearchTrigger{Feature: f.Id}
	}
	c.Then(by, steps...)
}

// armed are the features of a square that go off by searching it: traps, then events,
// each by id.
func (g *game) armed(s *tablev1.State, at *typev1.Square) []*personav1.Feature {
	var traps, events []*personav1.Feature
	for _, f := range featuresOn(s, at) {
		if row := g.pack.trap(f.GetTrap().GetKind()); row != nil && row.Trigger == "search" {
			traps = append(traps, f)
		}
		if f.GetEvent().GetTrigger() == personav1.Trigger_TRIGGER_SEARCH {
			events = append(events, f)
		}
	}
	return append(traps, events...)
}

// searchTrigger has one thing go off, upon the searcher where he stands. As when moving,
// what is left stays as it is once he cannot act any more (PER-MOVE-02).
func (g *game) searchTrigger(c *rule.Ctx, by string, s *personav1.SearchTrigger) {
	f, me := featureOf(c.State, s.Feature), c.Character(by)
	if f == nil || !able(me) || place(me) == nil {
		return
	}
	i := slices.IndexFunc(g.triggers, func(t trigger) bool { return t.kind == kindOf(f) })
	if run := g.triggers[i].run; run != nil {
		c.Then("", run(c, &personav1.Arrive{Square: place(me), Characters: []string{by}}, f)...)
	}
}
