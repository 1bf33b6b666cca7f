package scenario_test

import (
	"strings"
	"testing"

	"github.com/hantei/hantei/engine/scenario"
)

// fight is a table in the second round of a fight, for the tests to play on.
const fight = `id: EX-COC-ATK-01-1
rule: [COC-ATK-01, COC-ATK-02]
ruleset: coc
given:
  characters: [{sample: officer}, {sample: nurse}, {sample: thug}]
  encounter: {order: [officer, thug, nurse], round: 2}
  positions: {officer: "0,0", thug: "1,0"}
play:
`

func play(t *testing.T, text string, reload bool) *scenario.Report {
	t.Helper()
	f, err := scenario.Parse("test.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return scenario.Run(f, testRules, scenario.Options{Reload: reload})
}

// passes plays a file in both ways.
func passes(t *testing.T, text string) *scenario.Report {
	t.Helper()
	var r *scenario.Report
	for _, reload := range []bool{true, false} {
		if r = play(t, text, reload); !r.Passed() {
			var b strings.Builder
			_ = scenario.Print(&b, r)
			t.Errorf("reload %v:\n%s", reload, b.String())
		}
	}
	return r
}

func TestAttack(t *testing.T) {
	passes(t, fight+`
  - by: officer
    act: {coc: {attack: {weapon: baton, target: thug}}}
    dice: ["1D100=44", "1D100=31", "2D6=7(3,4)"]
    answers: [{prompt: defend, by: thug, choose: dodge, values: {dedicate: true}}]
    events:
      - {name: check_resolved, rule: COC-CHK-01, actor: officer, facts: {roll: 44}}
      - {name: attack_hit, rule: COC-ATK-01, actor: officer, targets: [thug], facts: {weapon: baton}}
      - {name: damage_rolled, facts: {final: 7, weapon: null}}
    no_events: [shock_rolled]
    prompts: [defend]
    changes: {thug.hp: 6, officer.details.combat.attacks_made: 1, thug.details.combat.def_count.dodge: 1, thug.details.wounds.1.amount: 7}
    expect: {thug.hp: 6, thug.hp.max: 13, thug.status.unconscious: null, officer.position: "0,0", encounter.turn: [officer], encounter.notes: "",
      officer.details.combat.moved: false, officer.details.weapons.baton.state: ok, thug.details.weapons.claw: null}
  - by: officer
    act: {coc: {attack: {weapon: baton, target: thug}}}
    error: ALREADY_ATTACKED
    error_rule: COC-CMB-09
    changes: {}
  - by: officer
    act: {coc: {end_turn: {}}}
    events: [{name: turn_started, actor: thug, facts: {order: [officer, thug, nurse]}}]
    exact: true
    prompts: []
    changes: {encounter.turn: [thug]}
  - by: thug
    seat: nurse
    act: {coc: {attack: {weapon: fist, target: nurse}}}
    error: NOT_YOUR_SEAT
  - by: thug
    act: {coc: {attack: {weapon: fist, target: nurse}}}
    dice: ["1D100=20", "2D6=11"]
    answers:
      - {during: defend, by: gm, act: {coc: {gm_treat_as_critical: {roll_id: "last:check_resolved"}}}}
      - {during: defend, by: officer, act: {coc: {end_turn: {}}}, error: PROMPT_PENDING}
      - {prompt: cover, by: officer, answer: {coc: {cover: {cover: true}}}, during: defend, error: COVER_TOO_LATE, error_rule: COC-DEF-07}
    prompts: [cover, defend]
    changes:
      nurse.hp: -11
      nurse.details.wounds.1.amount: 22
      nurse.status.unconscious: true
      nurse.status.unconscious.causes: [low_hp]
      nurse.status.unconscious.until: 4
      thug.details.combat.attacks_made: 1
      thug.details.combat.treated_as_critical: true
      thug.details.combat.def_count: null
  - by: gm
    act: {coc: {gm_treat_as_critical: {roll_id: "last:check_resolved"}}}
    error: TOO_LATE
  - by: gm
    act: {coc: {end_combat: {}}}
    changes: {encounter: null}
    expect: {encounter: null}
`)
}

func TestCoverAnswer(t *testing.T) {
	passes(t, fight+`
  - by: thug
    act: {coc: {attack: {weapon: fist, target: nurse}}}
    dice: ["1D100=20", "2D6=2"]
    answers:
      - {prompt: cover, by: officer, answer: {coc: {cover: {cover: true}}}}
    must_answer: [cover]
    prompts: [cover, defend]
    events: [{name: covered, actor: officer, targets: [nurse]}, {name: attack_hit, targets: [officer]}]
    expect: {officer.hp: 12, nurse.hp: 11}
`)
}

func TestStanding(t *testing.T) {
	passes(t, fight+`
  - by: officer
    audience: owner
    act: {coc: {check: {skill: spot}}}
    dice: ["1D100=5"]
    prompts: [critical_benefit]
    changes: {}
  - answers: [{prompt: critical_benefit, by: gm, choose: nothing}]
    no_events: [right_gained]
  - by: officer
    act: {coc: {check: {skill: spot}}}
    dice: ["1D100=1"]
    answers: [{prompt: critical_benefit, by: gm, choose: plus10}]
    events: [{name: right_gained, rule: COC-CHK-05, actor: officer}]
  - by: officer
    act: {coc: {check: {skill: spot}}}
    dice: ["1D100=1"]
  - by: gm
    act: {core: {end_scene: {}}}
    events: [{name: right_gained}, {name: scene_ended}]
`)
}

func TestSpecialAndLevers(t *testing.T) {
	passes(t, fight+`
  - by: officer
    act: {coc: {special_action: {text: "throws sand", uses: attack}}}
    answers: [{prompt: allow_special, by: gm, choose: check, values: {mod: 20}}]
    dice: ["1D100=45"]
    events: [{name: special_decided, facts: {decision: check}}, {name: dice_rolled}]
    exact: true
  - by: officer
    act: {coc: {special_action: {text: "sings", uses: none}}}
    answers: [{prompt: allow_special, by: gm, answer: {coc: {allow_special: {refuse: {}}}}}]
  - by: gm
    act: {core: {place: {character: officer, square: "3,4"}}}
    changes: {officer.position: "3,4"}
  - by: gm
    act: {core: {place: {character: officer}}}
    changes: {officer.position: null}
  - by: gm
    act: {core: {modify: {character: officer, applies_to: club, value: 10, reason: light}}}
    changes: {officer.modifier.gm.club: 10, officer.modifier.gm.club.uses: 1}
    expect: {officer.modifier.gm.club: 10, officer.modifier.gm.spot: null}
`)
}

func TestPatchAndOptions(t *testing.T) {
	r := passes(t, `id: EX-COC-CHK-01-1
rule: [COC-CHK-01]
ruleset: coc
options: {npc_hp: exact}
cases:
  - name: patched
    options: {mercy: true}
    given:
      pack: {weapons: [{id: whip, damage: "1D6", hands: 1}]}
      characters:
        - sample: thug
          id: thug-2
          side: pc
          review: submitted
          patch:
            stats: {spot: 25, club: {value: 30, base: 30}}
            resources: {hp: {value: 9, max: 14}}
            statuses: {knocked_down: {}, unconscious: {causes: [low_hp, shock], from: 2, until: 3}}
            modifiers: {gm.club: {applies_to: club, add: 10, uses: 1}, late: {applies_to: "#arm", add: -15, from: 2, until: 2}}
            details:
              combat: {attacks_made: 1, def_count: {dodge: 1}}
              weapons: {baton: {durability: 5, state: broken, ready: false}, fist: null, axe: {template: axe, in_hand: true}}
              wounds: {2: {amount: 3}, 1: {amount: 2}}
              health: {death_round: 4}
              growth_marks: {fumble.spot: {kind: fumble, source: spot, skill: spot}}
              body: {extraterrestrial: false}
    play:
      - expect:
          thug-2.spot: 25
          thug-2.spot.base: 25
          thug-2.club: 30
          thug-2.club.base: 30
          thug-2.hp: 9
          thug-2.hp.max: 14
          thug-2.review: submitted
          thug-2.status.knocked_down: true
          thug-2.status.unconscious.causes: [low_hp, shock]
          thug-2.status.unconscious.from: 2
          thug-2.modifier.gm.club: 10
          thug-2.modifier.late.until: 2
          thug-2.details.combat.attacks_made: 1
          thug-2.details.combat.def_count.dodge: 1
          thug-2.details.weapons.baton.durability: 5
          thug-2.details.weapons.baton.state: broken
          thug-2.details.weapons.baton.ready: false
          thug-2.details.weapons.baton.in_hand: true
          thug-2.details.weapons.fist: null
          thug-2.details.weapons.axe.template: axe
          thug-2.details.wounds.1.amount: 2
          thug-2.details.wounds.2.amount: 3
          thug-2.details.health.death_round: 4
          thug-2.details.growth_marks.fumble.spot.kind: fumble
          thug-2.details.body.extraterrestrial: false
          thug-2.details.body.instant_death: null
  - name: skill
    given: {characters: [{sample: officer}]}
    play:
      - {by: officer, seat: gm, act: {coc: {check: {skill: spoot}}}, error: UNKNOWN_SKILL}
`)
	if len(r.Cases) != 2 || r.Cases[0].Case.Options[0].Key != "mercy" || len(r.Cases[1].Case.Options) != 1 {
		t.Errorf("options: %v", r.Cases[0].Case.Options)
	}
}

// Each of these fails, at a line, with a reason.
func TestFailures(t *testing.T) {
	attack := `
  - by: officer
    act: {coc: {attack: {weapon: baton, target: thug}}}
`
	for _, c := range []struct{ name, play, want string }{
		{"unused die", attack + `    dice: ["1D100=44", "2D6=7", "1D4=1"]`, "test.yaml:12: throws left over: 1, the first is 1D4=1"},
		{"missing die", attack + `    dice: ["1D100=44"]`, "test.yaml:12: dice: 2D6 asked for damage of officer, no dice left"},
		{"wrong die", attack + `    dice: ["1D100=44", "1D6=3"]`, "test.yaml:12: dice: 2D6 asked for damage of officer, next is 1D6=3"},
		{"unused answer", attack + `    dice: ["1D100=44", "2D6=7"]
    answers: [{prompt: cover, by: officer, choose: cover}]`, "test.yaml:13: this answer was not used: no prompt cover is open"},
		{"must answer", attack + `    dice: ["1D100=44", "2D6=7"]
    must_answer: [defend]`, "test.yaml:10: prompt defend must be answered, and no answer is left"},
		{"refused", attack + `    dice: ["1D100=44", "2D6=7"]
  - by: officer
    act: {coc: {attack: {weapon: baton, target: thug}}}`, "test.yaml:13: attack {weapon: baton, target: thug} was refused: ALREADY_ATTACKED COC-CMB-09"},
		{"not refused", attack + `    error: ALREADY_ATTACKED`, "asked for attack of officer"},
		{"not refused without dice", `
  - {by: officer, act: {coc: {end_turn: {}}}, error: ALREADY_ATTACKED}`, "test.yaml:10: end_turn was not refused with ALREADY_ATTACKED"},
		{"other refusal", `
  - {by: officer, act: {coc: {check: {skill: x}}}, error: ALREADY_ATTACKED}`, "test.yaml:10: refused with UNKNOWN_SKILL, not ALREADY_ATTACKED"},
		{"other rule", `
  - {by: officer, act: {coc: {check: {skill: x}}}, error: UNKNOWN_SKILL, error_rule: COC-X-01}`, `test.yaml:10: refused by rule "COC-CHK-01", not COC-X-01`},
		{"missing event", attack + `    dice: ["1D100=44", "2D6=7"]
    events: [{name: attack_hit, rule: COC-ATK-02}]`, `test.yaml:13: no such event attack_hit. attack_hit (event 4): its rule is "COC-ATK-01", not COC-ATK-02`},
		{"order of events", attack + `    dice: ["1D100=44", "2D6=7"]
    events: [{name: damage_rolled}, {name: attack_hit}]`, "no such event attack_hit after the damage_rolled. attack_hit (event 4): it came before"},
		{"fact", attack + `    dice: ["1D100=44", "2D6=7"]
    events: [{name: damage_rolled, facts: {final: 8}}]`, "final is 7, not 8"},
		{"trace", attack + `    dice: ["1D100=44", "2D6=7"]
    events: [{name: damage_rolled, trace: ["weapon_dice: 7 = 7 [COC-ATK-02]"]}]`, "its trace is [], not [weapon_dice: 7 = 7 [COC-ATK-02]]"},
		{"no event", attack + `    dice: ["1D100=44", "2D6=7"]
    no_events: [attack_hit]`, "test.yaml:13: there is an event attack_hit"},
		{"exact", attack + `    dice: ["1D100=44", "2D6=7"]
    events: [{name: check_resolved}, {name: attack_hit}]
    exact: true`, "test.yaml:14: more events than listed: damage_rolled"},
		{"prompts", attack + `    dice: ["1D100=44", "2D6=7"]
    prompts: []`, "test.yaml:13: the prompts were [defend], not []"},
		{"unlisted change", attack + `    dice: ["1D100=44", "2D6=7"]
    changes: {thug.hp: 6, thug.details.wounds.1.amount: 7}`, "test.yaml:13: not listed: officer.details.combat.attacks_made: 0 -> 1"},
		{"other change", attack + `    dice: ["1D100=44", "2D6=7"]
    changes: {thug.hp: 7, thug.details.wounds.1.amount: 7, officer.details.combat.attacks_made: 1}`, "test.yaml:13: thug.hp is 6, not 7 (before: 13)"},
		{"no change", attack + `    dice: ["1D100=44", "2D6=7"]
    changes: {thug.hp: 6, thug.hpp: 1, officer.hp: 1, thug.details.wounds.1.amount: 7, officer.details.combat.attacks_made: 1}`, "officer.hp did not change: it is 14"},
		{"expect", attack + `    dice: ["1D100=44", "2D6=7"]
    expect: {thug.hpp: null}`, `test.yaml:13: there is no thug.hpp; did you mean "thug.hp"?`},
		{"expect null", attack + `    dice: ["1D100=44", "2D6=7"]
    expect: {encounter: null}`, "encounter is there"},
		{"late handle", `
  - {by: gm, act: {coc: {gm_treat_as_critical: {roll_id: "last:check_resolved"}}}}`, "there has been no event check_resolved"},
		{"no such seat", `
  - {by: officer, seat: thug, act: {coc: {end_turn: {}}}}`, "thug is no player's character, so there is no such seat"},
		{"no such prompt", attack + `    dice: ["1D100=44", "2D6=7"]
    answers: [{prompt: dying, during: defend, by: gm, choose: dies}]`, "there has been no prompt dying since the last action"},
		{"no such choice", attack + `    dice: ["1D100=44", "2D6=7"]
    answers: [{prompt: defend, by: thug, choose: doge}]`, "UNKNOWN_CHOICE"},
		{"panic", `
  - {by: gm, act: {coc: {gm_week: {character: officer}}}}`, "test.yaml:10: gm_week {character: officer} failed: rule: panic in the rules: a bug"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, reload := range []bool{true, false} {
				r := play(t, fight+c.play, reload)
				if err := r.Err(); err == nil || !strings.Contains(err.Error(), c.want) {
					t.Errorf("reload %v:\ngot  %v\nwant %s", reload, err, c.want)
				}
			}
		})
	}
}

