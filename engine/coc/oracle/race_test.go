//go:build race

package oracle_test

// With the race detector a command takes ten times as long, and one goroutine has no
// races: a few inputs show that the tests run.
const inputsPerTable = 5
