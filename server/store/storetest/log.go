package storetest

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/hantei/hantei/server/store"
)

func testLog(t *testing.T, open Open) {
	s := fresh(t, open)
	addTable(t, s, "a")
	addTable(t, s, "b")
	want := addCommits(t, s, "a", 2, 0, 3)
	addCommits(t, s, "b", 1)
	equal(t, head(t, s, "a"), store.Head{Number: 3, NextEvent: 6})
	equal(t, head(t, s, "b"), store.Head{Number: 1, NextEvent: 2})

	reads := []struct {
		after int64
		limit int
		want  []store.Commit
	}{
		{0, 10, want},
		{0, 3, want},
		{0, 2, want[:2]},
		{1, 1, want[1:2]},
		{2, 10, want[2:]},
		{3, 10, nil},
		{99, 10, nil},
		{-1, 10, want},
		{0, 0, want[:1]},
		{0, -1, want[:1]},
	}
	for _, read := range reads {
		got, err := s.Commits(t.Context(), "a", read.after, read.limit)
		check(t, err)
		equal(t, got, read.want)
	}
}

func testLogIsInOrder(t *testing.T, open Open) {
	s := fresh(t, open)
	addTable(t, s, "a")
	// More than one digit, so that an order of text would show.
	want := addCommits(t, s, "a", make([]int, 120)...)
	var got []store.Commit
	for len(got) < len(want) {
		page, err := s.Commits(t.Context(), "a", int64(len(got)), 7)
		check(t, err)
		if len(page) == 0 {
			t.Fatalf("the log ends after commit %d", len(got))
		}
		got = append(got, page...)
	}
	equal(t, got, want)
}

func testConflict(t *testing.T, open Open) {
	s := fresh(t, open)
	addTable(t, s, "a")
	wrongFirst := next(store.Head{Number: 1, NextEvent: 1}, 1)
	wantError(t, s.Append(t.Context(), "a", store.Entry{Commit: wrongFirst}), store.ErrConflict)

	addCommits(t, s, "a", 2, 1)
	right := next(head(t, s, "a"), 1)
	wrongs := map[string]func(*store.Commit){
		"number of the head":   func(c *store.Commit) { c.Number-- },
		"number of the first":  func(c *store.Commit) { c.Number = 1 },
		"number with a gap":    func(c *store.Commit) { c.Number++ },
		"events with a gap":    func(c *store.Commit) { c.FirstEvent++ },
		"events that overlap":  func(c *store.Commit) { c.FirstEvent-- },
		"fewer than no events": func(c *store.Commit) { c.Events = -1 },
	}
	for name, wrong := range wrongs {
		c := right
		wrong(&c)
		t.Log(name)
		wantError(t, s.Append(t.Context(), "a", store.Entry{Commit: c}), store.ErrConflict)
	}
	equal(t, head(t, s, "a"), store.Head{Number: 2, NextEvent: 4})
	check(t, s.Append(t.Context(), "a", store.Entry{Commit: right}))
}

func testCommitOfEvent(t *testing.T, open Open) {
	s := fresh(t, open)
	addTable(t, s, "a")
	_, err := s.CommitOfEvent(t.Context(), "a", 1)
	wantError(t, err, store.ErrNotFound)

	addCommits(t, s, "a", 0, 2, 0, 0, 1, 3, 0)
	want := []int64{2, 2, 5, 6, 6, 6}
	for i, number := range want {
		got, err := s.CommitOfEvent(t.Context(), "a", int64(i+1))
		check(t, err)
		equal(t, got, number)
	}
	for _, unknown := range []int64{-1, 0, int64(len(want)) + 1} {
		_, err := s.CommitOfEvent(t.Context(), "a", unknown)
		wantError(t, err, store.ErrNotFound)
	}
}

func testAppendSeatCharacters(t *testing.T, open Open) {
	s := fresh(t, open)
	gm := addTable(t, s, "a").Seat
	player := seat("a", "p", 2, "officer")
	check(t, s.CreateSeat(t.Context(), store.NewSeat{Seat: player, Token: hash("p")}))

	gm.Characters = []string{"thug", "cultist"}
	player.Characters = nil
	check(t, s.Append(t.Context(), "a", store.Entry{
		Commit: next(head(t, s, "a"), 1),
		Characters: []store.SeatCharacters{
			{SeatID: gm.ID, Characters: gm.Characters},
			{SeatID: player.ID},
		},
	}))
	got, err := s.Seats(t.Context(), "a")
	check(t, err)
	equal(t, got, []store.Seat{gm, player})
}

func testAppendIsAtomic(t *testing.T, open Open) {
	s := fresh(t, open)
	gm := addTable(t, s, "a").Seat
	stranger := addTable(t, s, "b").Seat
	check(t, s.Append(t.Context(), "a", store.Entry{
		Commit:  next(head(t, s, "a"), 1),
		Request: request("done"),
	}))

	// The last thing written is what fails.
	thug := store.SeatCharacters{SeatID: gm.ID, Characters: []string{"thug"}}
	wantError(t, s.Append(t.Context(), "a", store.Entry{
		Commit:     next(head(t, s, "a"), 1),
		Characters: []store.SeatCharacters{thug},
		Request:    request("done"),
	}), store.ErrExists)
	for _, id := range []string{"unknown", stranger.ID} {
		wantError(t, s.Append(t.Context(), "a", store.Entry{
			Commit:     next(head(t, s, "a"), 1),
			Characters: []store.SeatCharacters{thug, {SeatID: id, Characters: []string{"thug"}}},
			Request:    request("new"),
		}), store.ErrNotFound)
	}

	equal(t, head(t, s, "a"), store.Head{Number: 1, NextEvent: 2})
	for _, want := range []store.Seat{gm, stranger} {
		got, err := s.SeatByToken(t.Context(), hash(want.ID))
		check(t, err)
		equal(t, got, want)
	}
	_, err := s.Request(t.Context(), "a", "principal", "new")
	wantError(t, err, store.ErrNotFound)
}

func testTwoWriters(t *testing.T, open Open) {
	const rounds = 50
	s := fresh(t, open)
	addTable(t, s, "a")
	for range rounds {
		h := head(t, s, "a")
		var won atomic.Int32
		var both sync.WaitGroup
		for writer := range 2 {
			both.Go(func() {
				c := next(h, 1)
				c.Bytes = fmt.Append(nil, writer)
				err := s.Append(t.Context(), "a", store.Entry{Commit: c})
				if err == nil {
					won.Add(1)
				} else {
					wantError(t, err, store.ErrConflict)
				}
			})
		}
		both.Wait()
		equal(t, won.Load(), int32(1))
		equal(t, head(t, s, "a").Number, h.Number+1)
	}
}
