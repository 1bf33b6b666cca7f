package storetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/hantei/hantei/server/store"
)

func testUnknownIDs(t *testing.T, open Open) {
	s := fresh(t, open)
	addTable(t, s, "a")
	ctx := t.Context()
	for _, id := range []string{"", "b", "A", "a ", "a\x00", "%", "'"} {
		calls := map[string]func() error{
			"Table":         func() error { _, err := s.Table(ctx, id); return err },
			"Seats":         func() error { _, err := s.Seats(ctx, id); return err },
			"Head":          func() error { _, err := s.Head(ctx, id); return err },
			"Commits":       func() error { _, err := s.Commits(ctx, id, 0, 1); return err },
			"CommitOfEvent": func() error { _, err := s.CommitOfEvent(ctx, id, 1); return err },
			"Snapshot":      func() error { _, err := s.Snapshot(ctx, id); return err },
			"SaveSnapshot":  func() error { return s.SaveSnapshot(ctx, id, store.Snapshot{}) },
			"Append, first": func() error {
				return s.Append(ctx, id, store.Entry{Commit: next(store.Head{NextEvent: 1}, 1)})
			},
			"Append, later": func() error {
				return s.Append(ctx, id, store.Entry{Commit: next(store.Head{Number: 7, NextEvent: 8}, 1)})
			},
			"Record":      func() error { return s.Record(ctx, id, *request("x")) },
			"UpdateTable": func() error { return s.UpdateTable(ctx, id, store.TableUpdate{}) },
			"DeleteTable": func() error { return s.DeleteTable(ctx, id, "x") },
			"CreateSeat": func() error {
				return s.CreateSeat(ctx, store.NewSeat{Seat: seat(id, "x", 2), Token: hash("x")})
			},
			"UpdateSeat":   func() error { return s.UpdateSeat(ctx, seat(id, "a-gm", 2)) },
			"RevokeSeat":   func() error { return s.RevokeSeat(ctx, id, "a-gm", 1) },
			"Bridge":       func() error { _, err := s.Bridge(ctx, id); return err },
			"DeleteBridge": func() error { return s.DeleteBridge(ctx, id) },
			"Admissions":   func() error { _, err := s.Admissions(ctx, id); return err },
			"Admit":        func() error { return s.Admit(ctx, store.Admission{TableID: id, BridgeID: id, All: true}) },
			"Dismiss":      func() error { return s.Dismiss(ctx, id, id) },
			"SavePairing":  func() error { return s.SavePairing(ctx, id, store.Pairing{}, 1) },
		}
		for name, call := range calls {
			if err := call(); !errors.Is(err, store.ErrNotFound) {
				t.Errorf("%s of table %q: got error %v, want %v", name, id, err, store.ErrNotFound)
			}
		}
	}
}

func testAnyText(t *testing.T, open Open) {
	s := fresh(t, open)
	texts := []string{"判定", "é", "e\u0301", "🎲🎲", "\u202e!", "a\nb\tc", `'";--`, "a\x00b", "", strings.Repeat("長", 5000)}
	for _, text := range texts {
		n := newTable("t" + text)
		n.Table.Name, n.Table.Ruleset, n.Table.PackHash = text, text, text
		n.Seat.Name = text
		n.Seat.Characters = []string{text, "x"}
		n.Request = request(text)
		n.Request.Principal = text
		check(t, s.CreateTable(t.Context(), n))

		table, err := s.Table(t.Context(), n.Table.ID)
		check(t, err)
		equal(t, table, n.Table)
		seat, err := s.SeatByToken(t.Context(), n.Token)
		check(t, err)
		equal(t, seat, n.Seat)
		r, err := s.Request(t.Context(), store.AdminScope, text, text)
		check(t, err)
		equal(t, r, *n.Request)
		name := text
		secret, err := s.Secret(t.Context(), name, func() []byte { return []byte(text) })
		check(t, err)
		equal(t, string(secret), text)
	}
}

func testAnyBytes(t *testing.T, open Open) {
	s := fresh(t, open)
	every := make([]byte, 256)
	for i := range every {
		every[i] = byte(i)
	}
	// Around the sizes at which a database begins to spread a value.
	values := [][]byte{nil, {}, {0}, every, bytes.Repeat(every, 4), bytes.Repeat(every, 16), bytes.Repeat(every, 64<<10)}
	for i, value := range values {
		n := newTable(fmt.Sprint("t", i))
		n.Table.Options = value
		check(t, s.CreateTable(t.Context(), n))
		table, err := s.Table(t.Context(), n.Table.ID)
		check(t, err)
		sameBytes(t, table.Options, value)

		c := next(store.Head{NextEvent: 1}, 1)
		c.Bytes = value
		r := request("r")
		r.Response = value
		check(t, s.Append(t.Context(), n.Table.ID, store.Entry{Commit: c, Request: r}))
		commits, err := s.Commits(t.Context(), n.Table.ID, 0, 1)
		check(t, err)
		sameBytes(t, commits[0].Bytes, value)
		got, err := s.Request(t.Context(), n.Table.ID, r.Principal, r.ID)
		check(t, err)
		sameBytes(t, got.Response, value)

		check(t, s.SaveSnapshot(t.Context(), n.Table.ID, store.Snapshot{Number: 1, Bytes: value}))
		snapshot, err := s.Snapshot(t.Context(), n.Table.ID)
		check(t, err)
		sameBytes(t, snapshot.Bytes, value)

		secret, err := s.Secret(t.Context(), n.Table.ID, func() []byte { return value })
		check(t, err)
		sameBytes(t, secret, value)
	}
}

// sameBytes compares without printing what may be large.
func sameBytes(t *testing.T, got, want []byte) {
	t.Helper()
	if !bytes.Equal(got, want) {
		t.Errorf("got %d bytes that are not the %d expected ones", len(got), len(want))
	}
}

