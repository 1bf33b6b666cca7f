package persona_test

import (
	"slices"
	"testing"

	"github.com/hantei/hantei/engine/locale"
	"github.com/hantei/hantei/engine/resolve"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/view"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

// What can be done with the main hand is offered, with words in both languages: to
// whoever has the turn, and with Connect Away to whoever could use his hand.
func TestSearchOffers(t *testing.T) {
	x := explore(t, newRules(t), 1, nil)
	at := func(dx int32) *typev1.Square { return &typev1.Square{X: dx, Floor: 1} }
	d := &personav1.Dungeon{
		Level: 20, Moon: personav1.Moon_MOON_FULL, Weather: personav1.Weather_WEATHER_RAIN,
		Floors:   []*personav1.Floor{{Number: 1, Rows: []string{"..", "#."}}},
		Features: []*personav1.Feature{{Id: 1, Square: at(0), Kind: &personav1.Feature_Stairs{Stairs: &personav1.Stairs{To: &personav1.Stairs_Outside{Outside: true}}}}},
	}
	say := func(lang string) []string {
		var out []string
		for _, o := range x.offers(seated[1]) {
			if o.Possible && o.Actor == "a" {
				out = append(out, view.Offer(o, lang, catalog(t, x.rules), nil).Text)
			}
		}
		return out
	}
	for _, step := range []struct {
		deed   *deed
		en, ja []string
		absent string
	}{
		{deed: enter(d, "a", "b", "c")},
		{
			deed: answer(seated[1], "declare_persona", resolve.SlotAnswer{Character: "a", Choice: "alpha"}),
			en:   []string{"Use Enemy Search with the hand of Chiharu", "Use Clairvoyance with the hand of Chiharu"}, ja: []string{"千春の手番でエネミーサーチを使う"},
			absent: "Search",
		},
		{
			deed: act(seated[2], "c", rule.Wrap[*tablev1.Action](&personav1.EndTurn{})),
			en:   []string{"Search", "Wait", "Use Enemy Search", "Change to Reedwhistle", "Roll Spot Hidden"}, ja: []string{"探索", "待機", "スキルを使う（エネミーサーチ）"},
			absent: "Use Enemy Search with the hand of Chiharu",
		},
	} {
		if err := x.do(step.deed); err != nil {
			t.Fatalf("%s: %v", step.deed.what, err)
		}
		for lang, want := range map[string][]string{"en": step.en, "ja": step.ja} {
			got := say(lang)
			for _, w := range want {
				if !slices.Contains(got, w) {
					t.Errorf("after %s in %s: no %q in %q", step.deed.what, lang, w, got)
				}
			}
			if slices.Contains(got, step.absent) {
				t.Errorf("after %s: %q is offered", step.deed.what, step.absent)
			}
		}
	}
}

func newRules(t *testing.T) *rule.Ruleset {
	t.Helper()
	r, err := maker("persona", nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func catalog(t *testing.T, r *rule.Ruleset) *locale.Catalog {
	t.Helper()
	c, err := locale.Load(locale.Core(), r.Locale)
	if err != nil {
		t.Fatal(err)
	}
	return c
}
