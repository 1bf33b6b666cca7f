//go:build !race

package oracle_test

// What each test has in an ordinary run: so many hundreds of tables, and so many inputs at
// each table.
const (
	hundredsOfTables = 3
	inputsPerTable   = 60
)
