package resolve

import (
	"github.com/hantei/hantei/engine/dice"
	"github.com/hantei/hantei/engine/prompt"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

// SlotAnswer is an answer of one character as a client sends it: a choice with
// its values, or a typed answer.
type SlotAnswer struct {
	// Character who decides; "" for the GM.
	Character string
	// Choice is the id of a choice, with Values for its inputs; or
	Choice string
	Values []*tablev1.Value
	// Answer is the typed answer.
	Answer *tablev1.Answer
	// By says who settled it; a seat if unspecified.
	By tablev1.AnsweredBy
}

// Answer answers slots of one window, all of them or none, and resolves on. It
// returns a *rule.Refusal if an answer is turned down; then nothing was changed.
func (r *Resolver) Answer(env Env, w *tablev1.Window, answers []SlotAnswer) (*tablev1.Commit, error) {
	if r.paused() {
		return nil, pausedRefusal()
	}
	// The caller may have looked it up before others answered.
	if w = table.Window(r.State(), w.Id); w == nil {
		return nil, rule.Core(tablev1.Reason_REASON_PROMPT_CLOSED, "prompt_id")
	}
	if w.Kind == tablev1.WindowKind_WINDOW_KIND_DICE {
		return r.answerDice(env, w, answers)
	}
	view := r.view(&env)
	taken := make([]*tablev1.Answered, 0, len(answers))
	for _, a := range answers {
		one, err := r.check(view, w, a)
		if err != nil {
			return nil, err
		}
		for _, earlier := range taken {
			if earlier.Character == one.Character {
				return nil, rule.Core(tablev1.Reason_REASON_INVALID_FIELD, "answers").Say("answered_twice")
			}
		}
		taken = append(taken, one)
	}
	if len(taken) == 0 {
		return nil, rule.Core(tablev1.Reason_REASON_INVALID_FIELD, "answers").Say("no_answer")
	}
	cmd := &tablev1.Command{
		GivenDice: notations(env.Given),
		What:      &tablev1.Command_Answer{Answer: &tablev1.AnswerCommand{Window: w.Id, Answers: taken}},
	}
	if w.Standing {
		return r.answerStanding(cmd, &env, w, taken[0])
	}
	if r.frozen || r.running == nil {
		return nil, r.pending()
	}
	var entries []*tablev1.JournalEntry
	for _, a := range taken {
		entries = append(entries, &tablev1.JournalEntry{Label: w.Name, Entry: &tablev1.JournalEntry_Answer{Answer: a}})
	}
	return r.goOn(r.begin(&env, cmd), &env, entries)
}

// check refuses an answer, or returns it as it will be taken. The ruleset's
// refusals come first: they say most to somebody who was not asked, or too late.
func (r *Resolver) check(v *rule.View, w *tablev1.Window, a SlotAnswer) (*tablev1.Answered, error) {
	if a.Character != "" && v.Character(a.Character) == nil {
		return nil, unknownCharacter(v, "answers.character", a.Character)
	}
	if !v.Seat.GM && !v.Controls(a.Character) {
		return nil, rule.Core(tablev1.Reason_REASON_NOT_YOUR_SEAT, "answers.character").Say("another_seat_decides")
	}
	slot := prompt.Open(w, a.Character)
	answer, refusal := typed(w, a)
	if refusal != nil {
		return nil, refusal
	}
	m, path := rule.Unwrap(answer)
	info := r.rules.Prompt(w.Name)
	if m == nil || path[len(path)-1] != info.Name {
		return nil, rule.Core(tablev1.Reason_REASON_INVALID_FIELD, "answers.answer").Say("prompt_takes", rule.WordOf("prompt", info.Name))
	}
	if err := refuses(func() *rule.Refusal { return info.Valid(v, w, a.Character, m) }); err != nil {
		return nil, err
	}
	if slot == nil {
		return nil, rule.Core(tablev1.Reason_REASON_PROMPT_CLOSED, "prompt_id")
	}
	choice := a.Choice
	if choice == "" {
		choice = prompt.Match(slot.Choices, answer)
	}
	if c := prompt.Choice(slot.Choices, choice); c == nil || !c.Possible {
		return nil, rule.Core(tablev1.Reason_REASON_UNKNOWN_CHOICE, "answers.answer")
	}
	by := a.By
	if by == tablev1.AnsweredBy_ANSWERED_BY_UNSPECIFIED {
		by = tablev1.AnsweredBy_ANSWERED_BY_SEAT
	}
	return &tablev1.Answered{Character: a.Character, Choice: choice, Answer: answer, By: by}, nil
}

// typed makes the typed answer of a choice and its values.
func typed(w *tablev1.Window, a SlotAnswer) (*tablev1.Answer, *rule.Refusal) {
	if a.Choice == "" {
		return a.Answer, nil
	}
	choices := choicesOf(w, a.Character)
	if len(choices) == 0 {
		return nil, rule.Core(tablev1.Reason_REASON_PROMPT_CLOSED, "prompt_id")
	}
	c := prompt.Choice(choices, a.Choice)
	if c == nil {
		ids := make([]string, len(choices))
		for i, c := range choices {
			ids[i] = c.Id
		}
		return nil, rule.Core(tablev1.Reason_REASON_UNKNOWN_CHOICE, "answers.choice").Suggest(a.Choice, ids)
	}
	return prompt.Fill(c.Answer, c.Inputs, a.Values)
}

// choicesOf are what a character can choose, or could while the window was open.
func choicesOf(w *tablev1.Window, character string) []*tablev1.PromptChoice {
	for _, s := range w.Slots {
		if s.Character == character {
			return s.Choices
		}
	}
	return nil
}

// answerDice takes the faces that somebody threw by hand, or lets the server roll.
func (r *Resolver) answerDice(env Env, w *tablev1.Window, answers []SlotAnswer) (*tablev1.Commit, error) {
	slot := w.Slots[0]
	v := r.view(&env)
	if !v.Seat.GM && !v.Controls(slot.Character) {
		return nil, rule.Core(tablev1.Reason_REASON_NOT_YOUR_SEAT, "prompt_id").Say("another_seat_throws")
	}
	if !w.Open || r.frozen || r.running == nil {
		return nil, rule.Core(tablev1.Reason_REASON_PROMPT_CLOSED, "prompt_id")
	}
	d, err := dice.Parse(w.Dice)
	if err != nil {
		return nil, err
	}
	label := w.Facts[0].Words[0]
	given := notations(env.Given)
	die := &typev1.Die{Of: slot.Character, Sides: d.Sides}
	choice := ""
	for _, a := range answers {
		if a.Character != slot.Character {
			return nil, rule.Core(tablev1.Reason_REASON_INVALID_FIELD, "answers.character").Say("another_throws")
		}
		choice = a.Choice
	}
	switch {
	case choice == "" && len(env.Given) > 0:
		f, refusal := faces(env.Given[0], d, label)
		if refusal != nil {
			return nil, refusal
		}
		env.Given = env.Given[1:]
		die.Faces, die.Given = f, true
	case choice == rollChoice: // the step makes the faces when it takes the answer
	case choice == "":
		return nil, rule.Core(tablev1.Reason_REASON_BAD_DICE, "given_dice").Say("dice_missing", rule.WordOf("label", label), rule.Code("dice", w.Dice))
	default:
		return nil, rule.Core(tablev1.Reason_REASON_UNKNOWN_CHOICE, "answers.choice").Suggest(choice, []string{rollChoice})
	}
	c := r.begin(&env, &tablev1.Command{
		GivenDice: given,
		What:      &tablev1.Command_Answer{Answer: &tablev1.AnswerCommand{Window: w.Id, Answers: []*tablev1.Answered{{Character: slot.Character, Choice: choice}}}},
	})
	entry := &tablev1.JournalEntry{Label: label, Asked: true, Entry: &tablev1.JournalEntry_Dice{Dice: die}}
	return r.goOn(c, &env, []*tablev1.JournalEntry{entry})
}

// answerStanding settles a standing window, as a step of its own or, while a
// step waits, in its journal.
func (r *Resolver) answerStanding(cmd *tablev1.Command, env *Env, w *tablev1.Window, a *tablev1.Answered) (*tablev1.Commit, error) {
	if r.running == nil {
		return r.chainFrom(r.begin(env, cmd), env, &tablev1.Step{What: &tablev1.Step_Standing{Standing: &tablev1.StandingAnswer{Window: w, Answered: a}}})
	}
	return r.aside(env, cmd, func(ctx *rule.Ctx) { rule.Settle(ctx, r.rules, w, a) })
}
