//go:build race

package persona_test

// With the race detector a game takes ten times as long: some are enough to find a
// race. `make trial` plays them all.
const (
	gamesAtOnce = 2
	leakSteps   = 200
	everything  = false
)
