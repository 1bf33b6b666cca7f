package scenario_test

import (
	"errors"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/hantei/hantei/engine/scenario"
)

// Everything that is wrong in a file is said at once, each with its line.
func TestParseErrors(t *testing.T) {
	const head = "id: EX-A-1\nrule: [A-1]\nruleset: coc\n"
	const two = head + "given: {characters: [{sample: officer}, {sample: thug}]}\nplay:\n"
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", "test.yaml: nothing in it"},
		{"comment", "# later\n", "nothing in it"},
		{"no yaml", "id: [a\n", "test.yaml:1: "},
		{"a list", "- a\n", "test.yaml:1: the file is a mapping, not a list"},
		{"a word", "a\n", `the file is a mapping, not "a"`},
		{"two documents", head + "---\na: b\n", ":5: a second document"},
		{"anchor", head + "options: &a {x: 1}\n", ":4: Anchor has no place in a scenario file"},
		{"alias", head + "options: *a\n", "Alias has no place"},
		{"tag", head + "options: !!map {x: 1}\n", "Tag has no place"},
		{"float", head + "options: {x: 1.5}\n", "Float has no place"},
		{"merge", head + "options: {<<: {x: 1}}\n", ":4: a key that is no word"},
		{"doubled key", head + "id: EX-A-2\nplay: []\n", ":4: "},
		{"unknown key", head + "paly: []\n", `:4: unknown key of the file "paly"; did you mean "play"?`},
		{"lacks id", "rule: [A-1]\nruleset: coc\nplay: []\n", "test.yaml:1: the file lacks id"},
		{"ruleset", "id: EX-A-1\nrule: [A-1]\nruleset: cok\nplay: []\n", `:3: unknown ruleset "cok"`},
		{"no play", head, "neither play nor cases"},
		{"empty play", head + "play: []\n", ":4: play is empty"},
		{"play and cases", head + "play: []\ncases: []\n", "a file with cases has given, play and views inside them"},
		{"no cases", head + "cases: []\n", ":4: no cases"},
		{"nameless case", head + "cases:\n- play: [{by: gm, act: {coc: {end_combat: {}}}}]\n", ":5: a case lacks name"},
		{"doubled case", head + "cases:\n- {name: a, play: []}\n- {name: a, play: []}\n", `:6: there is a case "a" already`},
		{"character key", head + "given: {characters: [{smple: officer}]}\nplay: []\n", `:4: unknown key of a character "smple"; did you mean "sample"?`},
		{"a floor without rows", head + "given: {dungeon: {floors: [{known: true}]}}\nplay: []\n", ":4: a floor lacks rows"},
		{"a dungeon without floors", head + "given: {dungeon: {marks: []}}\nplay: []\n", ":4: the dungeon lacks floors"},
		{"how much is known", head + "given: {dungeon: {floors: [], marks: [{feature: 1, detail: all}]}}\nplay: []\n", `:4: unknown detail "all"`},
		{"who knows", head + "given: {characters: [{sample: thug}], dungeon: {floors: [{rows: [\".\"], known: {thgu: true}}]}}\nplay: []\n", `:4: unknown character "thgu"; did you mean "thug"?`},
		{"details of the table", head + "given: {table: {details: {scenrio: {}}}}\nplay: []\n", `unknown field of Details "scenrio"; did you mean "scenario"?`},
		{"a draft of a sample", head + "given: {characters: [{sample: thug, draft: true}]}\nplay: []\n", `:4: a character has a sample, or is a draft`},
		{"neither", head + "given: {characters: [{id: anna}]}\nplay: []\n", `:4: a character has a sample, or is a draft`},
		{"a draft without id", head + "given: {characters: [{draft: true}]}\nplay: []\n", `:4: a draft has an id`},
		{"table", head + "given: {characters: [{sample: thug, id: table}]}\nplay: []\n", `no character can have the id "table"`},
		{"doubled character", head + "given: {characters: [{sample: thug}, {sample: thug}]}\nplay: []\n", `:4: there is a character "thug" already`},
		{"gm", head + "given: {characters: [{sample: thug, id: gm}]}\nplay: []\n", `no character can have the id "gm"`},
		{"review", head + "given: {characters: [{sample: thug, review: aproved}]}\nplay: []\n", `unknown review "aproved"; did you mean "approved"?`},
		{"order", head + "given: {characters: [{sample: thug}], encounter: {order: [thog], round: 1}}\nplay: []\n", `unknown character "thog"; did you mean "thug"?`},
		{"turn", head + "given: {characters: [{sample: thug}], encounter: {order: [], turn: thug, round: 1}}\nplay: []\n", `"thug" has the turn, and is not in the order`},
		{"round", head + "given: {encounter: {order: [], round: one}}\nplay: []\n", `round is a whole number, not "one"`},
		{"position", head + "given: {characters: [{sample: thug}], positions: {thug: here}}\nplay: []\n", `"here" is no square`},
		{"position of nobody", head + "given: {characters: [{sample: thug}], positions: {thg: \"0,0\"}}\nplay: []\n", `unknown character "thg"`},
		{"patch key", head + "given: {characters: [{sample: thug, patch: {stat: {}}}]}\nplay: []\n", `unknown key of a patch "stat"; did you mean "stats"?`},
		{"patch detail", head + "given:\n  characters:\n  - sample: thug\n    patch:\n      details:\n        weapons:\n          knife: {stat: broken}\nplay: []\n", `:10: unknown field of Weapon "stat"; did you mean "state"?`},
		{"patch word", head + "given: {characters: [{sample: thug, patch: {details: {weapons: {knife: {state: brocken}}}}}]}\nplay: []\n", `unknown state "brocken"; did you mean "broken"?`},
		{"patch key of a piece", head + "given: {characters: [{sample: thug, patch: {details: {wounds: {one: {}}}}}]}\nplay: []\n", `id is a whole number, not "one"`},
		{"patch number", head + "given: {characters: [{sample: thug, patch: {stats: {dex: \"13\"}}}]}\nplay: []\n", `dex is a whole number, not "13"`},
		{"modifier", head + "given: {characters: [{sample: thug, patch: {modifiers: {a: {applies_to: dex}}}}]}\nplay: []\n", "a modifier has one of [set add multiply divide floor cap]"},
		{"two operations", head + "given: {characters: [{sample: thug, patch: {modifiers: {a: {applies_to: dex, add: 1, set: 2}}}}]}\nplay: []\n", "a modifier does one thing"},
		{"by", two + "- act: {coc: {end_turn: {}}}\n", ":6: an entry with act or roll lacks by"},
		{"nothing", two + "- by: thug\n", ":6: an entry without act, roll, answers or expect does nothing"},
		{"who", two + "- {by: thog, act: {coc: {end_turn: {}}}}\n", `unknown character "thog"; did you mean "thug"?`},
		{"action", two + "- {by: thug, act: {coc: {end_trun: {}}}}\n", `:6: unknown field of Action "end_trun"; did you mean "end_turn"?`},
		{"no action", two + "- {by: thug, act: {}}\n", "an act names a ruleset: {coc: {...}}"},
		{"two actions", two + "- {by: thug, act: {coc: {end_turn: {}, end_combat: {}}}}\n", "end_turn and end_combat exclude each other"},
		{"field type", two + "- {by: thug, act: {coc: {attack: {use_plus10: 1}}}}\n", `use_plus10 is true or false, not "1"`},
		{"field list", two + "- {by: thug, act: {coc: {attack: {target: [a]}}}}\n", "target takes one value, not a list"},
		{"list field", two + "- {by: thug, act: {coc: {move: {path: \"1,1\"}}}}\n", `path takes a list, not "1,1"`},
		{"square", two + "- {by: thug, act: {coc: {move: {path: [\"a\"]}}}}\n", `"a" is no square`},
		{"message field", two + "- {by: thug, act: {coc: {attack: 1}}}\n", `Attack is made of fields: write {field: value}, not "1"`},
		{"handle", two + "- {by: gm, act: {coc: {gm_treat_as_critical: {roll_id: \"last:check_resolve\"}}}}\n", `unknown event "check_resolve"; did you mean "check_resolved"?`},
		{"audience", two + "- {by: thug, audience: me, act: {coc: {end_turn: {}}}}\n", `audience is gm or owner, not "me"`},
		{"dice", two + "- {by: thug, act: {coc: {end_turn: {}}}, dice: [\"1D100=101\"]}\n", `:6: dice: column 7 of "1D100=101"`},
		{"faces", two + "- {by: thug, act: {coc: {end_turn: {}}}, dice: [\"3D6=11(4,4,4)\"]}\n", "faces add up to 12, not to the total 11"},
		{"no dice list", two + "- {by: thug, act: {coc: {end_turn: {}}}, dice: \"1D6=1\"}\n", "dice is a list"},
		{"error", two + "- {by: thug, act: {coc: {end_turn: {}}}, error: ALREADY_ATACKED}\n", `unknown reason "ALREADY_ATACKED"; did you mean "ALREADY_ATTACKED"?`},
		{"error rule", two + "- {by: thug, act: {coc: {end_turn: {}}}, error_rule: COC-CMB-09}\n", "error_rule without error"},
		{"error and dice", two + "- {by: thug, act: {coc: {end_turn: {}}}, error: NOT_FOUND, dice: [\"1D6=1\"]}\n", "what is refused throws no dice"},
		{"event", two + "- {by: thug, act: {coc: {end_turn: {}}}, events: [{name: atack_hit}]}\n", `unknown event "atack_hit"; did you mean "attack_hit"?`},
		{"no event", two + "- {by: thug, act: {coc: {end_turn: {}}}, no_events: [shock_rolld]}\n", `unknown event "shock_rolld"; did you mean "shock_rolled"?`},
		{"untold event", head + "untold: [shock_rolled, shock_rolld]\nplay: []\n", `:4: unknown event "shock_rolld"; did you mean "shock_rolled"?`},
		{"scene", two + "- {scene: [a], by: thug, act: {coc: {end_turn: {}}}}\n", "scene is a word, not a list"},
		{"fact", two + "- {by: thug, act: {coc: {end_turn: {}}}, events: [{name: attack_hit, facts: {wepon: baton}}]}\n", `unknown fact "wepon"; did you mean "weapon"?`},
		{"prompt", two + "- {by: thug, act: {coc: {end_turn: {}}}, prompts: [defence]}\n", `unknown prompt "defence"; did you mean "defend"?`},
		{"change", two + "- {by: thug, act: {coc: {end_turn: {}}}, changes: {thug: {hp: 7}}}\n", "write paths with dots"},
		{"answer ways", two + "- {by: thug, act: {coc: {end_turn: {}}}, answers: [{prompt: defend, by: thug}]}\n", "an answer has one of choose, answer and act"},
		{"answer by", two + "- {by: thug, act: {coc: {end_turn: {}}}, answers: [{prompt: defend, choose: none}]}\n", "an answer has prompt and by"},
		{"answer act", two + "- {by: thug, act: {coc: {end_turn: {}}}, answers: [{act: {coc: {end_turn: {}}}}]}\n", "an act among the answers has during"},
		{"answer values", two + "- {by: thug, act: {coc: {end_turn: {}}}, answers: [{prompt: defend, by: thug, values: {a: b}, answer: {coc: {defend: {}}}}]}\n", "values are those of a choice"},
		{"views", two + "- {by: thug, act: {coc: {end_turn: {}}}}\nviews: [officer]\n", ":7: views is a mapping by seat, not a list"},
		{"no views", two + "- {by: thug, act: {coc: {end_turn: {}}}}\nviews: {}\n", ":7: views is empty"},
		{"seat of a view", two + "- {by: thug, act: {coc: {end_turn: {}}}}\nviews: {oficer: {must_see: [thug.name]}}\n", `:7: unknown seat "oficer"; did you mean "officer"?`},
		{"key of a view", two + "- {by: thug, act: {coc: {end_turn: {}}}}\nviews:\n  gm:\n    must_se: [thug.hp]\n", `:9: unknown key of a view "must_se"; did you mean "must_see"?`},
		{"a view is no list", two + "- {by: thug, act: {coc: {end_turn: {}}}}\nviews: {gm: [thug.hp]}\n", ":7: a view is a mapping, not a list"},
		{"empty view", two + "- {by: thug, act: {coc: {end_turn: {}}}}\nviews: {gm: {must_not_see: []}}\n", ":7: the view of gm says nothing: write must_see or must_not_see"},
		{"path of a view", two + "- {by: thug, act: {coc: {end_turn: {}}}}\nviews:\n  gm:\n    must_see:\n    - thug.hp\n    - {thug: hp}\n", ":11: must_see is a word, not a mapping"},
		{"views and cases", head + "cases:\n- {name: a, play: [{by: gm, act: {coc: {end_combat: {}}}}]}\nviews: {gm: {must_see: [encounter]}}\n", "a file with cases has given, play and views inside them"},
		{"observer", head + "given: {characters: [{sample: thug, id: observer}]}\nplay: []\n", `no character can have the id "observer"`},
		{"rules", "id: EX-A-1\nrule: {A-1: true}\nruleset: coc\nplay: []\n", ":2: rule is a word, not a mapping"},
		{"deep", head + "options: " + strings.Repeat("[", 200), "nested more than 32 deep"},
		{"long", head + strings.Repeat("#\n", 1<<18), "more than 262144 bytes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := scenario.Parse("test.yaml", []byte(c.text))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("got  %v\nwant %s", err, c.want)
			}
			var e *scenario.Error
			if !errors.As(err, &e) || e.File != "test.yaml" {
				t.Errorf("no scenario.Error in %T", err)
			}
		})
	}
}

