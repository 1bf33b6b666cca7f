package persona_test

import (
	"os"
	"testing"

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
		t.Run(f.ID, func(t *testing.T) {
			for _, reload := range []bool{false, true} {
				r := scenario.Run(f, maker, scenario.Options{Reload: reload})
				for _, failure := range r.Failures() {
					t.Errorf("reload %v: %v", reload, failure)
				}
			}
		})
	}
}
