package dungeon_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/hantei/hantei/engine/persona/dungeon"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
)

func sq(floor, x, y int32) *typev1.Square { return &typev1.Square{Floor: floor, X: x, Y: y} }

// plain is a dungeon of two open floors without fault: an entrance, stairs that
// face each other, and an exit.
func plain() *personav1.Dungeon {
	open := []string{"....", "....", "....", "...."}
	stairs := func(id, floor, x, y int32) *personav1.Feature {
		return &personav1.Feature{Id: id, Square: sq(floor, x, y), Kind: &personav1.Feature_Stairs{Stairs: &personav1.Stairs{}}}
	}
	d := &personav1.Dungeon{
		Level: 20, Moon: personav1.Moon_MOON_HALF, Weather: personav1.Weather_WEATHER_CLOUDY,
		Floors:   []*personav1.Floor{{Number: 1, Rows: slices.Clone(open)}, {Number: 2, Rows: slices.Clone(open)}},
		Features: []*personav1.Feature{stairs(1, 1, 0, 0), stairs(2, 1, 3, 3), stairs(3, 2, 0, 0), stairs(4, 2, 3, 3)},
	}
	d.Features[0].GetStairs().To = &personav1.Stairs_Outside{Outside: true}
	d.Features[1].GetStairs().To = &personav1.Stairs_Stairs{Stairs: 3}
	d.Features[2].GetStairs().To = &personav1.Stairs_Floor{Floor: 1}
	d.Features[3].GetStairs().To = &personav1.Stairs_Outside{Outside: true}
	return d
}

func put(d *personav1.Dungeon, f *personav1.Feature) {
	if f.Id == 0 {
		f.Id = int32(len(d.Features)) + 1
	}
	d.Features = append(d.Features, f)
}

func trap(at *typev1.Square) *personav1.Feature {
	return &personav1.Feature{Square: at, Kind: &personav1.Feature_Trap{Trap: &personav1.Trap{Kind: "dart"}}}
}

func warp(at, to *typev1.Square) *personav1.Feature {
	return &personav1.Feature{Square: at, Kind: &personav1.Feature_Warp{Warp: &personav1.Warp{To: to}}}
}

func enemy(at *typev1.Square, level, count int32) *personav1.Feature {
	return &personav1.Feature{Square: at, Kind: &personav1.Feature_Enemy{Enemy: &personav1.Enemy{Name: "frost_imp", Level: level, Count: count}}}
}

func event(at *typev1.Square) *personav1.Feature {
	return &personav1.Feature{Square: at, Kind: &personav1.Feature_Event{Event: &personav1.EventFeature{Key: "bell"}}}
}

// words are findings in a few words: code, severity where it is an error, place.
func words(found []*personav1.Finding) string {
	var out []string
	for _, f := range found {
		s := f.Code
		if f.Severity == personav1.Severity_SEVERITY_ERROR {
			s += "!"
		}
		switch {
		case f.Feature != 0:
			s += fmt.Sprintf(" feature %d", f.Feature)
		case f.Square != nil:
			s += fmt.Sprintf(" %d:(%d,%d)", f.Square.Floor, f.Square.X, f.Square.Y)
		case f.Floor != 0:
			s += fmt.Sprintf(" floor %d", f.Floor)
		}
		out = append(out, s)
	}
	return strings.Join(out, ", ")
}

