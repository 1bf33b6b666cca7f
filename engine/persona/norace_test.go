//go:build !race

package persona_test

const (
	gamesAtOnce = 40
	everything  = true
)
