package coc_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/hantei/hantei/engine/scenario"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

var updateOffers = flag.Bool("update-offers", false, "write testdata/offers.txt anew")

// TestOffers: what the examples could declare is offered as it stands in
// testdata/offers.txt, each shape of an offer once: its label without names, why it
// cannot be taken now, and what it asks for; and each shape of a choice of what they
// are asked. Read the differences before you write it anew.
func TestOffers(t *testing.T) {
	files, err := scenario.LoadDir(os.DirFS("testdata"))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	known := make(map[string]bool)
	for _, f := range files {
		scenario.Run(f, maker, scenario.Options{Tell: func(told *scenario.Told) {
			for _, line := range shapes(told) {
				if !known[line] {
					known[line] = true
					b.WriteString(line + "\n")
				}
			}
		}})
	}
	const golden = "testdata/offers.txt"
	if *updateOffers {
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(want)) {
		if !known[strings.TrimSuffix(line, "\n")] {
			t.Errorf("not offered any more: %s", line)
		}
		delete(known, strings.TrimSuffix(line, "\n"))
	}
	for line := range known {
		t.Errorf("offered now: %s", line)
	}
}

// shapes are the lines of all offers, and of all choices of what is asked.
func shapes(told *scenario.Told) []string {
	var out []string
	for _, o := range told.Offers {
		out = append(out, offerLine(o))
	}
	for _, e := range told.Moment.Events {
		for _, c := range e.Changes {
			w := c.GetWindow().GetAfter()
			for _, slot := range w.GetSlots() {
				for _, choice := range slot.Choices {
					id, _, _ := strings.Cut(choice.Id, ".")
					if slices.ContainsFunc(told.Characters, func(c *tablev1.Character) bool { return c.Id == id }) {
						id = "somebody"
					}
					out = append(out, choiceLine("prompt."+w.Name+" "+id, choice, choice.Id == slot.DefaultChoice))
				}
			}
		}
	}
	return out
}

// choiceLine is "prompt.defend parry - ONLY_DODGE | use_plus10 bool 0-1".
func choiceLine(line string, c *tablev1.PromptChoice, byDefault bool) string {
	if byDefault {
		line += " by default"
	}
	if !c.Possible {
		line += " - " + c.Reason
	}
	return line + inputs(c.Inputs)
}

// offerLine is "action.attack | target character 1-1 of 2".
func offerLine(o *tablev1.Offer) string {
	var b strings.Builder
	b.WriteString(o.Label[0])
	for _, is := range []struct {
		so   bool
		text string
	}{{!o.Possible, " - " + o.Reason}, {o.Form, " form"}, {o.Secret, " secret"}, {o.Stat != "", " rolls"}} {
		if is.so {
			b.WriteString(is.text)
		}
	}
	return b.String() + inputs(o.Inputs)
}

// inputs are " | target character 1-1 of 2".
func inputs(all []*tablev1.Input) string {
	var b strings.Builder
	for _, in := range all {
		kind := strings.ToLower(strings.TrimPrefix(in.Kind.String(), "INPUT_KIND_"))
		fmt.Fprintf(&b, " | %s %s %d-%d", in.Name, kind, in.MinCount, in.MaxCount)
		if in.Min != 0 || in.Max != 0 {
			fmt.Fprintf(&b, " from %d to %d", in.Min, in.Max)
		}
		if in.Reach != nil {
			fmt.Fprintf(&b, " within %d", in.Reach.Steps)
		}
		if len(in.Choices) > 0 {
			fmt.Fprintf(&b, " of %d", len(in.Choices))
		}
	}
	return b.String()
}