func TestValidate(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*personav1.Dungeon, *dungeon.Case)
		want   string
	}{
		{"nothing", func(*personav1.Dungeon, *dungeon.Case) {}, ""},
		{"a feature on a wall", func(d *personav1.Dungeon, _ *dungeon.Case) {
			d.Floors[0].Rows[1] = "#..."
			put(d, trap(sq(1, 0, 1)))
		}, "V01! feature 5"},
		{"an item on stairs", func(d *personav1.Dungeon, _ *dungeon.Case) { put(d, trap(sq(1, 0, 0))) }, "V02! feature 1"},
		{"an event on stairs", func(d *personav1.Dungeon, _ *dungeon.Case) { put(d, event(sq(1, 0, 0))) }, ""},
		{"two stairs", func(d *personav1.Dungeon, _ *dungeon.Case) { d.Features[1].Square = sq(1, 0, 0) }, "V02! feature 1, V02! feature 2"},
		{"a trap on a warp", func(d *personav1.Dungeon, _ *dungeon.Case) {
			put(d, warp(sq(1, 1, 1), sq(1, 2, 2)))
			put(d, trap(sq(1, 1, 1)))
		}, "V03! feature 5"},
		{"item, trap and enemy together", func(d *personav1.Dungeon, _ *dungeon.Case) {
			put(d, &personav1.Feature{Square: sq(1, 1, 1), Kind: &personav1.Feature_Item{Item: &personav1.Treasure{Macca: 5}}})
			put(d, trap(sq(1, 1, 1)))
			put(d, enemy(sq(1, 1, 1), 20, 3))
		}, ""},
		{"a warp into a wall", func(d *personav1.Dungeon, _ *dungeon.Case) {
			d.Floors[0].Rows[1] = "#..."
			put(d, warp(sq(1, 1, 1), sq(1, 0, 1)))
		}, "V04! feature 5"},
		{"a warp off the grid", func(d *personav1.Dungeon, _ *dungeon.Case) { put(d, warp(sq(1, 1, 1), sq(1, 9, 1))) }, "V04! feature 5"},
		{"a warp to no floor", func(d *personav1.Dungeon, _ *dungeon.Case) { put(d, warp(sq(1, 1, 1), sq(7, 1, 1))) }, "V04! feature 5"},
		{"a warp to itself", func(d *personav1.Dungeon, _ *dungeon.Case) { put(d, warp(sq(1, 1, 1), sq(1, 1, 1))) }, "V17! feature 5"},
		{"stairs to nothing", func(d *personav1.Dungeon, _ *dungeon.Case) {
			d.Features[2].GetStairs().To = &personav1.Stairs_Stairs{Stairs: 77}
		}, "V05! feature 3"},
		{"stairs to no stairs", func(d *personav1.Dungeon, _ *dungeon.Case) {
			put(d, trap(sq(1, 1, 1)))
			d.Features[2].GetStairs().To = &personav1.Stairs_Stairs{Stairs: 5}
		}, "V05! feature 3"},
		{"stairs to themselves", func(d *personav1.Dungeon, _ *dungeon.Case) {
			d.Features[2].GetStairs().To = &personav1.Stairs_Stairs{Stairs: 3}
		}, "V05! feature 3"},
		{"stairs to a floor that is not", func(d *personav1.Dungeon, _ *dungeon.Case) {
			d.Features[2].GetStairs().To = &personav1.Stairs_Floor{Floor: 3}
		}, "V05! feature 3"},
		{"a floor without stairs to it", func(d *personav1.Dungeon, _ *dungeon.Case) {
			d.Features[1].GetStairs().To = &personav1.Stairs_Outside{Outside: true}
		}, "V06! floor 2, V07! 2:(0,0)"},
		{"an area without a way to it", func(d *personav1.Dungeon, _ *dungeon.Case) {
			d.Floors[0].Rows = []string{"....", ".#..", "#.#.", ".#.."}
		}, "V07! 1:(1,2), V07! 1:(0,3)"},
		{"the same where it may be", func(d *personav1.Dungeon, c *dungeon.Case) {
			d.Floors[0].Rows = []string{"..#.", "..#.", "..#.", "..#."}
			c.Unlinked = true
		}, "V07 1:(3,0), V07 2:(0,0)"},
		{"a one-way warp into a closed area", func(d *personav1.Dungeon, _ *dungeon.Case) {
			d.Floors[0].Rows = []string{"....", "....", "###.", "..#."}
			put(d, warp(sq(1, 1, 1), sq(1, 0, 3)))
		}, "V09 1:(0,3)"},
		{"no entrance", func(d *personav1.Dungeon, _ *dungeon.Case) {
			d.Features = d.Features[1:3]
			d.Features[0].GetStairs().To = &personav1.Stairs_Floor{Floor: 2}
		}, "V08!"},
		{"no entrance, but a start", func(d *personav1.Dungeon, c *dungeon.Case) {
			d.Features = d.Features[1:3]
			c.Start = sq(1, 1, 1)
		}, "V09 1:(0,0), V09 2:(0,0)"},
		{"a start in a wall", func(d *personav1.Dungeon, c *dungeon.Case) {
			d.Floors[0].Rows[1] = "#..."
			c.Start = sq(1, 0, 1)
		}, "V08! 1:(0,1)"},
		{"level, moon and weather", func(d *personav1.Dungeon, _ *dungeon.Case) { d.Level, d.Moon, d.Weather = 100, 0, 9 }, "V10!, V10!, V10!"},
		{"a round limit of 0", func(d *personav1.Dungeon, _ *dungeon.Case) { d.Floors[1].RoundLimitOverride = proto.Int32(0) }, "V10! floor 2"},
		{"no enemies in a group", func(d *personav1.Dungeon, _ *dungeon.Case) { put(d, enemy(sq(1, 1, 1), 20, 0)) }, "V10! feature 5"},
		{"an unknown trap", func(d *personav1.Dungeon, _ *dungeon.Case) {
			f := trap(sq(1, 1, 1))
			f.GetTrap().Kind = "dartboard"
			put(d, f)
		}, "V10! feature 5"},
		{"a feature that is nothing", func(d *personav1.Dungeon, _ *dungeon.Case) { put(d, &personav1.Feature{Square: sq(1, 1, 1)}) }, "V10! feature 5"},
		{"an id twice", func(d *personav1.Dungeon, _ *dungeon.Case) {
			f := trap(sq(1, 1, 1))
			f.Id = 4
			put(d, f)
		}, "V11! feature 4"},
		{"off the grid", func(d *personav1.Dungeon, _ *dungeon.Case) { put(d, trap(sq(1, 4, 0))) }, "V12! feature 5"},
		{"nowhere", func(d *personav1.Dungeon, _ *dungeon.Case) { put(d, trap(nil)) }, "V12! feature 5"},
		{"a ragged floor", func(d *personav1.Dungeon, _ *dungeon.Case) { d.Floors[1].Rows[2] = "..." }, "V12! floor 2"},
		{"a strange sign", func(d *personav1.Dungeon, _ *dungeon.Case) { d.Floors[1].Rows[2] = "..x." }, "V12! floor 2"},
		{"an enemy off the level", func(d *personav1.Dungeon, _ *dungeon.Case) { put(d, enemy(sq(1, 1, 1), 24, 1)) }, "V13 feature 5"},
		{"the moon counts", func(d *personav1.Dungeon, _ *dungeon.Case) {
			d.Moon = personav1.Moon_MOON_FULL
			put(d, enemy(sq(1, 1, 1), 24, 1))
		}, ""},
		{"six enemies", func(d *personav1.Dungeon, _ *dungeon.Case) { put(d, enemy(sq(1, 1, 1), 20, 6)) }, "V14 feature 5"},
		{"one floor of an unusual size", func(d *personav1.Dungeon, _ *dungeon.Case) {
			d.Floors, d.Features = d.Floors[:1], d.Features[:1]
			d.Floors[0].Rows = []string{"......."}
		}, "V15, V16 floor 1"},
		{"a start closed in", func(d *personav1.Dungeon, c *dungeon.Case) {
			d.Floors[0].Rows = []string{".#..", "#...", "....", "...."}
			c.Unlinked = true
		}, "V07 1:(2,0), V07 2:(0,0), V18 1:(0,0)"},
		{"a party and level off", func(_ *personav1.Dungeon, c *dungeon.Case) { c.Party, c.SessionLevel = 2, 15 }, "V19, V19"},
		{"a party and level that fit", func(_ *personav1.Dungeon, c *dungeon.Case) { c.Party, c.SessionLevel = 4, 20 }, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := plain()
			k := dungeon.Case{Dungeon: d}
			c.change(d, &k)
			found := dungeon.Validate(tables, k)
			if got := words(found); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			if dungeon.Refused(found) != strings.Contains(c.want, "!") {
				t.Errorf("refused: %v", dungeon.Refused(found))
			}
		})
	}
}

