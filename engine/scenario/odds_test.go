package scenario_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/hantei/hantei/engine/odds"
	"github.com/hantei/hantei/engine/scenario"
)

const attackOdds = fight + `
  - by: officer
    odds: {under: {defend: none}, outcomes: %s}
    act: {coc: {attack: {weapon: baton, target: thug}}}
    dice: ["1D100=44", "2D6=7"]
`

// The odds of an entry are those before it is declared, under the answers that it says.
func TestOdds(t *testing.T) {
	passes(t, strings.Replace(attackOdds, "%s", `{"thug.hp<=1": 1/36, thug.hp>=11: 1/36, thug.hp<2: 1/36, thug.hp>10: 1/36, thug.hp = 6: 1/6, thug.hp!=6: 5/6,
      attack_hit: 1, attack_hit(baton): 1, attack_hit(fist): 0, attack_avoided: 0, officer.hp=9: 0, "thug.position=1,0": 1}`, 1))
}

// What does not come out is said with the line and both fractions.
func TestOddsFail(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"another fraction", strings.Replace(attackOdds, "%s", "{thug.hp=6: 1/7}", 1), "test.yaml:11: the odds of thug.hp=6 are 1/6, not 1/7"},
		{"no such path", strings.Replace(attackOdds, "%s", "{thug.hq=6: 1/7}", 1), "test.yaml:11: there is no thug.hq; did you mean"},
		{"an answer to nothing", strings.Replace(strings.Replace(attackOdds, "%s", "{attack_hit: 1}", 1), "defend: none", "defend: none, cover: cover", 1), "nobody asks cover"},
		{"too much", strings.Replace(strings.Replace(attackOdds, "%s", "{attack_hit: 1}", 1), "defend: none", "defend: dodge", 1), "the odds are not exact"},
		{"refused", strings.Replace(attackOdds, "%s", "{attack_hit: 1}", 1) + strings.Replace(strings.TrimPrefix(attackOdds, fight), "%s", "{attack_hit: 1}", 1), "has no odds"},
	} {
		r := play(t, c.text, false)
		var got []string
		for _, f := range r.Failures() {
			got = append(got, f.Error())
		}
		if !strings.Contains(strings.Join(got, "\n"), c.want) {
			t.Errorf("%s: %q, want %s", c.name, got, c.want)
		}
	}
}

func TestOddsWrong(t *testing.T) {
	for _, c := range []struct{ outcomes, want string }{
		{"{thug.hp<=: 1/2}", `<= compares with a number, not ""`},
		{"{thug.hp<=one: 1/2}", "<= compares with a number"},
		{"{attack_hot: 1/2}", `unknown event "attack_hot"; did you mean "attack_hit"?`},
		{"{attack_hit: 3/2}", `a probability is a fraction from 0 to 1, not "3/2"`},
		{"{attack_hit: -1/2}", "a probability is a fraction from 0 to 1"},
		{"{attack_hit: often}", "a probability is a fraction from 0 to 1"},
		{"[attack_hit]", "outcomes is a mapping of outcomes to probabilities, not a list"},
		{"{attack_hit: 1}, ander: {defend: none}", `unknown key of odds "ander"; did you mean "under"?`},
	} {
		_, err := scenario.Parse("test.yaml", []byte(strings.Replace(attackOdds, "%s", c.outcomes, 1)))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.outcomes, err, c.want)
		}
	}
	for _, c := range []struct{ entry, want string }{
		{"{by: gm, odds: {outcomes: {attack_hit: 1}}, expect: {thug.hp: 1}}", "odds are those of an act that is not refused"},
		{"{by: officer, act: {coc: {end_turn: {}}}, odds: {}}", "odds lacks outcomes"},
		{"{by: officer, act: {coc: {end_turn: {}}}, odds: {under: [dodge], outcomes: {attack_hit: 1}}}", "under is a mapping of prompts to choices, not a list"},
		{"{by: officer, act: {coc: {end_turn: {}}}, odds: {under: {defent: dodge}, outcomes: {attack_hit: 1}}}", `unknown prompt "defent"; did you mean "defend"?`},
	} {
		_, err := scenario.Parse("test.yaml", []byte(fight+"  - "+c.entry+"\n"))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.entry, err, c.want)
		}
	}
}

// Each action that can be tried is handed over before it is declared.
func TestTried(t *testing.T) {
	f, err := scenario.Parse("test.yaml", []byte(strings.Replace(attackOdds, "%s", "{attack_hit: 1}", 1)+`
  - by: gm
    act: {coc: {gm_treat_as_critical: {roll_id: "last:check_resolved"}}}
    error: TOO_LATE
  - by: officer
    act: {coc: {end_turn: {}}}
`))
	if err != nil {
		t.Fatal(err)
	}
	var tried []int
	r := scenario.Run(f, testRules, scenario.Options{Tried: func(x *scenario.Tried) {
		tried = append(tried, x.Number)
		o, err := odds.Of(x.Query())
		if err != nil || x.Number == 1 && o.Resources[0].Before != 13 {
			t.Errorf("entry %d: %v, %v", x.Number, o, err)
		}
	}})
	if !r.Passed() || !slices.Equal(tried, []int{1, 3}) {
		t.Errorf("tried %v, %v", tried, r.Failures())
	}
}
