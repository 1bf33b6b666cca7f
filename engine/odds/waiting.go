package odds

import (
	"fmt"

	"github.com/hantei/hantei/engine/rule"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"google.golang.org/protobuf/proto"
)

// Waiting is a step that waits for somebody: what it is, and what it has met so far. Its
// odds are those of what can still come.
type Waiting struct {
	// Step that waits.
	Step *tablev1.Step
	// Journal are the dice and the answers that it has had, in order, and what was done
	// while it waited.
	Journal []*tablev1.JournalEntry
	// Character whose answers are compared, where several are asked at once; "" is the GM.
	Character string
	// Now is the state where it waits. It is only read.
	Now *tablev1.State
}

// first is the step that a query begins with.
func (q *Query) first() *tablev1.Step {
	if q.Waiting != nil {
		return q.Waiting.Step
	}
	return &tablev1.Step{Actor: q.Actor, What: &tablev1.Step_Action{Action: q.Action}}
}

// now is the state that what can come is held against.
func (q *Query) now() *tablev1.State {
	if q.Waiting != nil {
		return q.Waiting.Now
	}
	return q.State
}

// next is what the step that waits has met next; nil where it waits, and after that.
func (w *walk) next() *tablev1.JournalEntry {
	if w.past {
		if w.had < len(w.q.Waiting.Journal) {
			return w.q.Waiting.Journal[w.had]
		}
		w.past = false
	}
	return nil
}

// before takes what the step has met at this place in the rules; nil for nothing yet.
func (w *walk) before(label string) *tablev1.JournalEntry {
	for e := w.next(); e != nil; e = w.next() {
		w.had++
		switch {
		case e.GetInjected() != nil:
			w.inject(e.GetInjected())
		case e.Label == label:
			return e
		default:
			panic(failed{fmt.Errorf("odds: the rules ask for %s, and the step has met %s", label, e.Label)})
		}
	}
	return nil
}

// inject makes the writes of what was done while the step waited.
func (w *walk) inject(i *tablev1.Injected) {
	for _, b := range i.Events {
		e := &tablev1.Event{}
		if err := proto.Unmarshal(b, e); err != nil {
			panic(failed{fmt.Errorf("odds: a damaged event: %w", err)})
		}
		for _, c := range e.Changes {
			w.Change(c)
		}
	}
}

// shownBefore are the faces that a throw of the step has shown already; nil for none.
func (w *walk) shownBefore(label string) []int32 { return w.before(label).GetDice().GetFaces() }

// answeredBefore takes the answers that the step has had to a question. It reports
// whether the question is settled by them; open are the slots that are left.
func (w *walk) answeredBefore(ask *rule.Window, answers []*tablev1.Answered, open []int) (left []int, settled bool) {
	left = open
	for len(left) > 0 {
		e := w.before(ask.Name)
		if e == nil {
			return left, false
		}
		a := e.GetAnswer()
		for at, i := range left {
			if ask.Slots[i].Character == a.Character {
				answers[i] = a
				left = append(left[:at:at], left[at+1:]...)
				break
			}
		}
		if ask.Takes != nil && ask.Takes(a.Answer) {
			return nil, true // the others' are withdrawn
		}
	}
	return nil, true
}

// chosenFirst has those who are still asked where the step waits decide in an order that
// begins with the one whose answers are compared.
func (w *walk) chosenFirst(ask *rule.Window, open []int) []int {
	for at, i := range open {
		if ask.Slots[i].Character == w.q.Waiting.Character {
			return append([]int{i}, append(open[:at:at], open[at+1:]...)...)
		}
	}
	return open
}
