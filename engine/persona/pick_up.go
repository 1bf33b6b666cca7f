package persona

import (
	"math"
	"slices"

	"github.com/hantei/hantei/engine/effect"
	"github.com/hantei/hantei/engine/rule"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
)

// searchPickUp has the searcher take items that are found on the square, from beside it
// too (PER-SRCH-03).
func (g *game) searchPickUp(c *rule.Ctx, by string, s *personav1.SearchPickUp) {
	if c.Flag("pickup_same_square_only") && !sameSquare(place(c.Character(by)), s.Square) {
		return
	}
	hiddenDecides(c, "pickup_choice")
	names := g.takeable(&c.View, by, s.Square)
	if len(names) == 0 {
		return
	}
	a := askSubset(c, by, "pickup_choice", "take", "PER-SRCH-03", names, func(all []string) proto.Message {
		return &personav1.PickupChoice{Take: all}
	})
	taken := rule.Unpack[*personav1.PickupChoice](a).GetTake()
	for _, f := range featuresOn(c.State, s.Square) {
		g.pickUp(c, by, f, taken)
	}
}

// askSubset asks whoever searches for none of these names, for all, or for some of them:
// those of the input of a prompt.
func askSubset(c *rule.Ctx, who, prompt, input, id string, names []string, answer func(chosen []string) proto.Message) *tablev1.Answered {
	s := rule.Slot{Character: who, Default: "none", Choices: []*tablev1.PromptChoice{
		rule.Choice("none", answer(nil)), rule.Choice("all", answer(names)),
	}}
	if len(names) > 1 {
		some := rule.ChoiceInput(input, "persona."+prompt+"."+input, names)
		some.MaxCount = int32(len(names))
		s.Choices = append(s.Choices, rule.Choice(input, answer(nil), some))
	}
	return c.Ask(&rule.Window{
		Name: prompt, Rule: id, Kind: tablev1.WindowKind_WINDOW_KIND_ONE, BecauseOf: who, Slots: []rule.Slot{s},
	})[0]
}

// subset refuses names that a question does not offer. all gives those of the choice
// that has them all.
func subset(w *tablev1.Window, who, field string, names []string, all func(*tablev1.PromptChoice) []string) *rule.Refusal {
	for _, s := range w.Slots {
		if s.Character != who {
			continue
		}
		for _, ch := range s.Choices {
			if ch.Id != "all" {
				continue
			}
			for _, n := range names {
				if offered := all(ch); !slices.Contains(offered, n) {
					return invalid(field).Suggest(n, offered)
				}
			}
		}
	}
	return nil
}

func validPickup(_ *rule.View, w *tablev1.Window, who string, a *personav1.PickupChoice) *rule.Refusal {
	return subset(w, who, "answer.persona.pickup_choice.take", a.Take, func(ch *tablev1.PromptChoice) []string {
		return ch.GetAnswer().GetPersona().GetPickupChoice().GetTake()
	})
}

// takeable names what somebody can take of a square: what is known of it with its
// contents, and can be carried.
func (g *game) takeable(v *rule.View, who string, at *typev1.Square) []string {
	me := v.Character(who)
	var out []string
	for _, f := range featuresOn(v.State, at) {
		known := knownAs(v.State, knowerOf(v, who), f.Id)
		if f.GetItem() == nil || known.GetDetail() != data {
			continue
		}
		for _, i := range f.GetItem().Items {
			if name := thing(known, i.Item); g.room(me, i.Item) > 0 && !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
		if f.GetItem().Macca > 0 {
			out = append(out, thing(known, kMacca))
		}
	}
	return out
}

// thing names what is to be had of a mark, for questions.
func thing(known *tablev1.KnownAs, what string) string { return text(known.GetNumber()) + "." + what }

// room is how many more of an item somebody can carry (PER-MAC-09).
func (g *game) room(c *tablev1.Character, item string) int32 {
	row := g.pack.item(item)
	if row == nil || row.Limit == nil {
		return math.MaxInt32 - carried(c, item)
	}
	return max(0, *row.Limit-carried(c, item))
}

// pickUp takes from a feature what of it was named, as far as it can be carried; what
// is empty then is gone (PER-SRCH-03, PER-SQ-04).
func (g *game) pickUp(c *rule.Ctx, by string, f *personav1.Feature, named []string) {
	known := knownAs(c.State, knowerOf(&c.View, by), f.Id)
	if f.GetItem() == nil || known == nil {
		return
	}
	left := proto.CloneOf(f)
	took := func(e *rule.Event) {
		if t := left.GetItem(); len(t.Items) > 0 || t.Macca > 0 {
			e.Change(g.setFeature(c.State, left)...)
		}
		c.Emit(e)
	}
	for _, i := range f.GetItem().Items {
		value := effect.Begin(by, rule.Values, i.Item, "PER-SQ-04", i.Count).
			Clamp("room_left", "PER-MAC-09", 0, g.room(c.Character(by), i.Item))
		fits := value.Total()
		if fits == 0 || !slices.Contains(named, thing(known, i.Item)) {
			continue
		}
		lessen(left.GetItem(), i.Item, fits)
		took(c.Event(itemGained, "PER-SRCH-03", by).
			Words(fItem, "", rule.Values, i.Item).
			Number(fCount, "", rule.Values, fits).
			Words(fReason, "", rule.Values, "picked_up").
			Trace(value.Trace()...).
			Change(setCarried(by, i.Item, carried(c.Character(by), i.Item)+fits)))
	}
	if macca := left.GetItem().Macca; macca > 0 && slices.Contains(named, thing(known, kMacca)) {
		left.GetItem().Macca = 0
		now := resource(c.Character(by), kMacca) + macca
		took(c.Event(maccaChanged, "PER-SRCH-03", by).
			Number(fDelta, "", rule.Values, macca).
			Number(fValue, "", rule.Values, now).
			Words(fReason, "", rule.Values, "picked_up").
			Change(setResource(c.Character(by), kMacca, now)))
	}
	if t := left.GetItem(); len(t.Items) == 0 && t.Macca == 0 {
		g.remove(c, f, "PER-SQ-04", "taken")
	}
}

// lessen takes items away from a treasure.
func lessen(t *personav1.Treasure, item string, by int32) {
	for i, row := range t.Items {
		if row.Item != item {
			continue
		}
		if row.Count -= by; row.Count <= 0 {
			t.Items = slices.Delete(t.Items, i, i+1)
		}
		return
	}
}
