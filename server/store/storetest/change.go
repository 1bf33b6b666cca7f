package storetest

import (
	"testing"

	"github.com/hantei/hantei/server/store"
)

func testUpdateTable(t *testing.T, open Open) {
	s := fresh(t, open)
	want, other := addTable(t, s, "a").Table, addTable(t, s, "b").Table
	name := "Another"
	steps := []struct {
		update store.TableUpdate
		apply  func()
	}{
		{store.TableUpdate{}, func() {}},
		{store.TableUpdate{Name: &name}, func() { want.Name = name }},
		{store.TableUpdate{Options: []byte("o")}, func() { want.Options = []byte("o") }},
	}
	check := func(err error) {
		t.Helper()
		check(t, err)
		for _, w := range []store.Table{want, other} {
			got, err := s.Table(t.Context(), w.ID)
			if err != nil {
				t.Fatal(err)
			}
			equal(t, got, w)
		}
	}
	for _, step := range steps {
		step.apply()
		check(s.UpdateTable(t.Context(), "a", step.update))
	}
	// With a commit, or not at all.
	third := "Third"
	c := next(store.Head{NextEvent: 1}, 1)
	entry := store.Entry{Commit: c, Table: store.TableUpdate{Name: &third, Options: []byte("p")}}
	want.Name, want.Options = third, []byte("p")
	check(s.Append(t.Context(), "a", entry))
	lost := "Lost"
	entry.Table.Name = &lost
	wantError(t, s.Append(t.Context(), "a", entry), store.ErrConflict)
	check(nil)
}

func testWakes(t *testing.T, open Open) {
	s := fresh(t, open)
	check := func(err error, want ...store.Wake) {
		t.Helper()
		check(t, err)
		got, err := s.Wakes(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		equal(t, got, want)
	}
	at := func(ms int64) store.TableUpdate { return store.TableUpdate{WakeTimeMS: &ms} }
	for _, id := range []string{"a", "b", "c"} {
		addTable(t, s, id)
	}
	check(nil)
	check(s.UpdateTable(t.Context(), "a", at(30)), store.Wake{TableID: "a", TimeMS: 30})
	b := next(store.Head{NextEvent: 1}, 1)
	check(s.Append(t.Context(), "b", store.Entry{Commit: b, Table: at(20)}),
		store.Wake{TableID: "b", TimeMS: 20}, store.Wake{TableID: "a", TimeMS: 30})
	name := "Another"
	check(s.UpdateTable(t.Context(), "b", store.TableUpdate{Name: &name}),
		store.Wake{TableID: "b", TimeMS: 20}, store.Wake{TableID: "a", TimeMS: 30})
	check(s.UpdateTable(t.Context(), "b", at(0)), store.Wake{TableID: "a", TimeMS: 30})
	check(s.DeleteTable(t.Context(), "a"))
}

func testDeleteTable(t *testing.T, open Open) {
	s := fresh(t, open)
	ctx := t.Context()
	fill := func(id string) {
		n := addTable(t, s, id)
		c := next(store.Head{NextEvent: 1}, 1)
		check(t, s.Append(ctx, id, store.Entry{Commit: c, Request: request("r")}))
		check(t, s.SaveSnapshot(ctx, id, store.Snapshot{Number: 1, Bytes: []byte("s")}))
		check(t, s.SavePairing(ctx, n.Seat.ID, *pairing(id), 0))
		_, err := s.Secret(ctx, "dice/"+id, func() []byte { return []byte("old") })
		check(t, err)
	}
	fill("a")
	fill("b")
	check(t, s.DeleteTable(ctx, "a", "dice/a"))
	wantError(t, s.DeleteTable(ctx, "a"), store.ErrNotFound)

	gone := func(id string) []error {
		_, table := s.Table(ctx, id)
		_, seats := s.Seats(ctx, id)
		_, commits := s.Commits(ctx, id, 0, 1)
		_, snapshot := s.Snapshot(ctx, id)
		_, request := s.Request(ctx, id, "principal", "r")
		_, token := s.SeatByToken(ctx, hash(id+"-gm"))
		return []error{table, seats, commits, snapshot, request, token}
	}
	for _, err := range gone("a") {
		wantError(t, err, store.ErrNotFound)
	}
	for _, err := range gone("b") {
		check(t, err)
	}
	_, _, err := s.Pair(ctx, hash("code a"), token("x"))
	wantError(t, err, store.ErrNotFound)
	for id, want := range map[string]string{"a": "new", "b": "old"} {
		secret, err := s.Secret(ctx, "dice/"+id, func() []byte { return []byte("new") })
		check(t, err)
		equal(t, string(secret), want)
	}
	all, _, err := s.Tables(ctx, store.Page{Limit: 10})
	check(t, err)
	equal(t, idsOf(all), []string{"b"})
	// All its ids are free again.
	fill("a")
}

func testTableWithLogAndSeats(t *testing.T, open Open) {
	s := fresh(t, open)
	n := newTable("a")
	first := next(store.Head{NextEvent: 1}, 2)
	second := next(store.Head{Number: 1, NextEvent: 3}, 0)
	p := seat("a", "p", 2, "officer")
	n.Commits = []store.Commit{first, second}
	n.Seats = []store.NewSeat{{Seat: p, Token: hash("p")}}
	check(t, s.CreateTable(t.Context(), n))
	commits, err := s.Commits(t.Context(), "a", 0, 10)
	check(t, err)
	equal(t, commits, []store.Commit{first, second})
	seats, err := s.Seats(t.Context(), "a")
	check(t, err)
	equal(t, seats, []store.Seat{n.Seat, p})
	got, err := s.SeatByToken(t.Context(), hash("p"))
	check(t, err)
	equal(t, got, p)

	b := newTable("b")
	b.Commits = []store.Commit{first, first}
	wantError(t, s.CreateTable(t.Context(), b), store.ErrConflict)
	b.Commits, b.Seats = []store.Commit{first}, []store.NewSeat{{Seat: seat("b", "q", 2), Token: hash("p")}}
	wantError(t, s.CreateTable(t.Context(), b), store.ErrExists)
	_, err = s.Table(t.Context(), "b")
	wantError(t, err, store.ErrNotFound)
}
