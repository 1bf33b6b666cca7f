package persona_test

import (
	"strings"
	"testing"

	"github.com/hantei/hantei/engine/pack"
	"github.com/hantei/hantei/engine/persona"
)

// A pack that does not fit together is refused, with all that is wrong with it.
func TestBadPacks(t *testing.T) {
	for rows, want := range map[string]string{
		`items: [{id: herb, price: 20, kind: tool}]`:                                                           "kind is one of",
		`items: [{id: herb, price: -1, kind: consumable, class: recovery}]`:                                    "price and rank",
		`skills: [{id: heal_one, class: recovery, heal: lots}]`:                                                "heal is dice",
		`skills: [{id: strike_1db, class: attack, attribute: strike, attack_type: physical}]`:                  "power or instant_death",
		`skills: [{id: quick_guard, class: support, duration: "rounds:0"}]`:                                    "duration is",
		`traps: [{id: dart, trigger: enter, hp: 1D6, targets: actor}]`:                                         "trigger is one of",
		`traps: [{id: dart, trigger: move, targets: actor}]`:                                                   "a trap costs",
		`skills: [{id: x, class: attack, attribute: fire, attack_type: magic, power: 1, timing: round_start}]`: "an attack has no timing",
		`enemies: [{id: rust_hound, specialties: [rust], min_level: 5}]`:                                       "specialties is one of",
		`moon: [{id: blue, moon_mod: 1}]`:                                                                      "id is one of",
		`base_db: [{id: from_8, from: 99, dice: 1D4}]`:                                                         "rising order",
		`db_by_stat: [{id: from_1, from: 2, dice: 1D3}]`:                                                       "rising order",
		`samples: [{id: a, kind: pc, user: arcanist, stats: {dexx: 9}}]`:                                       "none of a sheet",
		`samples: [{id: a, kind: pc, user: none, personas: [{id: x, level: 1, stats: {luck: 1}}]}]`:            "too many Personas",
		`samples: [{id: a, kind: pc, user: wild, personas: [{id: x, level: 1, skills: [fly]}]}]`:               "skills is one of",
	} {
		files, err := pack.Merge(persona.DefaultPack(), []byte(rows))
		if err != nil {
			t.Fatalf("%s: %v", rows, err)
		}
		if _, err := persona.New(files); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", rows, err, want)
		}
	}
}

// What a generated dungeon cannot do without must be there (PER-GEN-04).
func TestNeededRows(t *testing.T) {
	for table, want := range map[string]string{
		"enemies.yaml": "min_level 1", "items.yaml": "without a rank", "traps.yaml": "a trap", "moon.yaml": "the phase half", "weather.yaml": "the weather rain",
		"samples.yaml": "", "skills.yaml": "skills is one of",
	} {
		files := persona.DefaultPack()
		for i := range files {
			if files[i].Name == table {
				files[i].Text = []byte("[]")
			}
		}
		_, err := persona.New(files)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("without rows of %s: %v, want %q", table, err, want)
		}
	}
	if _, err := persona.New(persona.DefaultPack()[1:]); err == nil || !strings.Contains(err.Error(), "moon.yaml:0: the table is missing") {
		t.Errorf("without a table: %v", err)
	}
	files := append(persona.DefaultPack(), pack.File{Name: "item.yaml", Text: []byte("[]")})
	if _, err := persona.New(files); err == nil || !strings.Contains(err.Error(), `did you mean "items.yaml"?`) {
		t.Errorf("with an unknown table: %v", err)
	}
}
