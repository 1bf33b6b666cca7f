// Package storetest has the tests that every backend of package store must
// pass.
package storetest

import (
	"testing"

	"github.com/hantei/hantei/server/store"
)

// Open opens a store that lives in a folder. The folder is empty the first
// time; after Close, the same folder is the same store again. The tests close
// what they open.
type Open func(t testing.TB, dir string) store.Store

// Run runs all tests, each on a store of its own.
func Run(t *testing.T, open Open) {
	tests := []struct {
		name string
		test func(*testing.T, Open)
	}{
		{"Tables", testTables},
		{"TableExists", testTableExists},
		{"TableWithFirstCommit", testTableWithFirstCommit},
		{"UpdateTable", testUpdateTable},
		{"Wakes", testWakes},
		{"DeleteTable", testDeleteTable},
		{"TableWithLogAndSeats", testTableWithLogAndSeats},
		{"Pages", testPages},
		{"PagesWhileTablesAreMade", testPagesWhileTablesAreMade},
		{"PagesByID", testPagesByID},
		{"Seats", testSeats},
		{"SeatExists", testSeatExists},
		{"SeatByToken", testSeatByToken},
		{"UpdateSeat", testUpdateSeat},
		{"RevokeSeat", testRevokeSeat},
		{"Pair", testPair},
		{"PairExists", testPairExists},
		{"PairExpires", testPairExpires},
		{"PairReplaces", testPairReplaces},
		{"PairOnceUnderRace", testPairOnceUnderRace},
		{"Bridges", testBridges},
		{"BridgeExists", testBridgeExists},
		{"Admissions", testAdmissions},
		{"AdmissionsEnd", testAdmissionsEnd},
		{"BridgesReopen", testBridgesReopen},
		{"Log", testLog},
		{"LogIsInOrder", testLogIsInOrder},
		{"Conflict", testConflict},
		{"CommitOfEvent", testCommitOfEvent},
		{"AppendSeatCharacters", testAppendSeatCharacters},
		{"AppendIsAtomic", testAppendIsAtomic},
		{"TwoWriters", testTwoWriters},
		{"ManyTables", testManyTables},
		{"Requests", testRequests},
		{"RequestExists", testRequestExists},
		{"Record", testRecord},
		{"RequestOnceUnderRace", testRequestOnceUnderRace},
		{"PruneRequests", testPruneRequests},
		{"Snapshots", testSnapshots},
		{"Secrets", testSecrets},
		{"SetSecret", testSetSecret},
		{"SecretUnderRace", testSecretUnderRace},
		{"UnknownIDs", testUnknownIDs},
		{"AnyText", testAnyText},
		{"AnyBytes", testAnyBytes},
		{"SlicesAreNotShared", testSlicesAreNotShared},
		{"Reopen", testReopen},
		{"CancelledContext", testCancelledContext},
		{"Close", testClose},
		{"CloseWhileWriting", testCloseWhileWriting},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { test.test(t, open) })
	}
}

// fresh opens an empty store for the length of the test.
func fresh(t testing.TB, open Open) store.Store {
	t.Helper()
	s := open(t, t.TempDir())
	t.Cleanup(func() { check(t, s.Close()) })
	return s
}
