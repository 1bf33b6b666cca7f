//go:build race

package coc_test

// With the race detector a game takes ten times as long: some are enough to find a
// race. The Makefile plays them all without it.
const (
	gamesAtOnce = 8
	everything  = false
	leakSteps   = 900
)
