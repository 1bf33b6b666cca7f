// Package grid measures squares, and walks the floors that they make up.
package grid

import (
	"math"

	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

// Distance is the number of steps between two squares of a floor, diagonal ones
// included, and whether they are on the same floor at all. What is farther than
// an int32 holds is as far as it holds.
func Distance(a, b *typev1.Square) (int32, bool) {
	if a.Floor != b.Floor {
		return 0, false
	}
	return max(apart(a.X, b.X), apart(a.Y, b.Y)), true
}

// Steps reports whether each square of a path is next to the one before, from on.
func Steps(from *typev1.Square, path []*typev1.Square) bool {
	for _, s := range path {
		if d, ok := Distance(from, s); !ok || d != 1 {
			return false
		}
		from = s
	}
	return true
}

func apart(a, b int32) int32 {
	d := int64(a) - int64(b)
	return int32(min(max(d, -d), math.MaxInt32))
}
