package resolve

import (
	"slices"

	"github.com/hantei/hantei/engine/prompt"
	"github.com/hantei/hantei/engine/rule"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

// Ask opens a window and returns its answers, one for each slot. It suspends the
// step where the journal ends before the window is settled.
func (x *execution) Ask(ask *rule.Window) []*tablev1.Answered {
	if x.lever {
		panic("resolve: a lever asks")
	}
	x.flushDice()
	answers := make([]*tablev1.Answered, len(ask.Slots))
	w, slots := x.window(ask, answers)
	if len(w.Slots) == 0 {
		// Nobody has a choice. The window is kept all the same: who addresses it
		// is told why he was not asked.
		x.Change(rule.SetWindow(w))
		return answers
	}
	w.Open = true
	x.emitWindow(namePromptOpened, w, nil)
	fresh := x.next() == nil
	for w.Open {
		// Only while it is open: what a lever did after it closed was done at a later window.
		x.injected()
		var a *tablev1.Answered
		if x.next() != nil {
			a = x.take(w.Name).GetAnswer()
		} else if a = x.byPolicy(w, ask, fresh, answers); a == nil {
			panic(suspension{})
		}
		i := slotOf(w, a.Character)
		if i < 0 {
			panic(failed{x.r.freeze(&DivergedError{Event: -1, Detail: "an answer of " + a.Character + ", who is not asked"})})
		}
		answers[slots[i]] = a
		w = x.answered(w, i, a, ask)
	}
	return answers
}

// window makes the window with the slots of those who have something to decide;
// the others' defaults go into answers. It returns which slot of the rule each is.
func (x *execution) window(ask *rule.Window, answers []*tablev1.Answered) (*tablev1.Window, []int) {
	w := &tablev1.Window{
		Id: x.id(), Name: ask.Name, Rule: ask.Rule, Kind: ask.Kind, BecauseOf: ask.BecauseOf, About: ask.About,
		Facts: ask.Facts, Leads: ask.Leads, Audience: ask.Audience,
	}
	if w.Audience == typev1.Audience_AUDIENCE_UNSPECIFIED {
		w.Audience = x.secret()
	}
	always := x.r.View(rule.Seat{}).Option("window_policy") == "always_ask"
	var which []int
	for i, s := range ask.Slots {
		if !always && prompt.OnlyDefault(s.Choices, s.Default) {
			answers[i] = defaultAnswer(s.Character, s.Choices, s.Default)
			continue
		}
		which = append(which, i)
		w.Slots = append(w.Slots, &tablev1.Slot{
			Id: x.id(), Character: s.Character, State: tablev1.SlotState_SLOT_STATE_OPEN, Choices: s.Choices, DefaultChoice: s.Default,
		})
	}
	return w, which
}

// secret is the audience of what happens around a declared roll that not
// everybody may know of.
func (x *execution) secret() typev1.Audience {
	if a := x.run.step.GetAudience(); a != typev1.Audience_AUDIENCE_UNSPECIFIED {
		return a
	}
	return typev1.Audience_AUDIENCE_PUBLIC
}

// answered takes an answer: the slot is settled, and the window with it where
// the answer ends it.
func (x *execution) answered(w *tablev1.Window, i int, a *tablev1.Answered, ask *rule.Window) *tablev1.Window {
	taken := ask.Takes != nil && ask.Takes(a.Answer)
	next := settled(w, i, tablev1.SlotState_SLOT_STATE_ANSWERED, taken)
	if taken {
		next.TakenBy = a.Character
	}
	var chosen []string
	if a.Choice != "" {
		chosen = append(chosen, a.Choice)
		chosen = append(chosen, prompt.Choice(w.Slots[i].Choices, a.Choice).GetLabel()...)
	}
	x.emitWindow(namePromptAnswered, next, next.Slots[i], chosen...)
	if !taken {
		return next
	}
	x.dropLate()
	for j, s := range next.Slots {
		if s.State != tablev1.SlotState_SLOT_STATE_OPEN {
			continue
		}
		next = settled(next, j, tablev1.SlotState_SLOT_STATE_WITHDRAWN, true)
		x.emitWindow(namePromptWithdrawn, next, next.Slots[j])
	}
	return next
}

// dropLate drops the answers that came with the one that has just ended the window:
// they are too late, and no window waits for them. A stored journal has none of them.
func (x *execution) dropLate() {
	if x.at > x.run.since && x.r.redo == nil {
		x.run.late = len(x.run.journal) - x.at
		x.run.journal = x.run.journal[:x.at:x.at]
	}
}

// settled is the window with one more slot settled: open while another one is
// and nobody has taken it.
func settled(w *tablev1.Window, i int, state tablev1.SlotState, taken bool) *tablev1.Window {
	out := &tablev1.Window{
		Id: w.Id, Name: w.Name, Rule: w.Rule, Kind: w.Kind, BecauseOf: w.BecauseOf, About: w.About, Standing: w.Standing,
		TakenBy: w.TakenBy, Facts: w.Facts, Dice: w.Dice, Leads: w.Leads, Audience: w.Audience,
		Slots: slices.Clone(w.Slots),
	}
	s := w.Slots[i]
	out.Slots[i] = &tablev1.Slot{Id: s.Id, Character: s.Character, State: state}
	if w.Kind == tablev1.WindowKind_WINDOW_KIND_FIRST_TAKER {
		// Who comes too late shall be told so by the rules, not that there is no
		// such choice.
		out.Slots[i].Choices = s.Choices
	}
	for _, s := range out.Slots {
		out.Open = out.Open || s.State == tablev1.SlotState_SLOT_STATE_OPEN && !taken
	}
	return out
}

// AskLater opens a standing window.
func (x *execution) AskLater(ask *rule.Window) {
	x.flushDice()
	w, _ := x.window(ask, make([]*tablev1.Answered, len(ask.Slots)))
	if len(w.Slots) == 0 {
		return
	}
	w.Open, w.Standing = true, true
	x.emitWindow(namePromptOpened, w, nil)
}

// emitWindow tells that a window changed: it opened, or one of its slots was settled, with
// the choice and what that is called if somebody chose.
func (x *execution) emitWindow(name rule.EventName, w *tablev1.Window, slot *tablev1.Slot, choice ...string) {
	e := rule.NewEvent(name, w.Rule, w.BecauseOf).For(w.Audience).Words(factPrompt, "", rule.Public, w.Name)
	asked := w.Slots
	if slot != nil {
		asked = []*tablev1.Slot{slot}
	}
	for _, s := range asked {
		if s.Character != "" { // the GM is no character
			e.On(s.Character)
		}
	}
	if len(choice) > 0 {
		// The choice shows by what comes of it; until then it is the chooser's.
		e.Words(factChoice, slot.Character, rule.Chooser(slot.Character), choice...)
	}
	x.emit(e.Change(rule.SetWindow(w)).Message())
}

// flushDice gives dice that no event has taken an event of their own.
func (x *execution) flushDice() {
	if len(x.loose) > 0 {
		x.Tell("", x.loose[0].Label)
	}
}

// Tell gives the loose dice an event of their own. Where no character acts it is of
// whoever threw them all.
func (x *execution) Tell(id, purpose string) {
	actor := x.run.step.GetActor()
	if of := x.loose[0].Of; actor == "" && !slices.ContainsFunc(x.loose, func(d *typev1.Die) bool { return d.Of != of }) {
		actor = of
	}
	e := rule.NewEvent(nameDiceRolled, id, actor).For(x.secret()).Words(factPurpose, "", rule.Public, purpose).Message()
	e.Dice, x.loose = append(e.Dice, x.loose...), x.loose[:0]
	x.emit(e)
}

func (x *execution) id() string {
	x.opened++
	return x.r.ids(x.run.commit, x.run.run, x.opened)
}

func slotOf(w *tablev1.Window, character string) int {
	for i, s := range w.Slots {
		if s.Character == character && s.State == tablev1.SlotState_SLOT_STATE_OPEN {
			return i
		}
	}
	return -1
}

func defaultAnswer(character string, choices []*tablev1.PromptChoice, def string) *tablev1.Answered {
	return &tablev1.Answered{
		Character: character, Choice: def, By: tablev1.AnsweredBy_ANSWERED_BY_DEFAULT,
		Answer: prompt.Choice(choices, def).GetAnswer(),
	}
}
