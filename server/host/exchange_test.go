package host_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hantei/hantei/engine/coc"
	"github.com/hantei/hantei/engine/foreign"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/view"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"github.com/hantei/hantei/server/exchange"
	"github.com/hantei/hantei/server/host"
	"google.golang.org/protobuf/testing/protocmp"
	"pgregory.net/rapid"
)

// sheetOf is the sheet of a human with any values that people have.
func sheetOf(t *rapid.T, r *rule.Ruleset) *tablev1.SheetInput {
	in := &tablev1.SheetInput{}
	for _, s := range r.Sheet.Stats {
		switch {
		case s.Resource:
		case s.Group == "characteristics":
			in.Stats = append(in.Stats, &tablev1.StatInput{Key: s.Key, Value: rapid.Int32Range(0, 40).Draw(t, s.Key)})
		case rapid.Bool().Draw(t, s.Key+" stands"):
			in.Stats = append(in.Stats, &tablev1.StatInput{Key: s.Key, Value: rapid.Int32Range(0, 99).Draw(t, s.Key)})
		}
	}
	for _, key := range []string{"hp", "mp"} {
		least := map[string]int32{"hp": -5}[key]
		top := rapid.Int32Range(1, 60).Draw(t, key+" at most")
		now := rapid.Int32Range(least, top).Draw(t, key)
		in.Resources = append(in.Resources, &tablev1.ResourceInput{Key: key, Value: &now, Max: &top})
	}
	for _, w := range r.Sheet.Gear {
		if rapid.Bool().Draw(t, w.ID) {
			in.Gear = append(in.Gear, w.ID)
		}
	}
	return in
}

// TestSheetThereAndBack: a sheet that was written for another tool is read as the same
// sheet, in each language that it may be written in.
func TestSheetThereAndBack(t *testing.T) {
	game, err := host.NewGame(coc.New, coc.DefaultPack())
	if err != nil {
		t.Fatal(err)
	}
	r := game.Rules
	for _, format := range []exchange.Format{exchange.Ccfolia, exchange.Udonarium} {
		rapid.Check(t, func(t *rapid.T) {
			before, refusal := r.FromSheet(sheetOf(t, r))
			if refusal != nil {
				t.Fatal(refusal)
			}
			lang := rapid.SampledFrom(game.Texts.Languages()).Draw(t, "language")
			whole := view.Character(before, view.Viewer{GM: true, Seat: "gm"}, &tablev1.Visibility{})
			file := game.WriteSheet(whole, format, lang)
			read, err := game.ReadSheet([]byte(file.Content), 0, lang)
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range read.Report {
				if l.Outcome != foreign.Taken && l.Outcome != foreign.LeftOut && l.Key != "db" {
					t.Fatalf("%+v", l)
				}
			}
			after, refusal := r.FromSheet(read.Sheet)
			if refusal != nil {
				t.Fatal(refusal)
			}
			if d := cmp.Diff(before, after, protocmp.Transform()); d != "" {
				t.Fatal(d)
			}
		})
	}
}
