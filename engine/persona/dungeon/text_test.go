package dungeon_test

import (
	"strings"
	"testing"

	"github.com/hantei/hantei/engine/persona/dungeon"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	"google.golang.org/protobuf/proto"
	"pgregory.net/rapid"
)

const byHand = `// The chapel
level 20
moon full
weather rain

floor 1
#.#b
.d..
.c##
...a

a = stairs outside
b = stairs floor 2
c = enemy rust_hound x3
d = item soul_thread, herb x2, 40 macca in "a red chest" hidden
d = trap mana_leech

floor 2
limit 9
..a.
b..c

a = stairs floor 1
b = warp 3,1 forced
c = event "the bell" search again known
`

func TestParse(t *testing.T) {
	d, problems := dungeon.Parse(tables, byHand)
	if problems != nil {
		t.Fatal(problems)
	}
	if d.Level != 20 || d.Moon != personav1.Moon_MOON_FULL || d.Weather != personav1.Weather_WEATHER_RAIN {
		t.Errorf("head: %v", d)
	}
	if got := floorRows(d, 1); got != "#.#.\n....\n..##\n...." {
		t.Errorf("floor 1:\n%s", got)
	}
	if d.Floors[1].GetRoundLimitOverride() != 9 {
		t.Errorf("limit %v", d.Floors[1])
	}
	e := d.Features[2]
	if e.GetEnemy().GetLevel() != 24 || e.GetEnemy().Count != 3 || strings.Join(e.GetEnemy().Specialties, " ") != "strike" || e.Square.X != 1 || e.Square.Y != 2 {
		t.Errorf("what is left out is as usual: %v", e)
	}
	if i := d.Features[3].GetItem(); i.Macca != 40 || len(i.Items) != 2 || i.Items[1].Count != 2 || i.Container != "a red chest" {
		t.Errorf("item: %v", i)
	}
	if w := d.Features[6].GetWarp(); w.To.X != 3 || w.To.Y != 1 || w.To.Floor != 2 || w.Mode != personav1.WarpMode_WARP_MODE_FORCED {
		t.Errorf("warp: %v", w)
	}
	if v := d.Features[7]; v.GetEvent().Key != "the bell" || !v.GetEvent().Again || v.Visibility != personav1.Visibility_VISIBILITY_KNOWN {
		t.Errorf("event: %v", v)
	}
	again, problems := dungeon.Parse(tables, dungeon.Text(d))
	if problems != nil || dungeon.Text(again) != dungeon.Text(d) {
		t.Errorf("%v\n%s", problems, dungeon.Text(d))
	}
}

func TestParseTellsAllAtOnce(t *testing.T) {
	_, problems := dungeon.Parse(tables, `levle 20
moon ful
limit 3
floor one
..a
b.a
a = stiars outside
c = trap dart
b = enemy imp level x hiden
`)
	var got []string
	for _, p := range problems {
		got = append(got, p.Error())
	}
	want := []string{
		`1:1: unknown_word: "levle" (level?)`,
		`2:6: unknown_word: "ful" (full?)`,
		`3:1: outside_of_a_floor: "limit"`,
		`4:7: number: "one"`,
		`6:3: sign_twice: "a"`,
		`7:5: unknown_word: "stiars" (stairs?)`,
		`8:1: line_without_sign: "c"`,
		`9:21: number: "x"`,
		`9:23: unknown_word: "hiden" (hidden?)`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// What is generated comes back from its text as it was.
func TestTextRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := dungeon.Request{
			Seed: rapid.Uint64().Draw(t, "seed"), Level: rapid.Int32Range(1, 99).Draw(t, "level"),
			Moon: personav1.Moon(rapid.IntRange(1, 9).Draw(t, "moon")), Weather: personav1.Weather(rapid.IntRange(1, 5).Draw(t, "weather")),
			Floors: rapid.Int32Range(1, 4).Draw(t, "floors"), Width: rapid.Int32Range(3, 20).Draw(t, "width"), Height: rapid.Int32Range(3, 20).Draw(t, "height"),
		}
		d := dungeon.Generate(tables, r)
		got, problems := dungeon.Parse(tables, dungeon.Text(d))
		if problems != nil {
			t.Fatalf("%v\n%s", problems, dungeon.Text(d))
		}
		for _, f := range got.Features {
			f.Visibility = dungeon.Shows(f)
		}
		if !proto.Equal(got, d) {
			t.Fatalf("another one:\n%s\n%s", dungeon.Text(d), dungeon.Text(got))
		}
	})
}

func FuzzParse(f *testing.F) {
	f.Add(byHand)
	f.Add("level 1\nfloor 1\n.\na = item in \"\\\"\"\n")
	f.Add("floor 9\n\x00\n= = =\n( = enemy ( , ) x9")
	f.Fuzz(func(t *testing.T, text string) {
		d, problems := dungeon.Parse(tables, text)
		if (d == nil) != (len(problems) > 0) {
			t.Fatalf("%v, %v", d, problems)
		}
		if d != nil {
			dungeon.Validate(tables, dungeon.Case{Dungeon: d})
		}
	})
}

func BenchmarkGenerateFourFloors(b *testing.B) {
	r := dungeon.Request{Seed: 1, Level: 20, Moon: 5, Weather: 3, Floors: 4, Width: 6, Height: 6}
	b.ReportAllocs()
	for b.Loop() {
		dungeon.Generate(tables, r)
	}
}
