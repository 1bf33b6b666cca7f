// Package grid measures squares.
package grid

import typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"

// Distance is the number of steps between two squares of a floor, diagonal ones
// included, and whether they are on the same floor at all.
func Distance(a, b *typev1.Square) (int32, bool) {
	if a.Floor != b.Floor {
		return 0, false
	}
	return max(abs(a.X-b.X), abs(a.Y-b.Y)), true
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

func abs(n int32) int32 {
	if n < 0 {
		return -n
	}
	return n
}
