package rule

import (
	"github.com/hantei/hantei/engine/dice"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
)

// Ctx is what a rule sees of a table while it resolves: the state, dice, those
// who decide, and the events that it sends off. A rule is straight-line code;
// where it asks, it may be left and run again from the start of its step, with
// the same dice and answers, once the answer is there. It therefore keeps
// nothing between runs and reads the state anew after each Ask.
type Ctx struct {
	View
	rt     Runtime
	oracle Oracle // the runtime, if it is one
	// Audience is who may know of a declared roll, as its sender asked;
	// unspecified for the rules' own audiences.
	Audience typev1.Audience
}

// Runtime runs steps for a Ctx; package resolve has it.
type Runtime interface {
	Throw(label, of string, d dice.Dice, a typev1.Audience) []int32
	Ask(w *Window) []*tablev1.Answered
	AskLater(w *Window)
	Emit(e *tablev1.Event)
	Change(c *tablev1.Change)
	Tell(rule, purpose string)
	Then(steps []*tablev1.Step)
	EventNumber() int32
}

// NewCtx returns a Ctx on a runtime.
func NewCtx(v View, rt Runtime, a typev1.Audience) *Ctx {
	c := &Ctx{View: v, rt: rt, Audience: a}
	c.oracle, _ = rt.(Oracle)
	return c
}

// Roll throws dice and returns their faces. The label is stable for the place
// in the rules and unique within the step; of is who rolls, "" for the table.
// The dice hang on the next event that is emitted.
func (c *Ctx) Roll(label, of string, d dice.Dice) []int32 {
	return c.rt.Throw(label, of, d, typev1.Audience_AUDIENCE_DICE)
}

// RollFor is Roll for dice whose faces tell a value: they are for those who may see it.
func (c *Ctx) RollFor(a typev1.Audience, label, of string, d dice.Dice) []int32 {
	return c.rt.Throw(label, of, d, a)
}

// Percentile throws a hundred-sided die whose face is read. For comparisons there
// is Throw.
func (c *Ctx) Percentile(label, of string) int32 {
	return c.Roll(label, of, dice.Dice{Count: 1, Sides: 100})[0]
}

// Die throws one die.
func (c *Ctx) Die(label, of string, sides int32) int32 {
	return c.Roll(label, of, dice.Dice{Count: 1, Sides: sides})[0]
}

// Event begins an event that follows from a rule. It is public until narrowed.
func (c *Ctx) Event(name EventName, id, actor string) *Event {
	if c.oracle != nil {
		return c.oracle.Bare().event(name, id, actor)
	}
	return NewEvent(name, id, actor)
}

// Emit sends an event off: its changes are made, the loose dice hang on it. It
// returns the event's number in the step, for Because.
func (c *Ctx) Emit(e *Event) int32 {
	c.rt.Emit(e.m)
	return c.rt.EventNumber()
}

// Change makes writes that the next event of the step, or its last one, carries.
// It is for writes that nobody is told of by an event of their own.
func (c *Ctx) Change(changes ...*tablev1.Change) {
	for _, ch := range changes {
		c.rt.Change(ch)
	}
}

// Tell gives the dice thrown since the last event an event of their own.
func (c *Ctx) Tell(rule, purpose string) { c.rt.Tell(rule, purpose) }

// Because names the event of this step that brought it about.
func (e *Event) Because(number int32) *Event {
	e.m.Cause = number
	return e
}

// Then puts steps on the agenda. They run after this one, in the order written.
func (c *Ctx) Then(actor string, steps ...proto.Message) {
	out := make([]*tablev1.Step, len(steps))
	for i, s := range steps {
		out[i] = &tablev1.Step{Actor: actor, What: &tablev1.Step_Args{Args: wrap[*tablev1.StepArgs](s)}}
	}
	c.rt.Then(out)
}

// Ask opens a window and waits until it is settled. It returns one answer for
// each slot, in the order of the slots; nil for one that was withdrawn.
func (c *Ctx) Ask(w *Window) []*tablev1.Answered { return c.rt.Ask(w) }

// AskLater opens a standing window: nothing waits for it. Its answer, or at the
// end of the scene its default, runs the prompt's Settle.
func (c *Ctx) AskLater(w *Window) { c.rt.AskLater(w) }

// AsksLater reports whether standing windows are opened. Of odds they are not: what is
// thrown for them alone need not be then.
func (c *Ctx) AsksLater() bool { return c.oracle == nil || c.oracle.AsksLater() }
