// Package host is the single writer of tables. A table that is in use is hot: it
// lies in memory, made by folding its log, and one goroutine runs every command
// and look on it, one after the other. A command is checked, resolved, appended
// to the log with all that must become true with it, and then told to those who
// watch. A table that nobody uses goes cold; the log has everything.
//
// What leaves the package of a table's state and events are views, made by the
// projection for the seat that asked.
package host
