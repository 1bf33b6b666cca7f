package persona_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/hantei/hantei/engine/scenario"
	"github.com/hantei/hantei/engine/view"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// A alone meets an imp whose attack it is weak to, while B stands elsewhere.
const meeting = `
id: EX-PER-SB-00-1
rule: [PER-SB-01]
ruleset: persona
options: {%OPTIONS%}
given:
  characters: [{sample: a}, {sample: b}]
  encounter: {order: [a, b], round: 1, step: active, turn: a}
  dungeon: {floors: [{rows: ["...", "..."]}]}
  table:
    details:
      conditions: {level: 20, moon: full, weather: rain}
      features: {3: {square: "1,1,1", enemy: {name: frost_imp, level: 24, count: 1, specialties: [ice]}}}
  positions: {a: "0,1,1", b: "0,0,1"}
play:
  - by: a
    act: {persona: {move: {direction: right}}}
    dice: ["1D100=90", "1D100=90", "1D8=6"]
`

// seen plays the meeting and returns what a seat sees of each event, by its name: its
// facts, and "dice" if it sees dice. Of checks without an actor the name is that of the
// enemy's.
func seen(t *testing.T, options, seat string) map[string][]string {
	t.Helper()
	f, err := scenario.Parse("meeting.yaml", []byte(strings.Replace(meeting, "%OPTIONS%", options, 1)))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]string{}
	r := scenario.Run(f, maker, scenario.Options{Tell: func(told *scenario.Told) {
		for _, e := range told.Moment.Events {
			v := view.Event(e, view.Viewer{Seat: seat}, told.Visibility, view.Handles{Event: "e"}, told.Rules.PublicName)
			if v == nil {
				continue
			}
			name := v.Name
			if name == "check_rolled" && v.Actor == "" {
				name = "enemy's check"
			}
			out[name] = append(out[name], keys(v)...)
		}
	}})
	for _, failure := range r.Failures() {
		t.Fatal(failure)
	}
	return out
}

func keys(v *tablev1.EventView) []string {
	var out []string
	for _, f := range v.Facts {
		out = append(out, f.Key)
	}
	if len(v.Dice) > 0 {
		out = append(out, "dice")
	}
	return out
}

// Who sees what of a battle, by the table of the specification.
func TestWhoSeesABattle(t *testing.T) {
	for _, c := range []struct {
		name, options, seat, event string
		see, not                   []string
	}{
		{"open power", "", "b", "enemy_attack", []string{"power", "dice", "type", "attribute"}, nil},
		{"power not revealed", "reveal_enemy_power: false", "a", "enemy_attack", []string{"type", "attribute"}, []string{"power", "dice"}},
		{"power not revealed, in damage", "reveal_enemy_power: false", "a", "damage_applied", []string{"damage", "hp", "affinity"}, []string{"power"}},
		{"dice of enemies hidden", "npc_dice: hidden", "a", "enemy_attack", []string{"attribute"}, []string{"power", "dice"}},
		{"open checks", "", "b", "enemy's check", []string{"roll", "dice", "success", "target"}, nil},
		{"enemy's dice hidden", "npc_dice: hidden", "a", "enemy's check", []string{"success", "target"}, []string{"roll", "dice"}},
		{"sheets hidden", "party_sheets: hidden", "b", "enemy's check", []string{"success", "roll"}, []string{"target"}},
		{"damage of another", "party_sheets: hidden", "b", "damage_applied", []string{"power"}, []string{"damage", "hp", "affinity", "defense"}},
		{"own damage", "party_sheets: hidden", "a", "damage_applied", []string{"power", "damage", "hp", "affinity", "defense"}, nil},
		{"rewards of another", "party_sheets: hidden", "b", "rewards_pending", nil, []string{"exp", "macca"}},
		{"the party's knowledge", "", "b", "battle_started", []string{"enemy", "level", "count", "specialties", "participants"}, nil},
		{"knowledge of one's own", "knowledge_scope: individual", "b", "battle_started", []string{"participants"}, []string{"enemy", "level", "count", "specialties"}},
		{"knowledge of who was there", "knowledge_scope: individual", "a", "battle_started", []string{"enemy", "level", "participants"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			all := seen(t, c.options, c.seat)
			got, told := all[c.event]
			if !told && len(c.see) > 0 {
				t.Fatalf("%s sees nothing of %s", c.seat, c.event)
			}
			for _, k := range c.see {
				if !slices.Contains(got, k) {
					t.Errorf("%s does not see %s of %s: %v", c.seat, k, c.event, got)
				}
			}
			for _, k := range c.not {
				if slices.Contains(got, k) {
					t.Errorf("%s sees %s of %s: %v", c.seat, k, c.event, got)
				}
			}
		})
	}
}
