package rule

import (
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

// Window is a question that a rule puts to one or more characters.
type Window struct {
	// Name of the prompt in the specification.
	Name string
	// Rule that asks.
	Rule string
	// Kind says how it is settled.
	Kind tablev1.WindowKind
	// BecauseOf is whose step it is in; About whom it is about. Either may be empty.
	BecauseOf, About string
	// Slots, one for each who is asked, in the order of the rules.
	Slots []Slot
	// Takes reports whether an answer ends a first-taker window.
	Takes func(*tablev1.Answer) bool
	// Audience is who may know what it is about; unspecified for everybody.
	Audience typev1.Audience
	// Facts that those asked should know.
	Facts []*typev1.Fact
}

// Slot is one decision of one character.
type Slot struct {
	// Character who decides; "" for the GM.
	Character string
	// Choices, the possible ones and those shown only to say why not.
	Choices []*tablev1.PromptChoice
	// Default is the id of the choice that is taken when nobody answers.
	Default string
}

// Choice makes a choice of a prompt from an answer, with what is left to fill in.
func Choice(id string, answer *tablev1.Answer, inputs ...*tablev1.Input) *tablev1.PromptChoice {
	return &tablev1.PromptChoice{Id: id, Answer: answer, Inputs: inputs, Possible: true}
}

// Barred makes a choice that is shown only to say why it is not possible.
func Barred(id string, answer *tablev1.Answer, why *Refusal) *tablev1.PromptChoice {
	return &tablev1.PromptChoice{Id: id, Answer: answer, Reason: why.Reason}
}
