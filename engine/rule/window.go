package rule

import (
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
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
	// Takes reports whether an answer ends the window before all have answered: that
	// of a first taker, a declaration, or one that decides for all. Nil for never.
	Takes func(*tablev1.Answer) bool
	// Audience is who may know what it is about; unspecified for everybody.
	Audience typev1.Audience
	// Facts that those asked should know.
	Facts []*typev1.Fact
	// Leads are what some have declared before it, in the words of its choices: whoever
	// follows one of them takes it.
	Leads []*tablev1.Lead
	// Apart reports whether one cannot follow the other here; he takes the default then.
	// Nil where whoever follows nobody is asked.
	Apart func(who, whom string) bool
}

// Slot is one decision of one character.
type Slot struct {
	// Character who decides; "" for the GM.
	Character string
	// Choices, the possible ones and those shown only to say why not.
	Choices []*tablev1.PromptChoice
	// Default is the id of the choice that is taken when nobody answers; empty where an
	// answer is waited for.
	Default string
}

// Choice makes a choice of a prompt with what is left to fill in. The answer is a
// *tablev1.Answer, or one member of the ruleset's answers, for example a
// *cocv1.Defend.
func Choice(id string, answer proto.Message, inputs ...*tablev1.Input) *tablev1.PromptChoice {
	return &tablev1.PromptChoice{Id: id, Answer: asAnswer(answer), Inputs: inputs, Possible: true}
}

// Barred makes a choice that is shown only to say why it is not possible.
func Barred(id string, answer proto.Message, why *Refusal) *tablev1.PromptChoice {
	return &tablev1.PromptChoice{Id: id, Answer: asAnswer(answer), Reason: why.Reason}
}

func asAnswer(m proto.Message) *tablev1.Answer {
	if a, ok := m.(*tablev1.Answer); ok {
		return a
	}
	return wrap[*tablev1.Answer](m)
}
