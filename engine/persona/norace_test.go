//go:build !race

package persona_test

const (
	gamesAtOnce = 40
	leakSteps   = 4500
	everything  = true
)
