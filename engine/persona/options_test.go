package persona_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/scenario"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// Options that decide on what is told alone: TestWhoSeesABattle shows their values.
var toldOptions = []string{"reveal_enemy_power"}

// TestOptionsChangeExamples plays the examples of each option's values with each other
// value instead: something must come out otherwise, or no example shows what the value
// is for (section 3.6).
func TestOptionsChangeExamples(t *testing.T) {
	files, err := scenario.LoadDir(os.DirFS("testdata"))
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range newRules(t).Options.All() {
		if !strings.HasPrefix(o.Rule, "PER-") || slices.Contains(toldOptions, o.Key) {
			continue
		}
		shown := examplesOf(o, files)
		if len(shown) < 2 || len(o.Values) > len(shown) {
			t.Errorf("%s: of its values examples have only %d", o.Key, len(shown))
		}
		for value, examples := range shown {
			for other := range shown {
				if other != value && !slices.ContainsFunc(examples, func(f *scenario.File) bool { return differs(f, o.Key, other) }) {
					t.Errorf("%s: every example of %s comes out alike with %s", o.Key, value, other)
				}
			}
		}
	}
}

// examplesOf are the cases in which an option has a value, by the value; the default is
// that of those which leave it alone in files that are about it.
func examplesOf(o rule.Option, files []*scenario.File) map[string][]*scenario.File {
	out := map[string][]*scenario.File{}
	for _, f := range files {
		about := slices.Contains(f.Rules, o.Rule)
		for _, c := range f.Cases {
			about = about || valueIn(c, o.Key) != ""
		}
		if !about {
			continue
		}
		for _, c := range f.Cases {
			alone := *f
			alone.Cases = []*scenario.Case{c}
			value := valueIn(c, o.Key)
			if value == "" {
				value = o.Default
			}
			out[value] = append(out[value], &alone)
		}
	}
	return out
}

// valueIn is the value that a case gives an option; empty for the default.
func valueIn(c *scenario.Case, key string) string {
	for _, o := range c.Options {
		if o.Key == key {
			return o.Value
		}
	}
	return ""
}

// differs reports whether an example of one case does not come out as it says with
// another value of an option.
func differs(f *scenario.File, key, value string) bool {
	c := *f.Cases[0]
	c.Options = slices.DeleteFunc(slices.Clone(c.Options), func(o *tablev1.Option) bool { return o.Key == key })
	c.Options = append(c.Options, &tablev1.Option{Key: key, Value: value})
	changed := *f
	changed.Cases = []*scenario.Case{&c}
	return len(scenario.Run(&changed, maker, scenario.Options{}).Failures()) > 0
}
