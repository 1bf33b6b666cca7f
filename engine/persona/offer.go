package persona

import (
	"github.com/hantei/hantei/engine/rule"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"google.golang.org/protobuf/proto"
)

// formOffer is an offer that the client fills in as a whole.
func formOffer(m proto.Message, refusal *rule.Refusal, action string) []*tablev1.Offer {
	o := rule.NewOffer(m, refusal, action)
	o.Form = true
	return []*tablev1.Offer{o}
}

// directionInput asks for one of these directions.
func directionInput(name, path string, words []string) *tablev1.Input {
	return &tablev1.Input{Name: name, Path: path, Kind: tablev1.InputKind_INPUT_KIND_DIRECTION, Choices: words, MinCount: 1, MaxCount: 1}
}

// needed is an input that may not be left out.
func needed(in *tablev1.Input) *tablev1.Input {
	in.MinCount = 1
	return in
}
