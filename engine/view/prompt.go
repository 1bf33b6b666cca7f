package view

import (
	"slices"

	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// Prompts returns the open slots that the viewer may answer, in the order in
// which they were opened. They have no texts; see RenderPrompt.
func Prompts(s *tablev1.State, v Viewer, vis *tablev1.Visibility) []*tablev1.PromptView {
	g := newGaze(v, vis)
	var out []*tablev1.PromptView
	for _, w := range s.Windows {
		for _, slot := range w.Slots {
			if isOpen(w, slot) && g.answers(slot.Character) {
				out = append(out, g.prompt(w, slot))
			}
		}
	}
	return out
}

func (g *gaze) prompt(w *tablev1.Window, slot *tablev1.Slot) *tablev1.PromptView {
	g.window, g.within = w, true
	out := &tablev1.PromptView{
		Id:            slot.Id,
		Window:        w.Id,
		Name:          w.Name,
		Rule:          w.Rule,
		Kind:          w.Kind,
		Character:     slot.Character,
		BecauseOf:     g.name(w.BecauseOf),
		About:         g.name(w.About),
		Standing:      w.Standing,
		DefaultChoice: slot.DefaultChoice,
		Facts:         seenAll(g, w.Facts, factPlan, w.BecauseOf),
		Dice:          w.Dice,
	}
	for _, c := range slot.Choices {
		out.Choices = append(out.Choices, &tablev1.ChoiceView{
			Id:       c.Id,
			Answer:   fresh(c.Answer),
			Inputs:   inputs(c.Inputs),
			Possible: c.Possible,
			Reason:   c.Reason,
			Label:    slices.Clone(c.Label),
		})
	}
	return out
}

// Waiting returns all open slots, as far as the viewer may know of them: that
// somebody is asked, not what is asked. Of those that the viewer may not know of,
// it tells only which seats are waited for, once, however many there are; and of
// standing ones, for which nothing waits, nothing.
func Waiting(s *tablev1.State, v Viewer, vis *tablev1.Visibility, seats []*tablev1.Seat) []*tablev1.WaitingView {
	g := newGaze(v, vis)
	var out []*tablev1.WaitingView
	for _, w := range s.Windows {
		for _, slot := range w.Slots {
			if !isOpen(w, slot) {
				continue
			}
			if w.Standing && !g.knowsSlot(w, slot) {
				continue
			}
			row := &tablev1.WaitingView{Blocking: !w.Standing, Seats: answering(slot, vis, seats)}
			if g.knowsSlot(w, slot) {
				row.Name, row.Character = w.Name, slot.Character
			} else if slices.ContainsFunc(out, func(o *tablev1.WaitingView) bool { return proto.Equal(o, row) }) {
				continue
			}
			out = append(out, row)
		}
	}
	return out
}

// answering are the seats that may answer a slot.
func answering(slot *tablev1.Slot, vis *tablev1.Visibility, seats []*tablev1.Seat) []string {
	var out []string
	for _, seat := range seats {
		g := newGaze(ViewerOf(seat), vis)
		if g.answers(slot.Character) {
			out = append(out, seat.Id)
		}
	}
	return out
}

// windows are the windows as far as offers depend on them: which questions wait,
// whose, and which are settled, as Waiting tells it.
func (g *gaze) windows(all []*tablev1.Window) []*tablev1.Window {
	var out []*tablev1.Window
	for _, w := range all {
		seen := &tablev1.Window{Open: w.Open, Standing: w.Standing}
		if g.knowsWindow(w) {
			seen.Id, seen.Name, seen.Rule, seen.Kind = w.Id, w.Name, w.Rule, w.Kind
			seen.BecauseOf, seen.About, seen.TakenBy = g.name(w.BecauseOf), g.name(w.About), g.name(w.TakenBy)
		}
		for _, slot := range w.Slots {
			if g.knowsSlot(w, slot) {
				seen.Slots = append(seen.Slots, &tablev1.Slot{Character: slot.Character, State: slot.State})
			}
		}
		out = append(out, seen)
	}
	return out
}

// knowsWindow reports whether the viewer may know what a window is about: by its
// audience, and whoever is asked.
func (g *gaze) knowsWindow(w *tablev1.Window) bool {
	g.window, g.within = w, true
	if g.knows(w.BecauseOf) && g.may(w.Audience, w.BecauseOf) {
		return true
	}
	return slices.ContainsFunc(w.Slots, func(s *tablev1.Slot) bool { return g.answers(s.Character) })
}

// knowsSlot reports whether the viewer may know that the slot's character is asked.
func (g *gaze) knowsSlot(w *tablev1.Window, slot *tablev1.Slot) bool {
	return g.answers(slot.Character) || g.knowsWindow(w) && g.knows(slot.Character)
}

// name is a character's id, or "" if the viewer may not know of it.
func (g *gaze) name(id string) string {
	if g.knows(id) {
		return id
	}
	return ""
}

func isOpen(w *tablev1.Window, s *tablev1.Slot) bool {
	return w.Open && s.State == tablev1.SlotState_SLOT_STATE_OPEN
}

// inputs are the inputs as they are sent, still without texts.
func inputs(all []*tablev1.Input) []*tablev1.InputView {
	var out []*tablev1.InputView
	for _, in := range all {
		iv := &tablev1.InputView{
			Name:     in.Name,
			Path:     in.Path,
			Kind:     in.Kind,
			MinCount: in.MinCount,
			MaxCount: in.MaxCount,
			Min:      in.Min,
			Max:      in.Max,
			Reach:    fresh(in.Reach),
			Budget:   in.Budget,
		}
		for i, value := range in.Choices {
			c := &tablev1.ValueChoice{Value: value}
			if i < len(in.Takes) {
				c.Take = fresh(in.Takes[i])
			}
			iv.Choices = append(iv.Choices, c)
		}
		out = append(out, iv)
	}
	return out
}

// fresh copies a message that the viewer sees whole, without the fields that this
// build does not know.
func fresh[M proto.Message](m M) M {
	c := proto.Clone(m).(M)
	forget(c.ProtoReflect())
	return c
}

func forget(m protoreflect.Message) {
	if !m.IsValid() {
		return
	}
	m.SetUnknown(nil)
	m.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case fd.IsMap() || fd.Message() == nil:
		case fd.IsList():
			for i := range v.List().Len() {
				forget(v.List().Get(i).Message())
			}
		default:
			forget(v.Message())
		}
		return true
	})
}