func testSlicesAreNotShared(t *testing.T, open Open) {
	s := fresh(t, open)
	addTable(t, s, "a")
	c := next(store.Head{NextEvent: 1}, 1)
	want := bytes.Clone(c.Bytes)
	check(t, s.Append(t.Context(), "a", store.Entry{Commit: c}))
	clear(c.Bytes)
	for range 2 {
		got, err := s.Commits(t.Context(), "a", 0, 1)
		check(t, err)
		equal(t, got[0].Bytes, want)
		clear(got[0].Bytes)
	}
}

func testReopen(t *testing.T, open Open) {
	dir := t.TempDir()
	s := open(t, dir)
	n := newTable("a")
	n.Request = request("r")
	check(t, s.CreateTable(t.Context(), n))
	player := seat("a", "p", 2, "officer")
	check(t, s.CreateSeat(t.Context(), store.NewSeat{Seat: player, Token: hash("p")}))
	commits := addCommits(t, s, "a", 1, 2, 3)
	check(t, s.SaveSnapshot(t.Context(), "a", store.Snapshot{Number: 2, Bytes: []byte("two")}))
	secret, err := s.Secret(t.Context(), "cursors", func() []byte { return []byte("key") })
	check(t, err)
	check(t, s.Close())

	for range 2 {
		s := open(t, dir)
		check(t, s.Ping(t.Context()))
		table, err := s.Table(t.Context(), "a")
		check(t, err)
		equal(t, table, n.Table)
		seats, err := s.Seats(t.Context(), "a")
		check(t, err)
		equal(t, seats, []store.Seat{n.Seat, player})
		got, err := s.Commits(t.Context(), "a", 0, 10)
		check(t, err)
		equal(t, got, commits)
		equal(t, head(t, s, "a"), store.Head{Number: 3, NextEvent: 7})
		snapshot, err := s.Snapshot(t.Context(), "a")
		check(t, err)
		equal(t, snapshot, store.Snapshot{Number: 2, Bytes: []byte("two")})
		r, err := s.Request(t.Context(), store.AdminScope, "principal", "r")
		check(t, err)
		equal(t, r, *n.Request)
		again, err := s.Secret(t.Context(), "cursors", func() []byte { return []byte("another") })
		check(t, err)
		equal(t, again, secret)
		check(t, s.Close())
	}

	s = open(t, dir)
	addCommits(t, s, "a", 1)
	check(t, s.Close())
}

func testCancelledContext(t *testing.T, open Open) {
	s := fresh(t, open)
	addTable(t, s, "a")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	wantError(t, s.Append(ctx, "a", store.Entry{Commit: next(head(t, s, "a"), 1)}), context.Canceled)
	wantError(t, s.CreateTable(ctx, newTable("b")), context.Canceled)
	_, err := s.Table(ctx, "a")
	wantError(t, err, context.Canceled)
	wantError(t, s.Ping(ctx), context.Canceled)
	equal(t, head(t, s, "a").Number, int64(0))
	_, err = s.Table(t.Context(), "b")
	wantError(t, err, store.ErrNotFound)

	// Cancelled at any moment: an error means that nothing was written, none
	// that it was.
	for range 50 {
		ctx, cancel := context.WithCancel(t.Context())
		before := head(t, s, "a")
		var both sync.WaitGroup
		both.Go(cancel)
		err := s.Append(ctx, "a", store.Entry{Commit: next(before, 1)})
		both.Wait()
		after := head(t, s, "a")
		if written := after != before; written != (err == nil) {
			t.Fatalf("append returned error %v, and the head went from %v to %v", err, before, after)
		}
		if err != nil {
			wantError(t, err, context.Canceled)
		}
	}
}

func testClose(t *testing.T, open Open) {
	s := open(t, t.TempDir())
	addTable(t, s, "a")
	check(t, s.Close())
	check(t, s.Close())

	wantError(t, s.Append(t.Context(), "a", store.Entry{Commit: next(store.Head{NextEvent: 1}, 1)}), store.ErrClosed)
	wantError(t, s.Ping(t.Context()), store.ErrClosed)
	_, err := s.Table(t.Context(), "a")
	wantError(t, err, store.ErrClosed)
	_, err = s.Head(t.Context(), "a")
	wantError(t, err, store.ErrClosed)
}

// testCloseWhileWriting closes the store under its users: each of their writes
// must either be there afterwards or have been refused.
func testCloseWhileWriting(t *testing.T, open Open) {
	const tables = 8
	dir := t.TempDir()
	s := open(t, dir)
	var acknowledged [tables]int64
	var begun, all sync.WaitGroup
	for i := range tables {
		id := fmt.Sprint("table-", i)
		addTable(t, s, id)
		begun.Add(1)
		all.Go(func() {
			h := store.Head{NextEvent: 1}
			for {
				err := s.Append(t.Context(), id, store.Entry{Commit: next(h, 1)})
				if h.Number == 0 {
					begun.Done()
				}
				if err != nil {
					wantError(t, err, store.ErrClosed)
					return
				}
				h = store.Head{Number: h.Number + 1, NextEvent: h.NextEvent + 1}
				acknowledged[i] = h.Number
			}
		})
		all.Go(func() {
			for {
				if _, err := s.Commits(t.Context(), id, 0, 10); err != nil {
					wantError(t, err, store.ErrClosed)
					return
				}
			}
		})
	}
	begun.Wait()
	check(t, s.Close())
	all.Wait()

	s = open(t, dir)
	for i, want := range acknowledged {
		equal(t, head(t, s, fmt.Sprint("table-", i)).Number, want)
	}
	check(t, s.Close())
}
