package resolve

import (
	"github.com/hantei/hantei/engine/prompt"
	"github.com/hantei/hantei/engine/rule"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// byPolicy answers one open slot of a window by its policy, or returns nil: then
// somebody must be asked. fresh is true in the run that opened the window: what
// was asked then goes on being asked, but for those who follow somebody, who
// were waiting for that one's answer.
//
// The answer goes into the journal, so that a replay needs no policies.
func (x *execution) byPolicy(w *tablev1.Window, ask *rule.Window, fresh bool, answers []*tablev1.Answered) *tablev1.Answered {
	if x.env.Policy == nil {
		return nil
	}
	for _, s := range w.Slots {
		if s.State != tablev1.SlotState_SLOT_STATE_OPEN {
			continue
		}
		choice := x.policyChoice(w, s, ask, fresh, answers)
		if choice == "" {
			continue
		}
		a, err := x.r.check(x.r.View(rule.Seat{GM: true}), w, SlotAnswer{
			Character: s.Character, Choice: choice, By: tablev1.AnsweredBy_ANSWERED_BY_POLICY,
		})
		if err != nil {
			continue // it cannot be carried out: the seat is asked
		}
		entry := &tablev1.JournalEntry{Label: w.Name, Entry: &tablev1.JournalEntry_Answer{Answer: a}}
		x.added = append(x.added, entry)
		return a
	}
	return nil
}

// policyChoice is the choice that a slot's policy makes now; "" for none.
func (x *execution) policyChoice(w *tablev1.Window, s *tablev1.Slot, ask *rule.Window, fresh bool, answers []*tablev1.Answered) string {
	p := x.env.Policy(s.Character, w.Name)
	if p.GetFollow() != "" {
		return x.followed(w, s, ask, answers)
	}
	switch what := p.GetWhat().(type) {
	case *tablev1.Policy_TakeDefault:
		if fresh {
			return s.DefaultChoice
		}
	case *tablev1.Policy_Choice:
		if fresh {
			return what.Choice
		}
	}
	return ""
}

// followed is the choice of whoever a slot follows, at the end of the chain of
// those who follow each other: what they declared before the window or chose in
// it. "" while that is open, or if there is nobody to follow; a circle takes the
// default, and so does whoever cannot follow (rule.Window.Apart).
func (x *execution) followed(w *tablev1.Window, s *tablev1.Slot, ask *rule.Window, answers []*tablev1.Answered) string {
	seen := map[string]bool{s.Character: true}
	who := x.env.Policy(s.Character, w.Name).GetFollow()
	for {
		if seen[who] || ask.Apart != nil && ask.Apart(s.Character, who) {
			return s.DefaultChoice
		}
		seen[who] = true
		for _, l := range w.Leads {
			if l.Character == who {
				return l.Choice
			}
		}
		for _, a := range answers {
			if a != nil && a.Character == who {
				return a.Choice
			}
		}
		next := x.env.Policy(who, w.Name).GetFollow()
		if prompt.Open(w, who) == nil || next == "" {
			return ""
		}
		who = next
	}
}

// rollsByPolicy reports whether somebody who throws by hand lets the server roll.
func (x *execution) rollsByPolicy(of string) bool {
	if x.env.Policy == nil {
		return false
	}
	p := x.env.Policy(of, DicePrompt)
	return p.GetTakeDefault() || p.GetChoice() == rollChoice
}