// EX-PER-VAL-01-1.
func TestValidateGenerated(t *testing.T) {
	d := dungeon.Generate(tables, dungeon.Request{
		Seed: 1, Level: 20, Moon: personav1.Moon_MOON_FULL, Weather: personav1.Weather_WEATHER_RAIN, Floors: 2, Width: 4, Height: 4,
	})
	if got := words(dungeon.Validate(tables, dungeon.Case{Dungeon: d})); got != "" {
		t.Errorf("%s", got)
	}
	d.Features = slices.DeleteFunc(d.Features, func(f *personav1.Feature) bool { return f.Id == 2 })
	// The area begins at (1,0): (0,0), which the example names, is a wall.
	if got := words(dungeon.Validate(tables, dungeon.Case{Dungeon: d})); got != "V05! feature 8, V06! floor 2, V07! 2:(1,0)" {
		t.Errorf("%s", got)
	}
}

// PER-GEN-04: whatever is generated can be explored. HANTEI_LONG makes as many
// floors as the specification says.
func TestGeneratedDungeonsAreValid(t *testing.T) {
	floors := 2000
	if os.Getenv("HANTEI_LONG") != "" {
		floors = 30000
	}
	seed := uint64(0)
	for n := 0; n < floors; {
		for size := int32(3); size <= 20 && n < floors; size++ {
			seed++
			r := dungeon.Request{
				Seed: seed, Level: int32(seed%99) + 1, Moon: personav1.Moon(seed%9 + 1), Weather: personav1.Weather(seed%5 + 1),
				Floors: int32(seed%4) + 1, Width: size, Height: int32(seed%18) + 3,
			}
			checkGenerated(t, r)
			n += int(r.Floors)
		}
	}
}

