package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/hantei/hantei/engine/scenario"
	"github.com/hantei/hantei/server/app"
)

// playCmd plays scenario files.
type playCmd struct {
	Files   []string `arg:"" type:"existingfile" name:"file" help:"Scenario files."`
	Verbose bool     `short:"v" help:"Show what happens, not only what differs."`
}

// Help is shown by hantei play --help.
func (*playCmd) Help() string {
	return `Plays each file with the dice that it gives and compares events, state changes
and refusals with what it says must come out. Exit code 1 if anything differs.

Examples:
  hantei play engine/coc/testdata/*.yaml
  hantei play -v house-rules.yaml`
}

// Run implements the command.
func (c *playCmd) Run(s streams) error {
	passed := 0
	for _, name := range c.Files {
		f, err := scenario.Load(os.DirFS(filepath.Dir(name)), filepath.Base(name))
		if err != nil {
			return err
		}
		report := scenario.Run(f, app.MakeRuleset, scenario.Options{})
		if c.Verbose {
			if err := scenario.Print(s.out, report); err != nil {
				return err
			}
		}
		if report.Passed() {
			passed++
			continue
		}
		if !c.Verbose {
			for _, failure := range report.Failures() {
				fmt.Fprintln(s.out, failure)
			}
		}
	}
	fmt.Fprintf(s.out, "%d passed, %d failed\n", passed, len(c.Files)-passed)
	if passed < len(c.Files) {
		return errSilent
	}
	return nil
}
