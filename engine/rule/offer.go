package rule

import (
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"google.golang.org/protobuf/proto"
)

// NewOffer makes an offer of an action, m being one of the ruleset's actions; refusal
// says why it is not possible, or is nil. Its button has the words of the action and
// of what it is done with.
func NewOffer(m proto.Message, refusal *Refusal, action string, with ...string) *tablev1.Offer {
	label := append([]string{"action." + action}, with...)
	o := &tablev1.Offer{Action: wrap[*tablev1.Action](m), Label: label, Possible: refusal == nil}
	if refusal != nil {
		o.Reason = refusal.Reason
	}
	return o
}

// CharacterInput asks for one of these characters.
func CharacterInput(name, path string, ids []string) *tablev1.Input {
	return &tablev1.Input{
		Name: name, Path: path, Kind: tablev1.InputKind_INPUT_KIND_CHARACTER, Choices: ids, MinCount: 1, MaxCount: 1,
	}
}

// ChoiceInput asks for one of these words.
func ChoiceInput(name, path string, words []string) *tablev1.Input {
	return &tablev1.Input{
		Name: name, Path: path, Kind: tablev1.InputKind_INPUT_KIND_CHOICE, Choices: words, MinCount: 1, MaxCount: 1,
	}
}

// NumberInput asks for a number that may be left out.
func NumberInput(name, path string, low, high int32) *tablev1.Input {
	return &tablev1.Input{Name: name, Path: path, Kind: tablev1.InputKind_INPUT_KIND_NUMBER, MaxCount: 1, Min: low, Max: high}
}
