package trial

import (
	"fmt"
	"testing"
)

// leakCommands are how many commands a game beside others has.
const leakCommands = 300

// Leaks plays random games until so many commands were given, each beside tables that
// differ in what a player, the other player and an onlooker may not know; see the
// package. keyless are the rows of "Who sees what" that govern what no key names.
func Leaks(t *testing.T, s *Setup, steps int, keyless ...string) {
	if *leaking > 0 {
		steps = *leaking
	}
	sees, err := ReadWhoSees(s.Rules.Markdown, keyless...)
	if err != nil {
		t.Fatal(err)
	}
	type result struct {
		steps, kept int
		parts       map[string]int
	}
	n := (steps + leakCommands - 1) / leakCommands
	if *games > 0 {
		n = *games
	}
	all := make([]result, n)
	t.Run("play", func(t *testing.T) {
		for i := range all {
			t.Run(fmt.Sprint(*first+uint64(i)), func(t *testing.T) {
				t.Parallel()
				parts := make(map[string]int)
				g := newGame(t, s, *first+uint64(i), nil)
				g.quick = true
				var blinds []*blind
				for seat := 1; seat < len(g.seats); seat++ {
					b := &blind{seat: seat, sees: sees, parts: parts}
					blinds, g.others = append(blinds, b), append(g.others, b)
				}
				from := g.number
				for g.number-from < leakCommands {
					g.open(blinds)
					g.command()
				}
				all[i] = result{steps: int(g.number - from), parts: parts}
				for _, b := range blinds {
					all[i].kept += b.kept
				}
			})
		}
	})
	total := result{parts: make(map[string]int)}
	for _, r := range all {
		total.steps += r.steps
		total.kept += r.kept
		for _, e := range s.Reveals {
			total.parts[e.What] += r.parts[e.What]
		}
	}
	t.Logf("%d steps, %d comparisons", total.steps, total.kept)
	for _, e := range s.Reveals {
		t.Logf("%6d %s: %s", total.parts[e.What], e.What, e.Why) // some do once in millions of steps
	}
}
