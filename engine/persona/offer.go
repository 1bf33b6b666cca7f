package persona

import (
	"github.com/hantei/hantei/engine/rule"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"google.golang.org/protobuf/proto"
)

// newOffer makes an offer of an action; refusal says why it is not possible, or is
// nil. Its button has the words of the action and of what it is done with.
func newOffer(m proto.Message, refusal *rule.Refusal, action string, with ...string) *tablev1.Offer {
	o := &tablev1.Offer{
		Action: rule.Wrap[*tablev1.Action](m), Label: append([]string{"action." + action}, with...), Possible: refusal == nil,
	}
	if refusal != nil {
		o.Reason = refusal.Reason
	}
	return o
}

// formOffer is an offer that the client fills in as a whole.
func formOffer(m proto.Message, refusal *rule.Refusal, action string) []*tablev1.Offer {
	o := newOffer(m, refusal, action)
	o.Form = true
	return []*tablev1.Offer{o}
}

// characterInput asks for one of these characters.
func characterInput(name, path string, ids []string) *tablev1.Input {
	return &tablev1.Input{Name: name, Path: path, Kind: tablev1.InputKind_INPUT_KIND_CHARACTER, Choices: ids, MinCount: 1, MaxCount: 1}
}

// choiceInput asks for one of these words.
func choiceInput(name, path string, words []string) *tablev1.Input {
	return &tablev1.Input{Name: name, Path: path, Kind: tablev1.InputKind_INPUT_KIND_CHOICE, Choices: words, MinCount: 1, MaxCount: 1}
}

// directionInput asks for one of these directions.
func directionInput(name, path string, words []string) *tablev1.Input {
	return &tablev1.Input{Name: name, Path: path, Kind: tablev1.InputKind_INPUT_KIND_DIRECTION, Choices: words, MinCount: 1, MaxCount: 1}
}

// numberInput asks for a number that may be left out.
func numberInput(name, path string, low, high int32) *tablev1.Input {
	return &tablev1.Input{Name: name, Path: path, Kind: tablev1.InputKind_INPUT_KIND_NUMBER, MaxCount: 1, Min: low, Max: high}
}

// needed is an input that may not be left out.
func needed(in *tablev1.Input) *tablev1.Input {
	in.MinCount = 1
	return in
}

// choice makes a choice of a prompt; m is one member of the ruleset's answers.
func choice(id string, m proto.Message, inputs ...*tablev1.Input) *tablev1.PromptChoice {
	return rule.Choice(id, m, inputs...)
}
