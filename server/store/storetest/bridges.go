package storetest

import (
	"slices"
	"testing"

	"github.com/hantei/hantei/server/store"
)

func newBridge(id string) store.NewBridge {
	return store.NewBridge{
		Bridge: store.Bridge{ID: id, Name: "Bridge " + id, CreateTimeMS: 1_790_000_000_789},
		Token:  hash("bridge " + id),
	}
}

func addBridge(t testing.TB, s store.Store, id string) store.Bridge {
	t.Helper()
	n := newBridge(id)
	check(t, s.CreateBridge(t.Context(), n))
	return n.Bridge
}

func testBridges(t *testing.T, open Open) {
	s := fresh(t, open)
	ctx := t.Context()
	for _, id := range []string{"c", "a", "b"} {
		want := addBridge(t, s, id)
		got, err := s.Bridge(ctx, id)
		check(t, err)
		equal(t, got, want)
		got, err = s.BridgeByToken(ctx, hash("bridge "+id))
		check(t, err)
		equal(t, got, want)
	}
	for limit, want := range map[int][]string{0: {"b", "a", "c"}, 1: {"b", "a", "c"}, 2: {"b a", "c"}, 3: {"b a c"}} {
		var got []string
		for p := (store.Page{Limit: limit}); ; {
			page, after, err := s.Bridges(ctx, p)
			check(t, err)
			ids := ""
			for i, b := range page {
				if i > 0 {
					ids += " "
				}
				ids += b.ID
			}
			got = append(got, ids)
			if p.After = after; after == 0 {
				break
			}
		}
		equal(t, got, want)
	}
	check(t, s.DeleteBridge(ctx, "a"))
	wantError(t, s.DeleteBridge(ctx, "a"), store.ErrNotFound)
	_, err := s.Bridge(ctx, "a")
	wantError(t, err, store.ErrNotFound)
	_, err = s.BridgeByToken(ctx, hash("bridge a"))
	wantError(t, err, store.ErrNotFound)
	_, err = s.BridgeByToken(ctx, store.Hash{})
	wantError(t, err, store.ErrNotFound)
	_, err = s.BridgeByToken(ctx, hash("bridge b"))
	check(t, err)
}

func testBridgeExists(t *testing.T, open Open) {
	s := fresh(t, open)
	first := newBridge("a")
	first.Request = request("r")
	check(t, s.CreateBridge(t.Context(), first))
	for name, clash := range map[string]func(*store.NewBridge){
		"id":      func(n *store.NewBridge) { n.Bridge.ID = "a" },
		"token":   func(n *store.NewBridge) { n.Token = first.Token },
		"request": func(n *store.NewBridge) { n.Request = request("r") },
	} {
		second := newBridge("b")
		clash(&second)
		t.Log(name)
		wantError(t, s.CreateBridge(t.Context(), second), store.ErrExists)
	}
	all, _, err := s.Bridges(t.Context(), store.Page{Limit: 10})
	check(t, err)
	equal(t, all, []store.Bridge{first.Bridge})
	got, err := s.Request(t.Context(), store.AdminScope, "principal", "r")
	check(t, err)
	equal(t, got, *request("r"))
}

// gathering is two tables, each with a GM and the seats p and q, and two bridges.
func gathering(t *testing.T, s store.Store) {
	t.Helper()
	for _, id := range []string{"a", "b"} {
		addTable(t, s, id)
		for _, name := range []string{"q", "p"} { // not in the order of their ids
			made := seat(id, id+"-"+name, 2)
			check(t, s.CreateSeat(t.Context(), store.NewSeat{Seat: made, Token: hash(made.ID)}))
		}
	}
	addBridge(t, s, "x")
	addBridge(t, s, "y")
}

func admission(table, bridge string, seats ...string) store.Admission {
	return store.Admission{TableID: table, BridgeID: bridge, BridgeName: "Bridge " + bridge, All: len(seats) == 0, SeatIDs: seats}
}

// admitted checks the admissions to a table.
func admitted(t *testing.T, s store.Store, table string, want ...store.Admission) {
	t.Helper()
	got, err := s.Admissions(t.Context(), table)
	check(t, err)
	equal(t, got, want)
}

// reach checks where a bridge may act, for seats of the gathering.
func reach(t *testing.T, s store.Store, bridge string, tables []string, seats ...string) {
	t.Helper()
	ids, err := s.AdmittedTables(t.Context(), bridge)
	check(t, err)
	slices.Sort(ids)
	equal(t, ids, tables)
	found, err := s.AdmittedSeats(t.Context(), bridge,
		[]string{"b-p", "a-p", "a-q", "a-gm", "b-gm", "b-q", "late", "unknown", "", "a-p"})
	check(t, err)
	var got []string
	for _, f := range found {
		got = append(got, f.ID)
		if f.TableID == "" || f.RevokeTimeMS != 0 {
			t.Errorf("seat %+v", f)
		}
	}
	slices.Sort(got)
	equal(t, got, seats)
}

