package scenario

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// Coverage says which rules and examples of a specification files account for.
type Coverage struct {
	// Ruleset by name.
	Ruleset string
	// Rules in the order of the specification.
	Rules []RuleCoverage
	// Examples in the order of the specification.
	Examples []ExampleCoverage
	// Strange is what files name and the specification does not have, in words.
	Strange []string
}

// RuleCoverage is a rule with the examples that cover it.
type RuleCoverage struct {
	Rule
	// Coded is true if it has code.
	Coded bool
	// Examples that are about it, whether they cover it or not.
	Examples []string
	// By are those that pass and in which it showed.
	By []string
}

// ExampleCoverage is an example with what became of it.
type ExampleCoverage struct {
	// ID of the example.
	ID string
	// File that plays it; empty for none.
	File string
	// Passed is true if it came out as it says.
	Passed bool
}

// Cover compares reports with a specification, as [Spec] reads it. A rule is
// covered when an example that is about it passes, and its id shows there: in an
// event, a refusal, a prompt or a line of a trace.
//
// Coded are the ids of the rules that have code.
func Cover(ruleset string, rules []Rule, examples, coded []string, reports []*Report) *Coverage {
	c := &Coverage{Ruleset: ruleset}
	for _, r := range rules {
		c.Rules = append(c.Rules, RuleCoverage{Rule: r, Coded: slices.Contains(coded, r.ID)})
	}
	for _, id := range examples {
		c.Examples = append(c.Examples, ExampleCoverage{ID: id})
	}
	for _, r := range reports {
		if r.File.Ruleset == ruleset {
			c.take(r)
		}
	}
	return c
}

func (c *Coverage) take(r *Report) {
	passed, shown := r.Passed(), shown(r)
	if i := slices.IndexFunc(c.Examples, func(e ExampleCoverage) bool { return e.ID == r.File.ID }); i >= 0 {
		c.Examples[i].File, c.Examples[i].Passed = r.File.Name, passed
	} else {
		c.Strange = append(c.Strange, r.File.Name+": no example "+r.File.ID+" in the specification")
	}
	for _, id := range r.File.Rules {
		i := slices.IndexFunc(c.Rules, func(rc RuleCoverage) bool { return rc.ID == id })
		if i < 0 {
			c.Strange = append(c.Strange, r.File.Name+": no rule "+id+" in the specification")
			continue
		}
		rc := &c.Rules[i]
		rc.Examples = append(rc.Examples, r.File.ID)
		if passed && slices.Contains(shown, id) {
			rc.By = append(rc.By, r.File.ID)
		}
	}
}

// shown lists the ids of the rules that showed while a file was played. A prompt
// that opened has its rule in the event that says so; one in which nobody had a
// choice did not open.
func shown(r *Report) []string {
	var out []string
	for _, c := range r.Cases {
		for _, e := range c.Entries {
			for _, m := range e.Moments {
				if m.Refusal != nil {
					out = append(out, m.Refusal.Rule)
				}
				for _, ev := range m.Events {
					out = append(out, ev.Rule)
					for _, t := range ev.Trace {
						out = append(out, t.Rule)
					}
				}
			}
		}
	}
	return out
}

// counts says how many rules are covered and how many examples pass.
func (c *Coverage) counts() (rules, examples int) {
	for _, r := range c.Rules {
		if len(r.By) > 0 {
			rules++
		}
	}
	for _, e := range c.Examples {
		if e.Passed {
			examples++
		}
	}
	return rules, examples
}

// Complete reports whether nothing is missing.
func (c *Coverage) Complete() bool {
	rules, examples := c.counts()
	return rules == len(c.Rules) && examples == len(c.Examples) && len(c.Strange) == 0
}

// Summary is one line: "coc: 76/76 rules covered, 89/89 examples pass".
func (c *Coverage) Summary() string {
	rules, examples := c.counts()
	return fmt.Sprintf("%s: %d/%d rules covered, %d/%d examples pass", c.Ruleset, rules, len(c.Rules), examples, len(c.Examples))
}

// Print writes what is missing, a line each, and the summary in the last line.
func (c *Coverage) Print(w io.Writer) error {
	var b strings.Builder
	for _, r := range c.Rules {
		switch {
		case len(r.By) > 0:
		case !r.Coded && len(r.Examples) == 0:
			fmt.Fprintf(&b, "rule %s %s: no code, no example\n", r.ID, r.Title)
		case len(r.Examples) == 0:
			fmt.Fprintf(&b, "rule %s %s: no example\n", r.ID, r.Title)
		default:
			fmt.Fprintf(&b, "rule %s %s: not covered by %s\n", r.ID, r.Title, strings.Join(r.Examples, ", "))
		}
	}
	for _, e := range c.Examples {
		switch {
		case e.Passed:
		case e.File == "":
			fmt.Fprintf(&b, "example %s: no file\n", e.ID)
		default:
			fmt.Fprintf(&b, "example %s: %s fails\n", e.ID, e.File)
		}
	}
	for _, s := range c.Strange {
		b.WriteString(s + "\n")
	}
	coded, exemplified := 0, 0
	for _, r := range c.Rules {
		if r.Coded {
			coded++
		}
		if len(r.Examples) > 0 {
			exemplified++
		}
	}
	fmt.Fprintf(&b, "%d rules: %d with code, %d with examples\n", len(c.Rules), coded, exemplified)
	b.WriteString(c.Summary() + "\n")
	_, err := io.WriteString(w, b.String())
	return err
}
