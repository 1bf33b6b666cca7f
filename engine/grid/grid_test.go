package grid_test

import (
	"math"
	"testing"

	"github.com/hantei/hantei/engine/grid"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"pgregory.net/rapid"
)

func at(x, y, floor int32) *typev1.Square { return &typev1.Square{X: x, Y: y, Floor: floor} }

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		name string
		a, b *typev1.Square
		want int32
		same bool
	}{
		{"itself", at(3, 4, 0), at(3, 4, 0), 0, true},
		{"straight", at(0, 0, 0), at(0, -5, 0), 5, true},
		{"a diagonal step is one", at(0, 0, 0), at(3, 3, 0), 3, true},
		{"the longer side counts", at(-1, 2, 1), at(4, 0, 1), 5, true},
		{"another floor", at(0, 0, 0), at(0, 0, 1), 0, false},
		{"from one end of the numbers to the other", at(math.MinInt32, 0, 0), at(math.MaxInt32, 0, 0), math.MaxInt32, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if d, same := grid.Distance(c.a, c.b); d != c.want || same != c.same {
				t.Errorf("%d, %v", d, same)
			}
		})
	}
}

// It is a distance: not negative, the same both ways, 0 only to itself, and no
// way round is shorter.
func TestDistanceIsOne(t *testing.T) {
	number := rapid.Int32Range(-1000, 1000)
	square := rapid.Custom(func(t *rapid.T) *typev1.Square { return at(number.Draw(t, "x"), number.Draw(t, "y"), 0) })
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := square.Draw(t, "a"), square.Draw(t, "b"), square.Draw(t, "c")
		ab, _ := grid.Distance(a, b)
		ba, _ := grid.Distance(b, a)
		ac, _ := grid.Distance(a, c)
		cb, _ := grid.Distance(c, b)
		if ab != ba || ab < 0 || (ab == 0) != (a.X == b.X && a.Y == b.Y) || ab > ac+cb {
			t.Fatalf("a-b %d, b-a %d, a-c %d, c-b %d", ab, ba, ac, cb)
		}
	})
}

func TestSteps(t *testing.T) {
	for _, c := range []struct {
		name string
		path []*typev1.Square
		want bool
	}{
		{"no step", nil, true},
		{"round a corner", []*typev1.Square{at(1, 0, 0), at(2, 1, 0), at(1, 2, 0)}, true},
		{"back again", []*typev1.Square{at(1, 0, 0), at(0, 0, 0)}, true},
		{"a jump at the begin", []*typev1.Square{at(2, 0, 0)}, false},
		{"a jump later", []*typev1.Square{at(1, 0, 0), at(3, 0, 0)}, false},
		{"standing still", []*typev1.Square{at(1, 0, 0), at(1, 0, 0)}, false},
		{"to another floor", []*typev1.Square{at(0, 0, 1)}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := grid.Steps(at(0, 0, 0), c.path); got != c.want {
				t.Errorf("%v", got)
			}
		})
	}
}
