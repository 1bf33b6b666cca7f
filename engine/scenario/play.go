package scenario

import (
	"errors"
	"slices"
	"strconv"

	"github.com/hantei/hantei/engine/dice"
	"github.com/hantei/hantei/engine/prompt"
	"github.com/hantei/hantei/engine/resolve"
	"github.com/hantei/hantei/engine/rule"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

// maxWindows is more windows than any entry opens; an entry that opens more goes in circles.
const maxWindows = 500

// resolve plays one entry to its end and compares what came of it. It is false
// when the play cannot go on.
func (s *session) resolve(e *Entry) bool {
	before := Snap(s.r.State())
	s.odds(e)
	source := dice.NewScripted(e.Dice...)
	if e.Action != nil {
		m := &Moment{Line: e.Line, Who: whoever(e.By), What: brief(e.Action.ProtoReflect())}
		if !s.act(m, e.Seat, e.By, e.Action, e.Audience, source, e.wantError) {
			return false
		}
	}
	if e.Roll != "" && !s.roll(e, source) {
		return false
	}
	if !s.decide(e, source) {
		return false
	}
	if left := source.Left(); len(left) > 0 {
		s.fail(e.diceLine, "throws left over: %d, the first is %v", len(left), left[0])
	}
	s.compare(e, before)
	return true
}

// decide answers what is asked until nothing waits.
func (s *session) decide(e *Entry, source *dice.Scripted) bool {
	left := e.Answers
	for range maxWindows {
		w := blocking(s.r.State())
		if w == nil {
			if s.r.Waiting() {
				return s.fail(e.Line, "the step waits, and no prompt is open")
			}
			if len(left) == 0 || !s.standing(left[0]) {
				break
			}
		}
		switch {
		case w == nil || len(left) > 0 && left[0].During == w.Name:
			if !s.reply(left[0], source) {
				return false
			}
			left = left[1:]
		case slices.Contains(e.mustAnswer, w.Name):
			return s.fail(e.Line, "prompt %s must be answered, and %s", w.Name, nextAnswer(left))
		case !s.defaults(e, w, source):
			return false
		}
	}
	if blocking(s.r.State()) != nil {
		return s.fail(e.Line, "more than %d prompts", maxWindows)
	}
	if len(left) > 0 {
		s.fail(left[0].Line, "this answer was not used: no prompt %s is open", left[0].During)
	}
	return true
}

func nextAnswer(left []*Reply) string {
	if len(left) == 0 {
		return "no answer is left"
	}
	return "the next answer is for " + left[0].During
}

// blocking returns the open window for which the step waits, or nil.
func blocking(st *tablev1.State) *tablev1.Window {
	for _, w := range st.Windows {
		if w.Open && !w.Standing {
			return w
		}
	}
	return nil
}

// standing reports whether an answer is for a standing prompt that is open.
func (s *session) standing(r *Reply) bool {
	return r.Action == nil && slices.ContainsFunc(s.r.State().Windows, func(w *tablev1.Window) bool {
		return w.Open && w.Standing && w.Name == r.Prompt
	})
}

// addressed is the window that an answer is for: the first one of its name that
// asks the character, or the latest.
func (s *session) addressed(r *Reply) *tablev1.Window {
	for _, w := range s.r.State().Windows {
		if w.Name == r.Prompt && w.Open && prompt.Open(w, r.By) != nil {
			return w
		}
	}
	return prompt.Named(s.r.State().Windows, r.Prompt)
}

func (s *session) env(seat rule.Seat, source dice.Source) resolve.Env {
	return resolve.Env{Seat: seat, Dice: source, Past: func(sequence int64) *tablev1.Event {
		if sequence < 1 || sequence > int64(len(s.events)) {
			return nil
		}
		return s.events[sequence-1]
	}}
}

// act sends an action.
func (s *session) act(m *Moment, seatName, by string, a *tablev1.Action, audience typev1.Audience, source *dice.Scripted, refused *wantError) bool {
	seat, ok := s.seat(m.Line, seatName, by)
	if !ok {
		return false
	}
	action, missing := withLast(a, s.events, func(i int) string { return strconv.Itoa(i + 1) })
	if missing != "" {
		return s.fail(m.Line, "there has been no event %s", missing)
	}
	return s.command(m, s.sent(seat, by, action), source, refused, func() (*tablev1.Commit, error) {
		return s.r.Act(s.env(seat, source), by, action, audience)
	})
}

// roll throws dice that no rule asks for.
func (s *session) roll(e *Entry, source *dice.Scripted) bool {
	m := &Moment{Line: e.Line, Who: whoever(e.By), What: "roll " + e.Roll}
	seat, ok := s.seat(m.Line, e.Seat, e.By)
	if !ok {
		return false
	}
	return s.command(m, s.sent(seat, e.By, nil), source, e.wantError, func() (*tablev1.Commit, error) {
		return s.r.Roll(s.env(seat, source), resolve.Roll{Actor: e.By, Formula: e.Roll, Audience: e.Audience})
	})
}

// reply sends an answer or a lever that the file lists.
func (s *session) reply(r *Reply, source *dice.Scripted) bool {
	m := &Moment{Line: r.Line, Who: whoever(r.By), What: r.brief()}
	if r.Action != nil {
		return s.act(m, r.Seat, r.By, r.Action, typev1.Audience_AUDIENCE_UNSPECIFIED, source, r.wantError)
	}
	seat, ok := s.seat(m.Line, r.Seat, r.By)
	if !ok {
		return false
	}
	w := s.addressed(r)
	if w == nil {
		return s.fail(m.Line, "there has been no prompt %s since the last action", r.Prompt)
	}
	return s.command(m, s.sent(seat, r.By, nil), source, r.wantError, func() (*tablev1.Commit, error) {
		return s.r.Answer(s.env(seat, source), w, []resolve.SlotAnswer{
			{Character: r.By, Choice: r.Choice, Values: r.Values, Answer: r.Answer},
		})
	})
}

// defaults has every open slot of a window take its default.
func (s *session) defaults(e *Entry, w *tablev1.Window, source *dice.Scripted) bool {
	m := &Moment{Line: e.Line, Who: "", What: w.Name + ": the default"}
	var answers []resolve.SlotAnswer
	for _, slot := range w.Slots {
		if slot.State != tablev1.SlotState_SLOT_STATE_OPEN {
			continue
		}
		m.What += ", " + slot.DefaultChoice + " for " + whoever(slot.Character)
		answers = append(answers, resolve.SlotAnswer{
			Character: slot.Character, Choice: slot.DefaultChoice, By: tablev1.AnsweredBy_ANSWERED_BY_DEFAULT,
		})
	}
	return s.command(m, s.sent(gmSeat, "", nil), source, nil, func() (*tablev1.Commit, error) {
		return s.r.Answer(s.env(gmSeat, source), w, answers)
	})
}

// command runs a command, stores its commit, tells of it, and compares whether it
// was refused.
func (s *session) command(m *Moment, sent *Told, source *dice.Scripted, refused *wantError, run func() (*tablev1.Commit, error)) bool {
	s.entry.Moments = append(s.entry.Moments, m)
	defer s.told(sent, m)
	hash, dice := s.r.Hash(), len(source.Left())
	commit, err := run()
	if err != nil {
		errors.As(err, &m.Refusal)
		if !s.refused(m, err, refused) {
			return false
		}
		if s.r.Hash() != hash || len(source.Left()) != dice {
			return s.fail(m.Line, "%v, but state or dice are not what they were before", err)
		}
		return !s.reload || s.folds(m.Line, true)
	}
	events, ok := s.store(m.Line, commit)
	m.Events = events
	if !ok || s.reload && !s.folds(m.Line, true) {
		return false
	}
	if refused != nil {
		return s.fail(refused.line, "%s was not refused with %s", m.What, refused.reason)
	}
	return true
}

// refused compares an error with the refusal that is expected.
func (s *session) refused(m *Moment, err error, want *wantError) bool {
	var missing *dice.MissingError
	var mismatch *dice.MismatchError
	switch {
	case errors.As(err, &missing), errors.As(err, &mismatch):
		return s.fail(s.entry.Entry.diceLine, "%v", err)
	case m.Refusal == nil:
		return s.fail(m.Line, "%s failed: %v", m.What, err)
	case want == nil:
		return s.fail(m.Line, "%s was refused: %v", m.What, err)
	case m.Refusal.Reason != want.reason:
		return s.fail(want.line, "refused with %s, not %s: %v", m.Refusal.Reason, want.reason, err)
	case want.rule != "" && m.Refusal.Rule != want.rule:
		return s.fail(want.line, "refused by rule %q, not %s", m.Refusal.Rule, want.rule)
	}
	return true
}
