//go:build !race

package coc_test

const (
	gamesAtOnce = 50
	everything  = true
	leakSteps   = 12000
)
