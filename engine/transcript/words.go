package transcript

import (
	"github.com/hantei/hantei/engine/prompt"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/view"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// words are the words of the action: those of the offer that it fills in, with what
// is filled in; or its name, where it is only sent typed.
func (c command) words() string {
	for _, o := range c.Offers {
		if values, ok := prompt.Filled(o.Action, o.Inputs, c.Action); ok && o.Actor == c.Actor {
			return c.filled(view.Offer(o, c.lang, c.texts, c.name), values)
		}
	}
	_, path := rule.Unwrap(c.Action)
	return c.texts.Label([]string{"action." + path[len(path)-1]}, c.lang, c.name)
}

// filled are the words of an offer with values: "Attack with Baton (Target: Thug)".
func (c command) filled(o *tablev1.OfferView, values []*tablev1.Value) string {
	var all []string
	for _, v := range values {
		for _, in := range o.Inputs {
			if in.Name == v.Name {
				all = append(all, c.text("transcript.input", map[string]string{"input": in.Text, "value": c.values(in, v.Values)}))
			}
		}
	}
	if len(all) == 0 {
		return o.Text
	}
	return c.text("transcript.filled", map[string]string{"action": o.Text, "inputs": c.texts.Join(all, c.lang)})
}

// values are the words of what stands in an input.
func (c command) values(in *tablev1.InputView, values []string) string {
	words := make([]string, len(values))
	for i, v := range values {
		words[i] = c.texts.Word(v, c.lang)
		for _, choice := range in.Choices {
			if choice.Value == v {
				words[i] = choice.Text
			}
		}
	}
	return c.texts.Join(words, c.lang)
}
