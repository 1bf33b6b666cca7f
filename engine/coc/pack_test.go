package coc_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/hantei/hantei/engine/coc"
	"github.com/hantei/hantei/engine/pack"
)

// TestPackRows: what a row may hold, at its edges, and what is said of one that
// does not fit: nothing else of the pack is wrong then.
func TestPackRows(t *testing.T) {
	id24, id25 := strings.Repeat("a", 24), strings.Repeat("a", 25)
	const id24Text = "an id has 1 to 24 characters"
	for _, c := range []struct {
		name, rows, want string // "" for a row that is taken
	}{
		{"skill", "skills: [{id: " + id24 + ", base: '5', group: other}]", ""},
		{"base of a characteristic", "skills: [{id: haggle, base: 'edu*3', group: negotiation}]", ""},
		{"skill without an id", "skills: [{base: '5', group: other}]", id24Text},
		{"long id of a skill", "skills: [{id: " + id25 + ", base: '5', group: other}]", id24Text},
		{"group", "skills: [{id: haggle, base: '5', group: trade}]", `group is combat, negotiation or other, not "trade"`},
		{"highest base", "skills: [{id: haggle, base: '99', group: other}]", ""},
		{"base above the end of skills", "skills: [{id: haggle, base: '100', group: other}]", `base is a number up to 99, or a characteristic times one, not "100"`},
		{"base below 0", "skills: [{id: haggle, base: '-1', group: other}]", `base is a number up to 99, or a characteristic times one, not "-1"`},
		{"factor of a base below 0", "skills: [{id: haggle, base: dex*-2, group: other}]", `base is a number up to 99, or a characteristic times one, not "dex*-2"`},
		{"base of no characteristic", "skills: [{id: haggle, base: luck*2, group: other}]", `base is a number up to 99, or a characteristic times one, not "luck*2"`},
		{"base of nothing", "skills: [{id: haggle, base: 'dex*', group: other}]", `base is a number up to 99, or a characteristic times one, not "dex*"`},
		{"base of a characteristic alone", "skills: [{id: haggle, base: dex, group: other}]", `base is a number up to 99, or a characteristic times one, not "dex"`},

		{"weapon", "weapons: [{id: " + id24 + ", skill: club, damage: 1D6+DB, range: 1, durability: 1, part: arm, kind: melee}]", ""},
		{"bow", "weapons: [{id: bow, skill: throw, damage: 1D8, range: 20, durability: 1, part: arm, kind: thrown}]", ""},
		{"natural weapon", "weapons: [{id: tail, skill: claw, damage: 1D6, range: 1, part: leg, kind: natural}]", ""},
		{"weapon without an id", "weapons: [{skill: club, damage: 1D6, range: 1, durability: 1, kind: melee}]", id24Text},
		{"long id of a weapon", "weapons: [{id: " + id25 + ", skill: club, damage: 1D6, range: 1, durability: 1, kind: melee}]", id24Text},
		{"skill of a weapon", "weapons: [{id: mace, skill: mace, damage: 1D6, range: 1, durability: 1, kind: melee}]", `no skill "mace"`},
		{"damage", "weapons: [{id: mace, skill: club, damage: lots, range: 1, durability: 1, kind: melee}]", `damage: only +DB is known, not "lots"`},
		{"damage that is none", "weapons: [{id: mace, skill: club, damage: '1D', range: 1, durability: 1, kind: melee}]", "damage: "},
		{"damage bonus taken off", "weapons: [{id: mace, skill: club, damage: 1D6-DB, range: 1, durability: 1, kind: melee}]", `damage: only +DB is known, not "DB"`},
		{"range", "weapons: [{id: mace, skill: club, damage: 1D6, durability: 1, kind: melee}]", "range is at least 1"},
		{"durability", "weapons: [{id: mace, skill: club, damage: 1D6, range: 1, kind: melee}]", "durability is at least 1"},
		{"durability of a part of the body", "weapons: [{id: tail, skill: claw, damage: 1D6, range: 1, durability: 1, kind: natural}]", "a natural weapon has no durability"},
		{"kind of a weapon", "weapons: [{id: mace, skill: club, damage: 1D6, range: 1, durability: 1, kind: blunt}]", `kind is natural, melee, firearm or thrown, not "blunt"`},

		{"sample", "samples: [{id: " + id24[:20] + ", kind: npc, skills: {club: 40}, weapons: [knife], sight: 0/1D4}]", ""},
		{"sample without an id", "samples: [{kind: npc}]", "an id has 1 to 20 characters, to leave room for a number"},
		{"long id of a sample", "samples: [{id: " + id24[:21] + ", kind: npc}]", "an id has 1 to 20 characters, to leave room for a number"},
		{"kind of a sample", "samples: [{id: ghoul, kind: creature}]", `kind is pc or npc, not "creature"`},
		{"sight", "samples: [{id: ghoul, kind: npc, sight: 1D6}]", `sight is a loss like "1/1D8", not "1D6"`},
		{"skill of a sample", "samples: [{id: ghoul, kind: npc, skills: {club: 40, bite: 40}}]", "a skill that is not in the table skills"},
		{"weapon of a sample", "samples: [{id: ghoul, kind: npc, weapons: [bite]}]", `no weapon "bite"`},

		{"occupation", "occupations: [{id: " + id24 + ", skills: [swim]}]", ""},
		{"occupation without an id", "occupations: [{skills: [swim]}]", id24Text},
		{"long id of an occupation", "occupations: [{id: " + id25 + ", skills: [swim]}]", id24Text},
		{"skill of an occupation", "occupations: [{id: diver, skills: [swim, dive]}]", `no skill of people "dive"`},
		{"skill of creatures in an occupation", "occupations: [{id: diver, skills: [claw]}]", `no skill of people "claw"`},

		{"trait", "traits: [{id: " + id24 + ", changes: [{key: swim, add: 5}, {key: mp, add: 1}]}]", ""},
		{"trait without an id", "traits: [{changes: [{key: swim, add: 5}]}]", id24Text},
		{"long id of a trait", "traits: [{id: " + id25 + "}]", id24Text},
		{"change of a trait", "traits: [{id: fishy, changes: [{key: dive, add: 5}]}]", `nothing on a sheet that a trait can change: "dive"`},
		{"skill of creatures in a trait", "traits: [{id: fishy, changes: [{key: claw, add: 5}]}]", `nothing on a sheet that a trait can change: "claw"`},

		{"symptom", "insanity_short: [{id: screams, roll: 3, forbids: [attack, move, parry, cover]}]", ""},
		{"symptom of another face", "insanity_long: [{id: sings, roll: 10}]", "roll is a face of 1D10, each once, not 10"},
		{"symptom of no face", "insanity_long: [{id: obsession, roll: 11}]", "roll is a face of 1D10, each once, not 11"},
		{"symptom of face 0", "insanity_long: [{id: obsession, roll: 0}]", "roll is a face of 1D10, each once, not 0"},
		{"long id of a symptom", "insanity_long: [{id: " + id25 + ", roll: 10}]", id24Text},
		{"what a symptom forbids", "insanity_short: [{id: screams, roll: 3, forbids: [speak]}]", `a symptom forbids attack, move, parry or cover, not "speak"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			files, err := pack.Merge(coc.DefaultPack(), []byte(c.rows))
			if err != nil {
				t.Fatal(err)
			}
			_, err = coc.New(files)
			if c.want == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			var said pack.Errors
			if !errors.As(err, &said) || len(said) != 1 || !strings.HasPrefix(said[0].Message, c.want) {
				t.Errorf("%v, not %q", err, c.want)
			}
		})
	}
}

// TestPackTables: a pack has each table of the ruleset, and what the rules name in it.
func TestPackTables(t *testing.T) {
	without := func(name string) []pack.File {
		return slices.DeleteFunc(coc.DefaultPack(), func(f pack.File) bool { return f.Name == name })
	}
	for _, c := range []struct {
		name  string
		files []pack.File
		want  string
	}{
		{"a table too many", append(coc.DefaultPack(), pack.File{Name: "wepons.yaml"}), `wepons.yaml:0: no table of this ruleset (did you mean "weapons.yaml"?)`},
		{"a table like none", append(coc.DefaultPack(), pack.File{Name: "a.txt"}), `a.txt:0: no table of this ruleset`},
		{"a table too few", without("traits.yaml"), `traits.yaml:0: the table is missing`},
		{"no skills", without("skills.yaml"), `skills.yaml:0: the table is missing`},
		{"no rows", append(without("insanity_long.yaml"), pack.File{Name: "insanity_long.yaml"}), `insanity_long.yaml:0: a symptom is missing: there is one for each face of 1D10`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := coc.New(c.files); err == nil || err.Error() != c.want {
				t.Errorf("%v, not %s", err, c.want)
			}
		})
	}
	longest := coc.DefaultPack()
	for i, f := range longest {
		if f.Name == "insanity_long.yaml" {
			longest[i].Text = bytes.ReplaceAll(f.Text, []byte("obsession"), bytes.Repeat([]byte("a"), 24))
		}
	}
	if _, err := coc.New(longest); err != nil {
		t.Errorf("an id of 24 letters: %v", err)
	}
	empty := without("skills.yaml")
	_, err := coc.New(append(empty, pack.File{Name: "skills.yaml", Text: []byte("[]")}))
	for _, id := range []string{"dodge", "martial_arts", "first_aid", "medicine", "cthulhu_mythos", "psychoanalysis", "own_language"} {
		if want := `skills.yaml:0: the rules need the skill "` + id + `"`; err == nil || !slices.Contains(strings.Split(err.Error(), "\n"), want) {
			t.Errorf("not said: %s", want)
		}
	}
}
