package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/hantei/hantei/engine/transcript"
	"github.com/hantei/hantei/server/app"
	"github.com/hantei/hantei/server/exchange"
	"github.com/hantei/hantei/server/host"
	"github.com/hantei/hantei/server/language"
)

// sheetCmd reads sheets of other tools, without a server.
type sheetCmd struct {
	Files   []string `arg:"" type:"existingfile" name:"file" help:"Sheets: JSON of ccfolia, JSON or text of charasheet.vampire-blood.net, XML or zip of Udonarium."`
	Ruleset string   `default:"coc" help:"The ruleset that reads them."`
	Lang    string   `default:"en" enum:"en,ja" help:"The language of the report: en or ja."`
}

// Help is shown by hantei sheet --help.
func (*sheetCmd) Help() string {
	return `Says of each thing on a sheet what a table would make of it, as an import with
dry_run does. Exit code 1 if a file cannot be read.

Examples:
  hantei sheet character.json
  hantei sheet --lang ja character.xml`
}

// Run implements the command.
func (c *sheetCmd) Run(s streams) error {
	r, err := app.FindRuleset(c.Ruleset)
	if err != nil {
		return err
	}
	game, err := host.NewGame(r.New, r.DefaultPack())
	if err != nil {
		return err
	}
	if game.Rules.Foreign == nil {
		return errors.New(language.Texts().Wrong("no_foreign_sheets", c.Lang, nil))
	}
	failed := false
	for _, name := range c.Files {
		file, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		read, err := game.ReadSheet(file, 0, c.Lang)
		var wrong *exchange.Error
		if errors.As(err, &wrong) {
			fmt.Fprintf(s.err, "hantei: %s: %s\n", name, language.Texts().Wrong(string(wrong.Wrong), c.Lang, nil))
			failed = true
			continue
		}
		fmt.Fprintf(s.out, "%s: %s\n", name, read.Name)
		for _, field := range read.Report {
			fmt.Fprintf(s.out, "  %s %s\n", column(language.Texts().Text("outcome."+field.Outcome.String(), c.Lang, nil)), field.Text)
		}
	}
	if failed {
		return errSilent
	}
	return nil
}

// column pads a word to the width of the longest outcome in a terminal.
func column(word string) string {
	return word + strings.Repeat(" ", max(0, len("not understood")-transcript.Width(word)))
}
