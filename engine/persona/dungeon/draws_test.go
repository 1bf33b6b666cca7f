package dungeon

import (
	"testing"

	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
)

// EX-PER-GEN-01-1.
func TestDraws(t *testing.T) {
	d := draws{state: 1}
	for i, want := range []uint64{0x910a2dec89025cc1, 0xbeeb8da1658eec67, 0xf893a2eefb32555e} {
		if got := d.next(); got != want {
			t.Errorf("draw %d: %#x", i, got)
		}
	}
}

// EX-PER-GEN-02-1 and -03-2 say how many draws a whole dungeon takes.
func TestNumberOfDraws(t *testing.T) {
	traps, enemies, items := []string{"a", "b", "c", "d", "e", "f"}, []EnemyRow{{"a", []string{"fire"}, 1}}, []ItemRow{{"a", 0}}
	tables := &Tables{Traps: traps, Enemies: enemies, Items: items}
	for _, c := range []struct {
		r    Request
		want uint64
	}{
		{Request{Seed: 1, Level: 20, Floors: 2, Width: 4, Height: 4}, 68},
		{Request{Seed: 7, Level: 30, Floors: 3, Width: 5, Height: 5}, 161},
	} {
		c.r.Moon, c.r.Weather = personav1.Moon_MOON_HALF, personav1.Weather_WEATHER_CLOUDY
		g := &generator{tables: tables, draws: draws{state: c.r.Seed}, request: c.r, out: &personav1.Dungeon{}}
		var down *personav1.Feature
		for n := int32(1); n <= c.r.Floors; n++ {
			down = g.floor(n, down)
		}
		const gamma = 0x9E3779B97F4A7C15
		if end := c.r.Seed + c.want*gamma; g.draws.state != end {
			t.Errorf("seed %d: not %d draws", c.r.Seed, c.want)
		}
	}
}
