package storetest

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/hantei/hantei/server/store"
)

// newTable returns a table with a GM's seat, all made from the id.
func newTable(id string) store.NewTable {
	return store.NewTable{
		Table: store.Table{
			ID:           id,
			Name:         "Table " + id,
			Ruleset:      "coc",
			Options:      []byte("options of " + id),
			PackHash:     "5e884898da28047151d0e56f8dc62927",
			CreateTimeMS: 1_790_000_000_123,
		},
		Seat:  seat(id, id+"-gm", 1),
		Token: hash(id + "-gm"),
	}
}

func seat(tableID, id string, role int32, characters ...string) store.Seat {
	return store.Seat{
		ID:           id,
		TableID:      tableID,
		Name:         "Seat " + id,
		Role:         role,
		Characters:   characters,
		CreateTimeMS: 1_790_000_000_456,
	}
}

// addTable makes a table with an empty log.
func addTable(t testing.TB, s store.Store, id string) store.NewTable {
	t.Helper()
	n := newTable(id)
	check(t, s.CreateTable(t.Context(), n))
	return n
}

// next returns the commit that follows h, with that many events.
func next(h store.Head, events int) store.Commit {
	return store.Commit{
		Number:     h.Number + 1,
		FirstEvent: h.NextEvent,
		Events:     events,
		Bytes:      fmt.Appendf(nil, "commit %d", h.Number+1),
	}
}

// addCommits appends one commit for each number of events.
func addCommits(t testing.TB, s store.Store, tableID string, events ...int) []store.Commit {
	t.Helper()
	var commits []store.Commit
	for _, n := range events {
		c := next(head(t, s, tableID), n)
		check(t, s.Append(t.Context(), tableID, store.Entry{Commit: c}))
		commits = append(commits, c)
	}
	return commits
}

func head(t testing.TB, s store.Store, tableID string) store.Head {
	t.Helper()
	h, err := s.Head(t.Context(), tableID)
	check(t, err)
	return h
}

func request(id string) *store.Request {
	return &store.Request{
		Principal: "principal",
		ID:        id,
		BodyHash:  hash("body of " + id),
		Response:  []byte("response to " + id),

		CreateTimeMS: 1_790_000_000_789,
	}
}

func hash(s string) store.Hash {
	return sha256.Sum256([]byte(s))
}

// check fails the test if there is an error.
func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// wantError fails the test if err is not the expected one.
func wantError(t testing.TB, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("got error %v, want %v", err, want)
	}
}

// equal fails the test if a value is not the expected one. An empty slice is
// as good as none.
func equal(t testing.TB, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("unexpected value (-want +got):\n%s", diff)
	}
}
