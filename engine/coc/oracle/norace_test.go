//go:build !race

package oracle_test

// inputsPerTable is how many inputs each of the tables gets that rapid draws, of which
// there are a hundred in an ordinary run.
const inputsPerTable = 60
