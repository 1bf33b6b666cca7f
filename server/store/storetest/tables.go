package storetest

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/hantei/hantei/server/store"
)

func testTables(t *testing.T, open Open) {
	s := fresh(t, open)
	for _, id := range []string{"a", "b"} {
		want := addTable(t, s, id).Table
		got, err := s.Table(t.Context(), id)
		check(t, err)
		equal(t, got, want)
		equal(t, head(t, s, id), store.Head{Number: 0, NextEvent: 1})
	}
}

func testTableExists(t *testing.T, open Open) {
	s := fresh(t, open)
	a := newTable("a")
	a.Request = request("r")
	check(t, s.CreateTable(t.Context(), a))

	// Each of these clashes with the first table in one thing only.
	clashes := map[string]func(*store.NewTable){
		"table":   func(n *store.NewTable) { n.Table.ID, n.Seat.TableID = "a", "a" },
		"seat":    func(n *store.NewTable) { n.Seat.ID = a.Seat.ID },
		"token":   func(n *store.NewTable) { n.Token = a.Token },
		"request": func(n *store.NewTable) { n.Request = request("r") },
	}
	for name, clash := range clashes {
		b := newTable("b")
		clash(&b)
		t.Log(name)
		wantError(t, s.CreateTable(t.Context(), b), store.ErrExists)
	}

	// Nothing is left of them.
	tables, _, err := s.Tables(t.Context(), store.Page{Limit: 10})
	check(t, err)
	equal(t, tables, []store.Table{a.Table})
	check(t, s.CreateTable(t.Context(), newTable("b")))
}

func testTableWithFirstCommit(t *testing.T, open Open) {
	s := fresh(t, open)
	n := newTable("a")
	first := next(store.Head{NextEvent: 1}, 2)
	n.Commits = []store.Commit{first}
	n.Request = request("r")
	check(t, s.CreateTable(t.Context(), n))

	equal(t, head(t, s, "a"), store.Head{Number: 1, NextEvent: 3})
	commits, err := s.Commits(t.Context(), "a", 0, 10)
	check(t, err)
	equal(t, commits, []store.Commit{first})
	r, err := s.Request(t.Context(), store.AdminScope, n.Request.Principal, n.Request.ID)
	check(t, err)
	equal(t, r, *n.Request)

	n = newTable("b")
	second := next(store.Head{Number: 1, NextEvent: 1}, 1)
	n.Commits = []store.Commit{second}
	wantError(t, s.CreateTable(t.Context(), n), store.ErrConflict)
	_, err = s.Table(t.Context(), "b")
	wantError(t, err, store.ErrNotFound)
}

// pages reads all pages of that size and returns the ids on each.
func pages(t *testing.T, limit int, list func(store.Page) ([]store.Table, store.Position, error)) [][]string {
	t.Helper()
	var all [][]string
	p := store.Page{Limit: limit}
	for {
		tables, after, err := list(p)
		check(t, err)
		all = append(all, idsOf(tables))
		if after == 0 {
			return all
		}
		p.After = after
	}
}

func idsOf(tables []store.Table) []string {
	var ids []string
	for _, table := range tables {
		ids = append(ids, table.ID)
	}
	return ids
}

func testPages(t *testing.T, open Open) {
	s := fresh(t, open)
	list := func(p store.Page) ([]store.Table, store.Position, error) { return s.Tables(t.Context(), p) }
	equal(t, pages(t, 2, list), [][]string{nil})
	for _, id := range []string{"c", "a", "d", "b"} {
		addTable(t, s, id)
	}
	equal(t, pages(t, 1, list), [][]string{{"b"}, {"d"}, {"a"}, {"c"}})
	equal(t, pages(t, 3, list), [][]string{{"b", "d", "a"}, {"c"}})
	// A last page that is full says that it is the last.
	equal(t, pages(t, 2, list), [][]string{{"b", "d"}, {"a", "c"}})
	equal(t, pages(t, 4, list), [][]string{{"b", "d", "a", "c"}})
	equal(t, pages(t, 0, list), pages(t, 1, list))
	equal(t, pages(t, -1, list), pages(t, 1, list))
}

func testPagesWhileTablesAreMade(t *testing.T, open Open) {
	s := fresh(t, open)
	var want []string
	for i := range 10 {
		id := fmt.Sprint("old-", i)
		addTable(t, s, id)
		want = append([]string{id}, want...)
	}
	made := 0
	got := pages(t, 3, func(p store.Page) ([]store.Table, store.Position, error) {
		tables, after, err := s.Tables(t.Context(), p)
		made++
		addTable(t, s, fmt.Sprint("new-", made))
		return tables, after, err
	})
	equal(t, slices.Concat(got...), want)
}

func testPagesByID(t *testing.T, open Open) {
	s := fresh(t, open)
	for _, id := range []string{"a", "b", "c", "d"} {
		addTable(t, s, id)
	}
	byID := func(ids ...string) func(store.Page) ([]store.Table, store.Position, error) {
		return func(p store.Page) ([]store.Table, store.Position, error) {
			return s.TablesByID(t.Context(), ids, p)
		}
	}
	equal(t, pages(t, 10, byID("a", "c", "unknown", "c")), [][]string{{"c", "a"}})
	equal(t, pages(t, 2, byID("a", "c", "d")), [][]string{{"d", "c"}, {"a"}})
	// No ids are no tables, not all of them.
	equal(t, pages(t, 10, byID()), [][]string{nil})
	equal(t, pages(t, 10, byID([]string{}...)), [][]string{nil})
}

func testManyTables(t *testing.T, open Open) {
	const tables, commits = 16, 20
	s := fresh(t, open)
	var all sync.WaitGroup
	for i := range tables {
		id := fmt.Sprint("table-", i)
		addTable(t, s, id)
		all.Go(func() {
			h := store.Head{NextEvent: 1}
			for range commits {
				// A write that fails shares a transaction with others' writes
				// where a backend groups them; it must not disturb them.
				bad := next(store.Head{Number: h.Number + 1, NextEvent: h.NextEvent}, 1)
				wantError(t, s.Append(t.Context(), id, store.Entry{Commit: bad}), store.ErrConflict)
				c := next(h, 1)
				if err := s.Append(t.Context(), id, store.Entry{Commit: c}); err != nil {
					t.Error(err)
					return
				}
				h = store.Head{Number: c.Number, NextEvent: h.NextEvent + 1}
				// What has returned can be read.
				got, err := s.Head(t.Context(), id)
				if err != nil || got != h {
					t.Errorf("head of %s: got %v and error %v, want %v", id, got, err, h)
					return
				}
			}
		})
	}
	all.Wait()
	for i := range tables {
		got, err := s.Commits(t.Context(), fmt.Sprint("table-", i), 0, commits+1)
		check(t, err)
		equal(t, len(got), commits)
	}
}
