package storetest

import (
	"testing"

	"github.com/hantei/hantei/server/store"
)

func testSeats(t *testing.T, open Open) {
	s := fresh(t, open)
	gm := addTable(t, s, "a").Seat
	addTable(t, s, "b")
	// Neither the ids nor the times are in the order of making.
	z := seat("a", "z", 2, "officer", "dog")
	y := seat("a", "y", 3)
	y.CreateTimeMS = 5
	for _, made := range []store.Seat{z, y} {
		check(t, s.CreateSeat(t.Context(), store.NewSeat{Seat: made, Token: hash(made.ID)}))
	}
	got, err := s.Seats(t.Context(), "a")
	check(t, err)
	equal(t, got, []store.Seat{gm, z, y})
}

func testSeatExists(t *testing.T, open Open) {
	s := fresh(t, open)
	addTable(t, s, "a")
	gm := addTable(t, s, "b").Seat
	first := store.NewSeat{Seat: seat("a", "x", 2), Token: hash("x"), Request: request("r")}
	check(t, s.CreateSeat(t.Context(), first))

	clashes := map[string]func(*store.NewSeat){
		"id":                  func(n *store.NewSeat) { n.Seat.ID = "x" },
		"id at another table": func(n *store.NewSeat) { n.Seat.ID = gm.ID },
		"token":               func(n *store.NewSeat) { n.Token = hash("x") },
		"request":             func(n *store.NewSeat) { n.Request = request("r") },
	}
	for name, clash := range clashes {
		second := store.NewSeat{Seat: seat("a", "y", 2), Token: hash("y")}
		clash(&second)
		t.Log(name)
		wantError(t, s.CreateSeat(t.Context(), second), store.ErrExists)
	}
	seats, err := s.Seats(t.Context(), "a")
	check(t, err)
	equal(t, len(seats), 2)
	r, err := s.Request(t.Context(), "a", "principal", "r")
	check(t, err)
	equal(t, r, *request("r"))
}

func testSeatByToken(t *testing.T, open Open) {
	s := fresh(t, open)
	gm := addTable(t, s, "a").Seat
	player := seat("a", "p", 2, "officer")
	check(t, s.CreateSeat(t.Context(), store.NewSeat{Seat: player, Token: hash("p")}))

	got, err := s.SeatByToken(t.Context(), hash(gm.ID))
	check(t, err)
	equal(t, got, gm)
	got, err = s.SeatByToken(t.Context(), hash("p"))
	check(t, err)
	equal(t, got, player)
	for _, unknown := range []store.Hash{{}, hash("P")} {
		_, err = s.SeatByToken(t.Context(), unknown)
		wantError(t, err, store.ErrNotFound)
	}
}

func testUpdateSeat(t *testing.T, open Open) {
	s := fresh(t, open)
	gm := addTable(t, s, "a").Seat
	addTable(t, s, "b")
	p := seat("a", "p", 2, "officer")
	check(t, s.CreateSeat(t.Context(), store.NewSeat{Seat: p, Token: hash("p")}))
	p.Name, p.Role, p.Characters, p.Policies = "Another", 1, []string{"dog", "nurse"}, []byte("always dodge")
	changed := p
	changed.CreateTimeMS = 7 // is not changed
	check(t, s.UpdateSeat(t.Context(), changed))
	got, err := s.Seats(t.Context(), "a")
	check(t, err)
	equal(t, got, []store.Seat{gm, p})
	one, err := s.SeatByToken(t.Context(), hash("p"))
	check(t, err)
	equal(t, one, p)

	for _, wrong := range []store.Seat{seat("b", "p", 2), seat("a", "unknown", 2)} {
		wantError(t, s.UpdateSeat(t.Context(), wrong), store.ErrNotFound)
	}
	check(t, s.RevokeSeat(t.Context(), "a", "p", 9))
	wantError(t, s.UpdateSeat(t.Context(), p), store.ErrNotFound)
}

func testRevokeSeat(t *testing.T, open Open) {
	s := fresh(t, open)
	gm := addTable(t, s, "a").Seat
	addTable(t, s, "b")
	p := seat("a", "p", 2, "officer")
	check(t, s.CreateSeat(t.Context(), store.NewSeat{Seat: p, Token: hash("p"), Pairing: pairing("1")}))
	_, _, err := s.Pair(t.Context(), hash("code 1"), token("p2"))
	check(t, err)
	check(t, s.SavePairing(t.Context(), "p", *pairing("2"), 0))

	wantError(t, s.RevokeSeat(t.Context(), "b", "p", 9), store.ErrNotFound)
	wantError(t, s.RevokeSeat(t.Context(), "a", "unknown", 9), store.ErrNotFound)
	_, err = s.SeatByToken(t.Context(), hash("p"))
	check(t, err)

	check(t, s.RevokeSeat(t.Context(), "a", "p", 9))
	p.RevokeTimeMS = 9
	got, err := s.Seats(t.Context(), "a")
	check(t, err)
	equal(t, got, []store.Seat{gm, p})
	for _, dead := range []string{"p", "p2"} {
		_, err = s.SeatByToken(t.Context(), hash(dead))
		wantError(t, err, store.ErrNotFound)
	}
	_, err = s.SeatByToken(t.Context(), hash(gm.ID))
	check(t, err)
	_, _, err = s.Pair(t.Context(), hash("code 2"), token("p3"))
	wantError(t, err, store.ErrNotFound)
	wantError(t, s.SavePairing(t.Context(), "p", *pairing("3"), 0), store.ErrNotFound)
	wantError(t, s.RevokeSeat(t.Context(), "a", "p", 10), store.ErrNotFound)
	// Its id stays taken.
	again := store.NewSeat{Seat: seat("a", "p", 2), Token: hash("q")}
	wantError(t, s.CreateSeat(t.Context(), again), store.ErrExists)
}
