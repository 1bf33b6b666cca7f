package main

import (
	"fmt"
	"io"

	"github.com/hantei/hantei/engine/scenario"
	"github.com/hantei/hantei/server/app"
)

// rulesCmd lists rulesets and rules.
type rulesCmd struct {
	Ruleset  string `arg:"" optional:"" help:"The ruleset whose rules to list; none lists the rulesets."`
	Coverage bool   `help:"Show which rules a passing scenario covers."`
	Full     bool   `help:"With --coverage: fail if a rule or an example is missing."`
}

// Help is shown by hantei rules --help.
func (*rulesCmd) Help() string {
	return `Examples:
  hantei rules
  hantei rules coc
  hantei rules coc --coverage`
}

// complete lists the rulesets for the shell.
func (*rulesCmd) complete() []string { return rulesetNames() }

func rulesetNames() []string {
	var names []string
	for _, r := range app.Rulesets() {
		names = append(names, r.Name)
	}
	return names
}

// Run implements the command.
func (c *rulesCmd) Run(s streams) error {
	if c.Ruleset == "" {
		return listRulesets(s.out)
	}
	r, err := app.MakeRuleset(c.Ruleset, nil)
	if err != nil {
		return err
	}
	rules, examples := scenario.Spec(r.Markdown)
	if !c.Coverage {
		for _, one := range rules {
			fmt.Fprintf(s.out, "%-12s %s\n", one.ID, one.Title)
		}
		return nil
	}
	files, err := scenario.LoadDir(r.Examples)
	if err != nil {
		return err
	}
	var reports []*scenario.Report
	for _, f := range files {
		reports = append(reports, scenario.Run(f, app.MakeRuleset, scenario.Options{}))
	}
	coverage := scenario.Cover(r.Name, rules, examples, r.Coded, reports)
	if err := coverage.Print(s.out); err != nil {
		return err
	}
	for _, report := range reports {
		if !report.Passed() {
			return errSilent
		}
	}
	if c.Full && !coverage.Complete() {
		return errSilent
	}
	return nil
}

func listRulesets(out io.Writer) error {
	for _, r := range app.Rulesets() {
		made, err := app.MakeRuleset(r.Name, nil)
		if err != nil {
			return err
		}
		rules, examples := scenario.Spec(made.Markdown)
		fmt.Fprintf(out, "%-12s %d rules, %d worked examples\n", r.Name, len(rules), len(examples))
	}
	return nil
}
