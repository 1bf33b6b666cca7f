package dungeon_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hantei/hantei/engine/persona/dungeon"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	"google.golang.org/protobuf/proto"
)

// tables are those of the specification (RULES.md, section 6).
var tables = &dungeon.Tables{
	Moon: map[personav1.Moon]int32{1: -4, 2: -3, 3: -2, 4: -1, 5: 0, 6: 1, 7: 2, 8: 3, 9: 4},
	Weather: map[personav1.Weather]dungeon.WeatherRow{
		1: {Rounds: 2, Rank: -1}, 2: {Rounds: 1}, 3: {}, 4: {Rounds: -1, Rank: 1}, 5: {Rounds: -2, Rank: 2},
	},
	Items: []dungeon.ItemRow{
		{"herb", 0}, {"smelling_salts", 0}, {"lamp_oil", 0}, {"bead_small", 1}, {"mana_drop", 1}, {"antidote_charm", 1},
		{"iron_bat", 1}, {"padded_vest", 1}, {"bead_medium", 2}, {"power_incense", 2}, {"guard_incense", 2},
		{"silver_knife", 2}, {"trap_kit", 2}, {"bead_large", 3}, {"mana_flask", 3}, {"soul_thread", 3}, {"riot_vest", 3},
		{"swift_incense", 3}, {"bead_crowd", 4}, {"mana_spring", 4}, {"rune_blade", 4}, {"rune_mail", 4}, {"soul_cord", 5},
		{"holy_water", 5}, {"dragon_fang", 6}, {"dragon_scale", 6}, {"star_bead", 7}, {"moon_bell", 7},
	},
	Enemies: []dungeon.EnemyRow{
		{"lantern_wisp", []string{"fire"}, 1}, {"frost_imp", []string{"ice"}, 1}, {"static_cat", []string{"electric"}, 1}, {"gale_moth", []string{"wind"}, 1},
		{"rust_hound", []string{"strike"}, 5}, {"blade_mantis", []string{"slash"}, 10}, {"bolt_archer", []string{"pierce"}, 15},
		{"chapel_shade", []string{"dark"}, 20}, {"mirror_saint", []string{"light"}, 25}, {"hollow_king", []string{"almighty"}, 40},
	},
	Traps: []string{"dart", "static_plate", "mana_leech", "gas_vent", "pitfall", "snare_box"},
}

func rows(s string) string { return strings.ReplaceAll(s, " / ", "\n") }

func floorRows(d *personav1.Dungeon, n int) string { return strings.Join(d.Floors[n-1].Rows, "\n") }

// brief is a feature in a few words.
func brief(f *personav1.Feature) string {
	s := fmt.Sprintf("%d (%d,%d)", f.Id, f.Square.X, f.Square.Y)
	switch k := f.Kind.(type) {
	case *personav1.Feature_Stairs:
		switch to := k.Stairs.To.(type) {
		case *personav1.Stairs_Outside:
			s += " stairs outside"
		case *personav1.Stairs_Stairs:
			s += fmt.Sprintf(" stairs to %d", to.Stairs)
		}
	case *personav1.Feature_Warp:
		s += fmt.Sprintf(" warp (%d,%d)", k.Warp.To.X, k.Warp.To.Y)
	case *personav1.Feature_Enemy:
		s += fmt.Sprintf(" %s %d x%d", k.Enemy.Name, k.Enemy.Level, k.Enemy.Count)
	case *personav1.Feature_Item:
		if k.Item.Macca > 0 {
			s += fmt.Sprintf(" %d macca", k.Item.Macca)
		}
		for _, i := range k.Item.Items {
			s += " " + i.Item
		}
	case *personav1.Feature_Trap:
		s += " " + k.Trap.Kind
	case *personav1.Feature_Event:
		s += " event " + k.Event.Key
	}
	if f.Visibility == personav1.Visibility_VISIBILITY_HIDDEN {
		s += " hidden"
	}
	return s
}

func floorFeatures(d *personav1.Dungeon, floor int32) []string {
	var out []string
	for _, f := range d.Features {
		if f.Square.Floor == floor {
			out = append(out, brief(f))
		}
	}
	return out
}

// The specification's vectors: EX-PER-GEN-02-1, -03-1, -04-1.
func TestGenerateSeed1(t *testing.T) {
	d := dungeon.Generate(tables, dungeon.Request{
		Seed: 1, Level: 20, Moon: personav1.Moon_MOON_FULL, Weather: personav1.Weather_WEATHER_RAIN, Floors: 2, Width: 4, Height: 4,
	})
	for n, want := range map[int]string{1: "#.#. / .... / ..## / ....", 2: "#... / #.#. / .... / ..#."} {
		if got := floorRows(d, n); got != rows(want) {
			t.Errorf("floor %d:\n%s", n, got)
		}
	}
	for floor, want := range map[int32][]string{
		1: {
			"1 (3,3) stairs outside", "2 (3,0) stairs to 8", "3 (0,2) frost_imp 24 x2", "4 (0,1) rust_hound 24 x3",
			"5 (2,3) 40 macca", "6 (0,3) soul_thread", "7 (1,1) mana_leech hidden",
		},
		2: {
			"8 (3,0) stairs to 2", "9 (0,3) stairs outside", "10 (0,3) event goal hidden", "11 (1,1) blade_mantis 24 x4",
			"12 (3,3) chapel_shade 24 x2", "13 (3,1) 200 macca", "14 (1,2) 60 macca hidden", "15 (2,2) snare_box hidden",
		},
	} {
		if got := floorFeatures(d, floor); strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("floor %d:\n%s", floor, strings.Join(got, "\n"))
		}
	}
	if limit := tables.RoundLimit(d.Floors[0], d.Weather); limit != 7 {
		t.Errorf("round limit %d", limit)
	}
}

// EX-PER-GEN-03-2.
func TestGenerateSeed7(t *testing.T) {
	d := dungeon.Generate(tables, dungeon.Request{
		Seed: 7, Level: 30, Moon: personav1.Moon_MOON_HALF, Weather: personav1.Weather_WEATHER_CLEAR, Floors: 3, Width: 5, Height: 5,
	})
	if got := floorRows(d, 1); got != rows("..#.. / ..... / #...# / ..##. / .#...") {
		t.Errorf("floor 1:\n%s", got)
	}
	got := floorFeatures(d, 1)[:4]
	want := []string{"1 (0,4) stairs outside", "2 (3,1) warp (3,4)", "3 (3,4) warp (3,1)", "4 (4,3) stairs to " + fmt.Sprint(stairsUp(d, 2))}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("floor 1:\n%s", strings.Join(got, "\n"))
	}
	if limit := tables.RoundLimit(d.Floors[0], d.Weather); limit != 14 {
		t.Errorf("round limit %d", limit)
	}
}

func stairsUp(d *personav1.Dungeon, floor int32) int32 {
	for _, f := range d.Features {
		if f.Square.Floor == floor && f.GetStairs() != nil {
			return f.Id
		}
	}
	return 0
}

func TestGenerateIsTheSameAgain(t *testing.T) {
	r := dungeon.Request{Seed: 99, Level: 50, Moon: 3, Weather: 5, Floors: 4, Width: 9, Height: 7}
	if !proto.Equal(dungeon.Generate(tables, r), dungeon.Generate(tables, r)) {
		t.Error("another one")
	}
	if r2 := r; true {
		r2.Seed++
		if proto.Equal(dungeon.Generate(tables, r), dungeon.Generate(tables, r2)) {
			t.Error("the same with another seed")
		}
	}
}