func TestAllErrorsAtOnce(t *testing.T) {
	_, err := scenario.Parse("a.yaml", []byte("id: EX-A-1\nrule: A-1\nruleset: coc\nplya: 1\nplay:\n- {by: gm, acct: 1}\n"))
	if err == nil || strings.Count(err.Error(), "a.yaml:") < 3 {
		t.Errorf("got %v", err)
	}
}

func TestLoadDir(t *testing.T) {
	const text = "rule: A-1\nruleset: coc\nplay: [{by: gm, act: {coc: {end_combat: {}}}}]\n"
	fsys := fstest.MapFS{
		"b.yaml":   {Data: []byte("id: EX-A-2\n" + text)},
		"a.yaml":   {Data: []byte("id: EX-A-1\n" + text)},
		"c.yaml":   {Data: []byte("id: EX-A-1\n" + text)},
		"d.yaml":   {Data: []byte("id: EX-A-4\n")},
		"x/e.yaml": {Data: []byte("id: EX-A-5\n" + text)},
		"notes.md": {Data: []byte("no scenario")},
	}
	files, err := scenario.LoadDir(fsys)
	var names []string
	for _, f := range files {
		names = append(names, f.Name)
	}
	if got := strings.Join(names, " "); got != "a.yaml b.yaml x/e.yaml" {
		t.Errorf("loaded %s", got)
	}
	if err == nil || !strings.Contains(err.Error(), "c.yaml:1: EX-A-1 is the example of a.yaml already") || !strings.Contains(err.Error(), "d.yaml:1: ") {
		t.Errorf("error %v", err)
	}
	if _, err := scenario.Load(fsys, "z.yaml"); err == nil {
		t.Error("loaded a file that is not there")
	}
}