// What is given may not fit the ruleset.
func TestGivenFailures(t *testing.T) {
	for _, c := range []struct{ name, given, want string }{
		{"sample", `characters: [{sample: offcer}]`, `:5: sample "offcer": NOT_FOUND sample; did you mean "officer"?`},
		{"stat", `characters: [{sample: officer, patch: {stats: {clb: 3}}}]`, `:5: unknown stat "clb"; did you mean "club"?`},
		{"resource", `characters: [{sample: officer, patch: {resources: {club: 3}}}]`, `unknown resource "club"`},
		{"status", `characters: [{sample: officer, patch: {statuses: {knocked: {}}}}]`, `unknown status "knocked"`},
		{"pack", `pack: {weapons: [broken, {a: 1, b: "1", c: null}]}`, `ruleset coc: pack: {"weapons": ["broken", {"a": 1, "b": "1", "c": null}]}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := play(t, "id: EX-A-1\nrule: [A-1]\nruleset: coc\ngiven:\n  "+c.given+"\nplay: [{by: gm, act: {coc: {end_combat: {}}}}]\n", false)
			if err := r.Err(); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
	r := play(t, "id: EX-A-1\nrule: [A-1]\nruleset: coc\noptions: {mercie: true}\nplay: [{by: gm, act: {coc: {end_combat: {}}}}]\n", false)
	if err := r.Err(); err == nil || !strings.Contains(err.Error(), "mercie") {
		t.Errorf("an unknown option: %v", err)
	}
}
