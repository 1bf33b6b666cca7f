//go:build !race

package persona_test

const (
	gamesAtOnce = 40
	leakSteps   = 6000
	everything  = true
)
