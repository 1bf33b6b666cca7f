package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/hantei/hantei/engine/locale"
	"github.com/hantei/hantei/engine/scenario"
	"github.com/hantei/hantei/engine/transcript"
	"github.com/hantei/hantei/server/app"
)

// tellScene plays the scene that a ruleset has for showing itself, and tells it in
// a language as a seat sees it; empty for everybody at once.
func tellScene(w io.Writer, ruleset, lang, seat string) error {
	rules, err := app.MakeRuleset(ruleset, nil)
	if err != nil {
		return err
	}
	if rules.Demo == nil {
		return fmt.Errorf("%s has no scene to tell", ruleset)
	}
	f, err := scenario.Load(rules.Demo, "scene.yaml")
	if err != nil {
		return err
	}
	own, err := fs.Sub(rules.Demo, "locale")
	if err != nil {
		return err
	}
	texts, err := locale.Load(locale.Core(), rules.Locale, own)
	if err != nil {
		return err
	}
	t := transcript.New(w, f, texts, lang, seat)
	report := scenario.Run(f, app.MakeRuleset, scenario.Options{Tell: t.Tell})
	return errors.Join(t.Close(), report.Err())
}
