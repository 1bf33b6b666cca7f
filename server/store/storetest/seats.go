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
