//go:build race

package oracle_test

// With the race detector a command takes ten times as long, and one goroutine has no
// races: a few inputs show that the tests run. The Makefile runs them all without it.
const (
	hundredsOfTables = 1
	inputsPerTable   = 3
)
