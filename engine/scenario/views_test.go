package scenario_test

import (
	"strings"
	"testing"

	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/scenario"
)

// struck is a fight in which the thug has been hit, and what is hidden of it by
// the options in front. The views stand behind.
const struck = `id: EX-COC-ATK-01-1
rule: [COC-ATK-01]
ruleset: coc
given:
  characters:
    - sample: officer
      patch: {statuses: {plus10_right: {}, knocked_down: {}}, details: {growth_marks: {fumble.spot: {kind: fumble}}}}
    - {sample: nurse}
    - {sample: thug, patch: {statuses: {plus10_right: {}}, modifiers: {gm.club: {applies_to: club, add: 10}}}}
  encounter: {order: [officer, thug, nurse], round: 2}
  positions: {officer: "0,0", thug: "1,0"}
play:
  - {by: officer, act: {coc: {attack: {weapon: baton, target: thug}}}, dice: ["1D100=44", "2D6=7"]}
`

func TestViews(t *testing.T) {
	for _, c := range []struct{ name, options, views string }{
		{"the defaults", ``, `
  officer:
    must_see: [thug, thug.name, thug.kind, thug.side, thug.hp.band, thug.position, officer.hp, officer.hp.max, officer.club,
      officer.review, officer.status.plus10_right, officer.details, nurse.hp, encounter, encounter.order, thug.details.weapons.baton.state]
    must_not_see: [thug.hp, thug.hp.max, thug.club, thug.sample, thug.status.plus10_right, thug.modifier.gm.club, thug.details.wounds.1.amount,
      thug.details.wounds, thug.review, nurse.review, encounter.pointer]
  nurse:
    must_see: [officer.hp, officer.status.plus10_right, officer.status.knocked_down]
    must_not_see: officer.details.growth_marks
  observer: {must_see: [nurse.hp, thug.hp.band], must_not_see: [thug.hp, officer.details.growth_marks]}
  gm:
    must_see: [thug.hp, thug.hp.max, thug.club, thug.sample, thug.status.plus10_right, thug.modifier.gm.club, thug.details, officer.details, encounter]
    must_not_see: encounter.pointer`},
		{"all shown", `{npc_hp: exact, npc_values: shown}`, `
  officer: {must_see: [thug.hp, thug.club, thug.details.wounds], must_not_see: [thug.status.plus10_right]}
  observer: {must_see: [thug.hp, thug.club]}`},
		{"all hidden", `{npc_hp: none, party_sheets: hidden}`, `
  officer: {must_see: [officer.hp, officer.status.plus10_right], must_not_see: [thug.hp.band, nurse.hp, nurse.club]}
  nurse: {must_see: officer.status.knocked_down, must_not_see: [officer.hp, officer.status.plus10_right]}
  observer: {must_not_see: [officer.hp, officer.club, officer.status.plus10_right]}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			options := ""
			if c.options != "" {
				options = "options: " + c.options + "\n"
			}
			passes(t, options+struck+"views:"+c.views+"\n")
		})
	}
}

// Each of these fails, at a line, with a reason.
func TestViewsFail(t *testing.T) {
	for _, c := range []struct{ name, options, views, want string }{
		{"leak", `{npc_hp: exact}`, `{officer: {must_not_see: [thug.hp]}}`, "test.yaml:15: officer sees thug.hp: it is 6"},
		{"leak beneath", ``, `{observer: {must_not_see: [thug.details]}}`, "test.yaml:15: observer sees thug.details.weapons.baton: it is true"},
		{"leak of what others know", ``, `{nurse: {must_not_see: [officer.status.plus10_right]}}`, "nurse sees officer.status.plus10_right"},
		{"hidden", ``, `{observer: {must_see: [thug.hp]}}`, "test.yaml:15: observer does not see thug.hp"},
		{"hidden from all", ``, `{gm: {must_see: [encounter.pointer]}}`, "gm does not see encounter.pointer"},
		{"hidden beneath", ``, `{officer: {must_see: [thug.details.wounds]}}`, "officer does not see thug.details.wounds.1"},
		{"misspelt", ``, `{officer: {must_not_see: [thug.hpp]}}`, `test.yaml:15: there is no thug.hpp; did you mean "thug.hp"?`},
		{"misspelt name", ``, `{officer: {must_see: [thug.nmae]}}`, `there is no thug.nmae; did you mean "thug.name"?`},
		{"status that it has not", ``, `{officer: {must_not_see: [thug.status.unconscious]}}`, "there is no thug.status.unconscious"},
		{"not set", ``, `{officer: {must_not_see: [thug.details.combat.moved]}}`, "thug.details.combat.moved is not set, so nobody could see it"},
		{"nothing of it set", ``, `{officer: {must_not_see: [thug.details.combat]}}`, "thug.details.combat is not set, so nobody could see it"},
		{"no seat", ``, `{thug: {must_see: [thug.hp]}}`, "test.yaml:15: thug is no player's character, so there is no such seat"},
	} {
		t.Run(c.name, func(t *testing.T) {
			options := c.options
			if options == "" {
				options = "{}"
			}
			for _, reload := range []bool{true, false} {
				r := play(t, "options: "+options+"\n"+struck+"views: "+c.views+"\n", reload)
				if err := r.Err(); err == nil || !strings.Contains(err.Error(), c.want) {
					t.Errorf("reload %v:\ngot  %v\nwant %s", reload, err, c.want)
				}
			}
		})
	}
}

// Views are of their case, at its end.
func TestViewsOfCases(t *testing.T) {
	const text = `id: EX-COC-ATK-01-1
rule: [COC-ATK-01]
ruleset: coc
cases:
  - name: exact
    options: {npc_hp: exact}
    given: {characters: [{sample: officer}, {sample: thug}]}
    play: [{by: officer, act: {coc: {attack: {weapon: baton, target: thug}}}, dice: ["1D100=44", "2D6=7"]}]
    views: {officer: {must_see: [thug.hp, thug.details.wounds.1.amount]}}
  - name: band
    given: {characters: [{sample: officer}, {sample: thug}]}
    play: [{by: officer, act: {coc: {attack: {weapon: baton, target: thug}}}, dice: ["1D100=44", "2D6=7"]}]
    views: {officer: {must_not_see: [thug.hp, thug.details.wounds.1.amount]}}
`
	passes(t, text)
	const want = "test.yaml:13: case band: officer does not see thug.hp"
	r := play(t, strings.Replace(text, "must_not_see", "must_see", 1), false)
	if err := r.Err(); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

// A rule that the specification does not have is a failure of the file, once.
func TestUnknownRules(t *testing.T) {
	text := strings.NewReplacer(`rule: [COC-ATK-01, COC-ATK-02]`, "rule:\n- COC-ATK-01\n- COC-ATK-2").Replace(fight) +
		"  - {by: gm, act: {coc: {end_combat: {}}}}\n"
	const want = `test.yaml:4: unknown rule "COC-ATK-2"; did you mean "COC-ATK-02"?`
	for _, c := range []struct{ name, markdown, text, want string }{
		{"unknown", spec, text, want},
		{"known", spec, strings.Replace(text, "ATK-2", "ATK-02", 1), ""},
		{"no specification", "", text, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := scenario.Parse("test.yaml", []byte(c.text))
			if err != nil {
				t.Fatal(err)
			}
			r := scenario.Run(f, func(name string, pack []byte) (*rule.Ruleset, error) {
				r, err := testRules(name, pack)
				r.Markdown = c.markdown
				return r, err
			}, scenario.Options{})
			got := ""
			if err := r.Err(); err != nil {
				got = err.Error()
			}
			var b strings.Builder
			if err := scenario.Print(&b, r); err != nil {
				t.Fatal(err)
			}
			if got != c.want || !strings.Contains(b.String(), c.want) || r.Passed() != (c.want == "") {
				t.Errorf("got  %s\nwant %s\nprinted\n%s", got, c.want, b.String())
			}
		})
	}
}
