package scenario_test

import (
	"strings"
	"testing"

	"github.com/hantei/hantei/engine/scenario"
)

const spec = "# Rules\n\n### COC-ATK-01 The attack\n\ntext COC-ATK-09\n\n### COC-ATK-02 Damage\n### COC-CHK-03\n### COC-CMB-09 Budget\n### Notes\n" +
	"```\n### COC-XXX-01 not one\n```\n### COC-DEF-01 Dodge\n\n## 8. Examples\n\n" +
	"- **EX-COC-ATK-01-1** officer hits: `1D100=44`.\n- **EX-COC-ATK-02-1** fails.\n- **EX-COC-DEF-01-1** none.\n- EX-COC-DEF-02-1\n"

func TestSpec(t *testing.T) {
	rules, examples := scenario.Spec(spec)
	want := []scenario.Rule{{ID: "COC-ATK-01", Title: "The attack"}, {ID: "COC-ATK-02", Title: "Damage"}, {ID: "COC-CHK-03"}, {ID: "COC-CMB-09", Title: "Budget"}, {ID: "COC-DEF-01", Title: "Dodge"}}
	if len(rules) != len(want) {
		t.Fatalf("rules %v", rules)
	}
	for i, r := range rules {
		if r != want[i] {
			t.Errorf("rule %v, not %v", r, want[i])
		}
	}
	if got := strings.Join(examples, " "); got != "EX-COC-ATK-01-1 EX-COC-ATK-02-1 EX-COC-DEF-01-1" {
		t.Errorf("examples %s", got)
	}
}

const hit = `id: EX-COC-ATK-01-1
rule: [COC-ATK-01, COC-CHK-03, COC-CMB-09, COC-DEF-01, COC-NEW-01]
ruleset: coc
given: {characters: [{sample: officer}, {sample: thug}]}
play:
  - {by: officer, act: {coc: {attack: {weapon: baton, target: thug}}}, dice: ["1D100=44", "2D6=7"]}
  - {by: officer, act: {coc: {attack: {weapon: baton, target: thug}}}, error: ALREADY_ATTACKED}
  - {by: officer, act: {coc: {check: {skill: spot}}}, dice: ["1D100=44"]}
`

func TestCover(t *testing.T) {
	rules, examples := scenario.Spec(spec)
	fails := strings.NewReplacer("EX-COC-ATK-01-1", "EX-COC-ATK-02-1", "rule: [", "rule: [COC-ATK-02, ", "2D6=7", "1D6=6").Replace(hit)
	other := strings.Replace(hit, "EX-COC-ATK-01-1", "EX-COC-HOME-1", 1)
	reports := []*scenario.Report{play(t, hit, true), play(t, fails, true), play(t, other, false)}
	c := scenario.Cover("coc", rules, examples, []string{"COC-ATK-01"}, reports)
	var b strings.Builder
	if err := c.Print(&b); err != nil {
		t.Fatal(err)
	}
	want := `rule COC-ATK-02 Damage: not covered by EX-COC-ATK-02-1
example EX-COC-ATK-02-1: test.yaml fails
example EX-COC-DEF-01-1: no file
test.yaml: no rule COC-NEW-01 in the specification
test.yaml: no rule COC-NEW-01 in the specification
test.yaml: no example EX-COC-HOME-1 in the specification
test.yaml: no rule COC-NEW-01 in the specification
5 rules: 1 with code, 5 with examples
coc: 4/5 rules covered, 1/3 examples pass
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
	if c.Complete() {
		t.Error("complete, with two examples missing")
	}
	// An event, a refusal, a prompt and a line of a trace each cover their rule.
	for _, r := range c.Rules {
		if covered := len(r.By) > 0; covered != (r.ID != "COC-ATK-02") {
			t.Errorf("%s covered: %v", r.ID, covered)
		}
	}
	if none := scenario.Cover("persona", nil, nil, nil, reports); none.Summary() != "persona: 0/0 rules covered, 0/0 examples pass" || !none.Complete() {
		t.Error(none.Summary())
	}
}

func TestPrint(t *testing.T) {
	var b strings.Builder
	r := play(t, strings.Replace(hit, "ALREADY_ATTACKED", "NOT_FOUND", 1), false)
	if err := scenario.Print(&b, r); err != nil {
		t.Fatal(err)
	}
	const want = `EX-COC-ATK-01-1  test.yaml
  1. officer: attack {weapon: baton, target: thug} (line 6)
      check_resolved [COC-CHK-01] officer roll=44
        1D100=44  attack of officer
      prompt_opened [COC-DEF-01] officer -> thug prompt=defend
     >defend: the default, none for thug (line 6)
      prompt_answered [COC-DEF-01] officer -> thug prompt=defend choice(thug)=none
      attack_hit [COC-ATK-01] officer -> thug weapon=baton
      damage_rolled [COC-ATK-02] officer -> thug final(thug)=7
        2D6=7(4,3)  damage of officer
  2. officer: attack {weapon: baton, target: thug} (line 7)
      refused: ALREADY_ATTACKED COC-CMB-09
      FAIL test.yaml:7: refused with ALREADY_ATTACKED, not NOT_FOUND: ALREADY_ATTACKED COC-CMB-09
  (1 more not played)
FAIL EX-COC-ATK-01-1
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}
