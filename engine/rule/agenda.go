package rule

import (
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// maxAgenda is how many steps can be on the agenda.
const maxAgenda = 64

// RunStep resolves a step: an action that was declared, the answer to a standing
// prompt, or a step of the agenda, which is taken off it first.
func (r *Ruleset) RunStep(c *Ctx, step *tablev1.Step) {
	switch what := step.What.(type) {
	case *tablev1.Step_Action:
		info, m := r.Action(what.Action)
		info.Run(c, step.Actor, m)
	case *tablev1.Step_Standing:
		Settle(c, r, what.Standing.Window, what.Standing.Answered)
	case *tablev1.Step_Args:
		agenda := c.State.Agenda
		c.Change(setAgenda(agenda[: len(agenda)-1 : len(agenda)-1]))
		r.runArgs(c, step)
	}
}

// runArgs resolves a step of the agenda.
func (r *Ruleset) runArgs(c *Ctx, s *tablev1.Step) {
	m, _ := Unwrap(s.GetArgs())
	run := r.steps[m.ProtoReflect().Descriptor().FullName()]
	if run == nil {
		panic("rule: unregistered step " + string(m.ProtoReflect().Descriptor().FullName()))
	}
	run(c, s.Actor, m)
}

// Push is the change that puts steps on an agenda, the first of them to run next, or
// a *BudgetError.
func Push(agenda, steps []*tablev1.Step) (*tablev1.Change, error) {
	after := make([]*tablev1.Step, 0, len(agenda)+len(steps))
	after = append(after, agenda...)
	for i := len(steps) - 1; i >= 0; i-- {
		after = append(after, steps[i])
	}
	if len(after) > maxAgenda {
		return nil, &BudgetError{What: "steps on the agenda", Limit: maxAgenda}
	}
	return setAgenda(after), nil
}

func setAgenda(after []*tablev1.Step) *tablev1.Change {
	return &tablev1.Change{Change: &tablev1.Change_Agenda{Agenda: &tablev1.AgendaChange{After: after}}}
}
