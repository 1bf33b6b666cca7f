package host_test

import (
	"strconv"
	"strings"
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

// specialities that skills may have, none for those that have further ones: which of
// them is the first is not in another tool's sheet.
var specialities = map[string]string{
	"spot": "鳥", "handgun": ".45 (old)", "own_language": "日本語", "photography": "10×15 cm", "dodge": "a b",
}

// sheetOf is the sheet of a human with any values that people have.
func sheetOf(t *rapid.T, r *rule.Ruleset) *tablev1.SheetInput {
	in := &tablev1.SheetInput{}
	for _, s := range r.Sheet.Stats {
		switch {
		case s.Resource:
		case s.Group == "characteristics":
			in.Stats = append(in.Stats, &tablev1.StatInput{Key: s.Key, Value: rapid.Int32Range(0, 40).Draw(t, s.Key)})
		case rapid.Bool().Draw(t, s.Key+" stands"):
			st := &tablev1.StatInput{Key: s.Key, Value: rapid.Int32Range(0, 99).Draw(t, s.Key)}
			if of := specialities[s.Key]; of != "" && rapid.Bool().Draw(t, s.Key+" has a speciality") {
				st.Speciality = &of
			}
			in.Stats = append(in.Stats, st)
		}
	}
	for i := range rapid.IntRange(0, 4).Draw(t, "entries") {
		label := rapid.SampledFrom([]string{"職業", "年齢", "Home town", "潮読み"}).Draw(t, "label")
		in.Profile = append(in.Profile, &tablev1.ProfileEntry{Label: label, Text: rapid.SampledFrom([]string{"船医", "33", "<a> & 'b'", "5/6", strings.Repeat("長", 400)}).Draw(t, "text"+strconv.Itoa(i))})
	}
	in.Notes = strings.TrimSpace(rapid.StringOf(rapid.SampledFrom([]rune("海が怖い。\n 【】a:<&\"\t"))).Draw(t, "notes"))
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
			in := sheetOf(t, r)
			before, refusal := r.FromSheet(in)
			if refusal != nil {
				t.Fatal(refusal)
			}
			before.Profile, before.Notes = in.Profile, in.Notes
			lang := rapid.SampledFrom(game.Texts.Languages()).Draw(t, "language")
			whole := view.Character(before, view.Viewer{GM: true, Seat: "gm"}, &tablev1.Visibility{})
			file := game.WriteSheet(whole, format, lang)
			read, err := game.ReadSheet([]byte(file.Content), 0, lang)
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range read.Report {
				if l.Outcome != foreign.Taken && l.Outcome != foreign.LeftOut && l.Outcome != foreign.Noted && l.Key != "db" {
					t.Fatalf("%+v", l)
				}
			}
			after, refusal := r.FromSheet(read.Sheet)
			if refusal != nil {
				t.Fatal(refusal)
			}
			after.Profile, after.Notes = read.Sheet.Profile, read.Sheet.Notes
			if d := cmp.Diff(before, after, protocmp.Transform()); d != "" {
				t.Fatal(d)
			}
		})
	}
}