func testAdmissions(t *testing.T, open Open) {
	s := fresh(t, open)
	ctx := t.Context()
	gathering(t, s)
	admitted(t, s, "a")
	reach(t, s, "x", nil)

	check(t, s.Admit(ctx, admission("a", "y", "a-p", "a-q")))
	check(t, s.Admit(ctx, admission("a", "x")))
	check(t, s.Admit(ctx, admission("b", "x", "b-p")))
	// Seats come out in the order in which they were made.
	admitted(t, s, "a", admission("a", "y", "a-q", "a-p"), admission("a", "x"))
	admitted(t, s, "b", admission("b", "x", "b-p"))
	reach(t, s, "x", []string{"a", "b"}, "a-gm", "a-p", "a-q", "b-p")
	reach(t, s, "y", []string{"a"}, "a-p", "a-q")

	// A seat that comes later is one of all seats.
	late := seat("a", "late", 2)
	check(t, s.CreateSeat(ctx, store.NewSeat{Seat: late, Token: hash("late")}))
	reach(t, s, "x", []string{"a", "b"}, "a-gm", "a-p", "a-q", "b-p", "late")
	reach(t, s, "y", []string{"a"}, "a-p", "a-q")

	// What is said anew replaces what was said, in the same place of the list.
	check(t, s.Admit(ctx, admission("a", "y", "a-gm")))
	check(t, s.Admit(ctx, admission("b", "x")))
	admitted(t, s, "a", admission("a", "y", "a-gm"), admission("a", "x"))
	admitted(t, s, "b", admission("b", "x"))
	reach(t, s, "y", []string{"a"}, "a-gm")

	for name, wrong := range map[string]store.Admission{
		"table":             admission("unknown", "x"),
		"bridge":            admission("a", "unknown"),
		"another's seat":    admission("a", "x", "a-p", "b-p"),
		"unknown seat":      admission("a", "x", "unknown"),
		"no seat":           {TableID: "a", BridgeID: "x"},
		"no seat, for anew": {TableID: "a", BridgeID: "y"},
	} {
		t.Log(name)
		wantError(t, s.Admit(ctx, wrong), store.ErrNotFound)
	}
	admitted(t, s, "a", admission("a", "y", "a-gm"), admission("a", "x"))

	check(t, s.Dismiss(ctx, "a", "x"))
	for _, wrong := range [][2]string{{"a", "x"}, {"a", "unknown"}, {"unknown", "x"}} {
		wantError(t, s.Dismiss(ctx, wrong[0], wrong[1]), store.ErrNotFound)
	}
	admitted(t, s, "a", admission("a", "y", "a-gm"))
	reach(t, s, "x", []string{"b"}, "b-gm", "b-p", "b-q")

	check(t, s.DeleteBridge(ctx, "x"))
	admitted(t, s, "b")
	reach(t, s, "x", nil)
	reach(t, s, "y", []string{"a"}, "a-gm")
}

// testAdmissionsEnd: what a revoked seat and a deleted table leave behind is
// nothing, and nobody else's.
func testAdmissionsEnd(t *testing.T, open Open) {
	s := fresh(t, open)
	ctx := t.Context()
	gathering(t, s)
	addBridge(t, s, "z")
	for _, a := range []store.Admission{
		admission("a", "x", "a-p", "a-q"), admission("a", "y", "a-p"), admission("a", "z"), admission("b", "y", "b-p"), admission("b", "x"),
	} {
		check(t, s.Admit(ctx, a))
	}
	check(t, s.RevokeSeat(ctx, "a", "a-p", 9))
	admitted(t, s, "a", admission("a", "x", "a-q"), admission("a", "z"))
	reach(t, s, "z", []string{"a"}, "a-gm", "a-q")
	reach(t, s, "y", []string{"b"}, "b-p")
	wantError(t, s.Admit(ctx, admission("a", "y", "a-p")), store.ErrNotFound)

	check(t, s.DeleteTable(ctx, "a"))
	_, err := s.Admissions(ctx, "a")
	wantError(t, err, store.ErrNotFound)
	admitted(t, s, "b", admission("b", "y", "b-p"), admission("b", "x"))
	reach(t, s, "x", []string{"b"}, "b-gm", "b-p", "b-q")
	reach(t, s, "z", nil)
	for _, id := range []string{"x", "y", "z"} {
		_, err := s.BridgeByToken(ctx, hash("bridge "+id))
		check(t, err)
	}
}

func testBridgesReopen(t *testing.T, open Open) {
	dir := t.TempDir()
	s := open(t, dir)
	gathering(t, s)
	check(t, s.Admit(t.Context(), admission("a", "x", "a-p")))
	check(t, s.Close())
	s = open(t, dir)
	admitted(t, s, "a", admission("a", "x", "a-p"))
	_, err := s.BridgeByToken(t.Context(), hash("bridge x"))
	check(t, err)
	check(t, s.Close())
	for _, call := range []func() error{
		func() error { return s.CreateBridge(t.Context(), newBridge("w")) },
		func() error { return s.Admit(t.Context(), admission("a", "x")) },
		func() error { _, err := s.Admissions(t.Context(), "a"); return err },
		func() error { _, err := s.BridgeByToken(t.Context(), hash("bridge x")); return err },
	} {
		wantError(t, call(), store.ErrClosed)
	}
}