// Whatever is in a file, the loader neither panics nor hangs, and says where
// something is wrong; and what it takes can be played.
func FuzzParse(f *testing.F) {
	f.Add([]byte(fight + "  - {by: officer, act: {coc: {attack: {weapon: baton, target: thug}}}, dice: [\"1D100=44\", \"2D6=7\"]}\n"))
	f.Add([]byte("id: EX-A-1\nrule: A-1\nruleset: coc\ncases:\n- {name: a, options: {mercy: true}, play: [{by: gm, act: {core: {note: {text: x}}}}]}\n"))
	f.Add([]byte(fight + "  - {by: gm, act: {coc: {end_combat: {}}}}\nviews: {officer: {must_not_see: [thug.hp, thug.details]}, gm: {must_see: thug}}\n"))
	f.Add([]byte("? a\n: *b\n"))
	f.Add([]byte("- - - - !!x &y [{a: b}, |\n  text\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		file, err := scenario.Parse("fuzz.yaml", text)
		if (file == nil) != (err != nil) {
			t.Fatalf("file %v, error %v", file, err)
		}
		if err != nil {
			if !strings.HasPrefix(err.Error(), "fuzz.yaml") {
				t.Fatalf("an error without its file: %v", err)
			}
			return
		}
		for _, e := range scenario.Run(file, testRules, scenario.Options{}).Failures() {
			if strings.Contains(e.Text, "panic: ") && !strings.Contains(e.Text, "panic: a bug") {
				t.Fatal(e)
			}
		}
	})
}
