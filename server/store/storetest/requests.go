package storetest

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/hantei/hantei/server/store"
)

func testRequests(t *testing.T, open Open) {
	s := fresh(t, open)
	a := newTable("a")
	a.Request = request("r")
	check(t, s.CreateTable(t.Context(), a))
	addTable(t, s, "b")

	// The same id is another request at another table or of somebody else.
	other := *request("r")
	other.Principal = "other"
	other.Response = []byte("other response")
	check(t, s.Append(t.Context(), "a", store.Entry{Commit: next(head(t, s, "a"), 1), Request: request("r")}))
	check(t, s.Append(t.Context(), "a", store.Entry{Commit: next(head(t, s, "a"), 1), Request: &other}))
	check(t, s.Append(t.Context(), "b", store.Entry{Commit: next(head(t, s, "b"), 1), Request: request("r")}))

	for _, scope := range []string{store.AdminScope, "a", "b"} {
		got, err := s.Request(t.Context(), scope, "principal", "r")
		check(t, err)
		equal(t, got, *request("r"))
	}
	got, err := s.Request(t.Context(), "a", "other", "r")
	check(t, err)
	equal(t, got, other)

	unknown := [][3]string{{"b", "other", "r"}, {"a", "principal", "R"}, {"a", "principal", ""}, {"c", "principal", "r"}}
	for _, u := range unknown {
		_, err := s.Request(t.Context(), u[0], u[1], u[2])
		wantError(t, err, store.ErrNotFound)
	}
}

func testRequestExists(t *testing.T, open Open) {
	s := fresh(t, open)
	addTable(t, s, "a")
	check(t, s.Append(t.Context(), "a", store.Entry{Commit: next(head(t, s, "a"), 1), Request: request("r")}))

	again := *request("r")
	again.Response = []byte("other response")
	wantError(t, s.Append(t.Context(), "a", store.Entry{Commit: next(head(t, s, "a"), 1), Request: &again}), store.ErrExists)
	equal(t, head(t, s, "a").Number, int64(1))
	got, err := s.Request(t.Context(), "a", "principal", "r")
	check(t, err)
	equal(t, got, *request("r"))
}

// testRecord records requests without a commit.
func testRecord(t *testing.T, open Open) {
	s := fresh(t, open)
	addTable(t, s, "a")
	addTable(t, s, "b")
	check(t, s.Record(t.Context(), "a", *request("r")))
	got, err := s.Request(t.Context(), "a", "principal", "r")
	check(t, err)
	equal(t, got, *request("r"))
	wantError(t, s.Record(t.Context(), "a", *request("r")), store.ErrExists)
	entry := store.Entry{Commit: next(store.Head{NextEvent: 1}, 1), Request: request("r")}
	wantError(t, s.Append(t.Context(), "a", entry), store.ErrExists)
	check(t, s.Record(t.Context(), "b", *request("r")))
	head, err := s.Head(t.Context(), "a")
	check(t, err)
	equal(t, head, store.Head{NextEvent: 1})
}

// testRequestOnceUnderRace repeats a request from many sides, each going on from
// the newest head until it is told that the request was carried out.
func testRequestOnceUnderRace(t *testing.T, open Open) {
	s := fresh(t, open)
	addTable(t, s, "a")
	var done atomic.Int32
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for {
				h, err := s.Head(t.Context(), "a")
				if err != nil {
					t.Error(err)
					return
				}
				r := request("r")
				r.Response = fmt.Append(nil, i)
				err = s.Append(t.Context(), "a", store.Entry{Commit: next(h, 1), Request: r})
				switch {
				case err == nil:
					done.Add(1)
					return
				case errors.Is(err, store.ErrExists):
					return
				case !errors.Is(err, store.ErrConflict):
					t.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	equal(t, done.Load(), int32(1))
	equal(t, head(t, s, "a").Number, int64(1))
}

// testPruneRequests forgets old requests in batches, whoever's they are, and
// nothing else.
func testPruneRequests(t *testing.T, open Open) {
	s := fresh(t, open)
	at := func(id string, time int64) *store.Request {
		r := request(id)
		r.CreateTimeMS = time
		return r
	}
	a := newTable("a")
	a.Request = at("table", 1)
	check(t, s.CreateTable(t.Context(), a))
	player := store.NewSeat{Seat: seat("a", "p", 2), Token: hash("p"), Request: at("seat", 2)}
	check(t, s.CreateSeat(t.Context(), player))
	addTable(t, s, "b")
	for i, id := range []string{"three", "four", "five"} {
		table := []string{"a", "b"}[i%2]
		check(t, s.Append(t.Context(), table, store.Entry{Commit: next(head(t, s, table), 1), Request: at(id, int64(i)+3)}))
	}
	prune := func(before int64, limit, want int) {
		t.Helper()
		n, err := s.PruneRequests(t.Context(), before, limit)
		check(t, err)
		equal(t, n, want)
	}
	known := func(want ...string) {
		t.Helper()
		var got []string
		for _, r := range [][2]string{{store.AdminScope, "table"}, {"a", "seat"}, {"a", "three"}, {"b", "four"}, {"a", "five"}} {
			_, err := s.Request(t.Context(), r[0], "principal", r[1])
			if err == nil {
				got = append(got, r[1])
			} else {
				wantError(t, err, store.ErrNotFound)
			}
		}
		equal(t, got, want)
	}
	prune(1, 10, 0)
	known("table", "seat", "three", "four", "five")
	prune(5, 3, 3)
	known("four", "five")
	prune(5, 3, 1)
	known("five")
	prune(5, 3, 0)
	equal(t, head(t, s, "a").Number, int64(2))

	// What was forgotten may be done again.
	check(t, s.Append(t.Context(), "a", store.Entry{Commit: next(head(t, s, "a"), 1), Request: at("three", 6)}))
	known("three", "five")
	prune(7, 1, 1)
	known("three")
	prune(7, 1, 1)
	known()
	prune(7, 1, 0)
}