func checkGenerated(t *testing.T, r dungeon.Request) {
	t.Helper()
	d := dungeon.Generate(tables, r)
	for _, f := range dungeon.Validate(tables, dungeon.Case{Dungeon: d}) {
		if f.Code != "V15" && f.Code != "V16" {
			t.Fatalf("%+v: %s", r, words([]*personav1.Finding{f}))
		}
	}
	for _, floor := range d.Floors {
		count := make(map[string]int)
		squares := make(map[string]bool)
		for _, f := range d.Features {
			if f.Square.Floor != floor.Number {
				continue
			}
			if at := f.Square.String(); f.GetEvent() == nil {
				if squares[at] {
					t.Fatalf("%+v: two on one square: %s", r, at)
				}
				squares[at] = true
			}
			switch f.Kind.(type) {
			case *personav1.Feature_Stairs:
				count["stairs"]++
			case *personav1.Feature_Enemy:
				count["enemy"]++
			case *personav1.Feature_Item:
				count["item"]++
			}
		}
		if count["stairs"] != 2 || count["enemy"] < 1 || count["item"] < 1 {
			t.Fatalf("%+v: floor %d has %v", r, floor.Number, count)
		}
	}
}

func TestCheck(t *testing.T) {
	good := dungeon.Request{Level: 1, Moon: 1, Weather: 1, Floors: 1, Width: 3, Height: 3}
	for _, c := range []struct {
		name   string
		change func(*dungeon.Request)
		want   dungeon.Fault
	}{
		{"the least", func(*dungeon.Request) {}, dungeon.NoFault},
		{"the most", func(r *dungeon.Request) {
			*r = dungeon.Request{Level: 99, Moon: 9, Weather: 5, Floors: 20, Width: 20, Height: 20}
		}, dungeon.NoFault},
		{"narrow", func(r *dungeon.Request) { r.Width = 2 }, dungeon.BadSize},
		{"wide", func(r *dungeon.Request) { r.Width = 21 }, dungeon.BadSize},
		{"low", func(r *dungeon.Request) { r.Height = 2 }, dungeon.BadSize},
		{"high", func(r *dungeon.Request) { r.Height = 21 }, dungeon.BadSize},
		{"no floor", func(r *dungeon.Request) { r.Floors = 0 }, dungeon.BadFloors},
		{"many floors", func(r *dungeon.Request) { r.Floors = 21 }, dungeon.BadFloors},
		{"no level", func(r *dungeon.Request) { r.Level = 0 }, dungeon.BadLevel},
		{"a high level", func(r *dungeon.Request) { r.Level = 100 }, dungeon.BadLevel},
		{"no moon", func(r *dungeon.Request) { r.Moon = 0 }, dungeon.BadEnum},
		{"a strange moon", func(r *dungeon.Request) { r.Moon = 10 }, dungeon.BadEnum},
		{"no weather", func(r *dungeon.Request) { r.Weather = 0 }, dungeon.BadEnum},
		{"all of it", func(r *dungeon.Request) { *r = dungeon.Request{} }, dungeon.BadSize},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := good
			c.change(&r)
			if got := r.Check(); got != c.want {
				t.Errorf("%v", got)
			}
		})
	}
}

func TestTables(t *testing.T) {
	for _, c := range []struct {
		level int32
		moon  personav1.Moon
		want  int32
	}{{20, 9, 24}, {3, 1, 1}, {20, 5, 20}} {
		if got := tables.EnemyLevel(c.level, c.moon); got != c.want {
			t.Errorf("EnemyLevel(%d, %v) = %d", c.level, c.moon, got)
		}
	}
	// EX-PER-DUN-04-1.
	for _, c := range []struct {
		level   int32
		weather personav1.Weather
		want    int32
	}{{20, 3, 2}, {20, 4, 3}, {20, 5, 4}, {20, 1, 1}, {5, 1, 0}, {99, 5, 7}} {
		if got := tables.ObtainedRank(c.level, c.weather); got != c.want {
			t.Errorf("ObtainedRank(%d, %v) = %d", c.level, c.weather, got)
		}
	}
	// EX-PER-DUN-07-1.
	for _, c := range []struct {
		rows    []string
		weather personav1.Weather
		want    int32
	}{
		{[]string{"....", "....", "....", "...."}, 4, 7},
		{[]string{".....", ".....", ".....", ".....", "....."}, 1, 14},
		{[]string{".....", ".....", ".....", ".....", "....."}, 5, 10},
		{[]string{".."}, 5, 1},
	} {
		if got := tables.RoundLimit(&personav1.Floor{Rows: c.rows}, c.weather); got != c.want {
			t.Errorf("RoundLimit(%v, %v) = %d", c.rows, c.weather, got)
		}
	}
	if got := tables.RoundLimit(&personav1.Floor{Rows: []string{".."}, RoundLimitOverride: proto.Int32(30)}, 5); got != 30 {
		t.Errorf("overridden: %d", got)
	}
}
