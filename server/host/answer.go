package host

import (
	"context"

	"github.com/hantei/hantei/engine/prompt"
	"github.com/hantei/hantei/engine/resolve"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/view"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// Answer answers prompts of one window.
type Answer struct {
	// Request identifies the request.
	Request Request
	// Prompt is the prompt's id; "-" for the only open one of the answers'
	// characters, or of the window that is named.
	Prompt string
	// Window is, with "-", a window's id or name.
	Window string
	// Answers are one for each prompt.
	Answers []resolve.SlotAnswer
	// Given are dice thrown by hand.
	Given []string
}

// anyPrompt stands for a prompt that is found by its character.
const anyPrompt = "-"

// Answer answers prompts, all or none of them, and resolves on.
func (h *Host) Answer(ctx context.Context, by Caller, a Answer) (*Outcome, error) {
	return h.play(ctx, by, a.Request, func(t *table, s *sitting) (*tablev1.Commit, error) {
		return t.answer(ctx, s, a)
	})
}

func (t *table) answer(ctx context.Context, s *sitting, a Answer) (*tablev1.Commit, error) {
	given, refusal := t.given(s, a.Given)
	if refusal != nil {
		return nil, refusal
	}
	answers := make([]resolve.SlotAnswer, len(a.Answers))
	for i, one := range a.Answers {
		if refusal := t.checkKnown(s, "answers.character", one.Character); refusal != nil {
			return nil, refusal
		}
		if one.Answer != nil {
			var err error
			if one.Answer, err = sequences(t, s, one.Answer, "answers.answer"); err != nil {
				return nil, err
			}
		}
		answers[i] = one
	}
	w, decides, refusal := t.question(s, a)
	if refusal != nil {
		return nil, refusal
	}
	for i := range answers {
		if answers[i].Character == "" {
			answers[i].Character = decides
		}
	}
	return t.res.Answer(t.env(context.WithoutCancel(ctx), s, given), w, answers)
}

// question finds the window that is answered, and who decides where an answer
// does not say it.
func (t *table) question(s *sitting, a Answer) (*tablev1.Window, string, *rule.Refusal) {
	switch {
	case a.Prompt != anyPrompt:
		return t.named(s, a.Prompt)
	case a.Window != "":
		return t.inWindow(s, a.Window)
	}
	for _, one := range a.Answers {
		if one.Character != "" {
			return t.askedOf(s, one.Character)
		}
	}
	return t.only(s)
}

// named finds a prompt by its id. Ids are told to those who may answer: to
// others there is no such prompt.
func (t *table) named(s *sitting, id string) (*tablev1.Window, string, *rule.Refusal) {
	w, slot := prompt.OfSlot(t.res.State().Windows, id)
	if w == nil || !s.gm() && !t.res.View(s.rule).Controls(slot.Character) {
		return nil, "", notFound("prompt_id")
	}
	return w, slot.Character, nil
}

// inWindow finds a window by its id or name, among those that the seat knows.
func (t *table) inWindow(s *sitting, name string) (*tablev1.Window, string, *rule.Refusal) {
	all := t.res.State().Windows
	seen := view.State(&tablev1.State{Windows: all}, s.viewer, t.vis).Windows
	var known []*tablev1.Window
	for i, w := range all {
		if seen[i].Id != "" {
			known = append(known, w)
		}
	}
	w := prompt.Named(known, name)
	if w == nil {
		return nil, "", notFound("window")
	}
	own := ""
	for _, slot := range t.open(s) {
		if of, _ := prompt.OfSlot(known, slot.Id); of == w && !s.gm() {
			own = slot.Character
		}
	}
	return w, own, nil
}

// askedOf finds the only open prompt of a character.
func (t *table) askedOf(s *sitting, character string) (*tablev1.Window, string, *rule.Refusal) {
	if !s.gm() && !t.res.View(s.rule).Controls(character) {
		return nil, "", notYours("answers.character").Say("another_seat_decides")
	}
	windows := t.res.State().Windows
	if w := prompt.Only(windows, character); w != nil {
		return w, character, nil
	}
	for _, w := range windows {
		if w.Open && prompt.Open(w, character) != nil {
			return nil, "", invalid("prompt_id").Say("several_prompts")
		}
	}
	return nil, "", closed()
}

// only finds the only prompt that the seat may answer.
func (t *table) only(s *sitting) (*tablev1.Window, string, *rule.Refusal) {
	open := t.open(s)
	switch len(open) {
	case 0:
		return nil, "", closed()
	case 1:
		w, slot := prompt.OfSlot(t.res.State().Windows, open[0].Id)
		return w, slot.Character, nil
	}
	return nil, "", invalid("prompt_id").Say("several_prompts")
}

// open are the prompts that the seat is asked.
func (t *table) open(s *sitting) []*tablev1.PromptView {
	return view.Prompts(&tablev1.State{Windows: t.res.State().Windows}, s.viewer, t.vis)
}

func closed() *rule.Refusal {
	return rule.Core(tablev1.Reason_REASON_PROMPT_CLOSED, "prompt_id")
}
