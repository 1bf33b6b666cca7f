package persona_test

import (
	"io/fs"
	"os"
	"slices"
	"testing"

	"github.com/hantei/hantei/engine/locale"
	"github.com/hantei/hantei/engine/pack"
	"github.com/hantei/hantei/engine/persona"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/scenario"
)

// maker makes the ruleset with the pack rows of a scenario file.
func maker(_ string, rows []byte) (*rule.Ruleset, error) {
	files := persona.DefaultPack()
	if len(rows) > 0 {
		merged, err := pack.Merge(files, rows)
		if err != nil {
			return nil, err
		}
		files = merged
	}
	return persona.New(files)
}

// TestExamples plays every worked example of the specification, once on one engine and
// once on an engine that is loaded anew from the log after each command.
func TestExamples(t *testing.T) {
	files, err := scenario.LoadDir(os.DirFS("testdata"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		t.Run(f.ID, func(t *testing.T) { playBothWays(t, f) })
	}
}

func playBothWays(t *testing.T, f *scenario.File) {
	t.Helper()
	for _, reload := range []bool{false, true} {
		r := scenario.Run(f, maker, scenario.Options{Reload: reload})
		for _, failure := range r.Failures() {
			t.Errorf("reload %v: %v", reload, failure)
		}
	}
}

// TestDemo plays the scene that is told to newcomers; it accounts for every change,
// and has texts in all languages for its headings.
func TestDemo(t *testing.T) {
	rules, err := maker("", nil)
	if err != nil {
		t.Fatal(err)
	}
	f, err := scenario.Load(rules.Demo, "scene.yaml")
	if err != nil {
		t.Fatal(err)
	}
	playBothWays(t, f)
	own, err := fs.Sub(rules.Demo, "locale")
	if err != nil {
		t.Fatal(err)
	}
	texts, err := locale.Load(locale.Core(), rules.Locale, own)
	if err != nil {
		t.Fatal(err)
	}
	keys := []string{"title", "about"}
	for _, e := range f.Cases[0].Play {
		if e.Scene != "" {
			keys = append(keys, "scene."+e.Scene, "scene."+e.Scene+".about")
		}
	}
	if len(keys) < 6 || !slices.Equal(texts.Languages(), []string{"en", "ja"}) {
		t.Errorf("headings %v in %v", keys, texts.Languages())
	}
	for _, key := range keys {
		if !texts.Has(key) {
			t.Errorf("no text %s", key)
		}
	}
}
