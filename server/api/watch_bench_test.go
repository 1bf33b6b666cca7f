package api_test

import (
	"fmt"
	"testing"

	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
)

// BenchmarkWatched is a roll that so many screens of the GM follow, up to the frame of
// the last of them, while a prompt of a fight is open.
func BenchmarkWatched(b *testing.B) {
	for _, screens := range []int{1, 8} {
		b.Run(fmt.Sprint(screens), func(b *testing.B) {
			g := start(b).table().fight()
			g.struck()
			var all []*watch
			for range screens {
				w := g.watch(g.gm, "")
				defer w.stop()
				w.next()
				all = append(all, w)
			}
			b.ReportAllocs()
			for b.Loop() {
				g.roll(g.gm, &hanteiv1.RollRequest{Formula: "1D6"})
				for _, w := range all {
					w.next()
				}
			}
		})
	}
}
