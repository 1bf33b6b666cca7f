package storetest

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/hantei/hantei/server/store"
)

// expires is when the tests' codes expire.
const expires = 1_790_000_600_000

func pairing(name string) *store.Pairing {
	return &store.Pairing{Code: hash("code " + name), ExpireTimeMS: expires}
}

// token is one that is made just before the codes expire.
func token(name string) store.Token {
	return store.Token{Hash: hash(name), Name: "Phone " + name, CreateTimeMS: expires - 1}
}

func testPair(t *testing.T, open Open) {
	s := fresh(t, open)
	n := newTable("a")
	n.Pairing = pairing("gm")
	check(t, s.CreateTable(t.Context(), n))
	p := seat("a", "p", 2, "officer")
	check(t, s.CreateSeat(t.Context(), store.NewSeat{Seat: p, Token: hash("p"), Pairing: pairing("p")}))

	for i, c := range []struct {
		code string
		seat store.Seat
	}{{"gm", n.Seat}, {"p", p}} {
		made := token(fmt.Sprint("paired ", i))
		got, kept, err := s.Pair(t.Context(), hash("code "+c.code), made)
		check(t, err)
		equal(t, got, c.seat)
		equal(t, kept, *pairing(c.code))
		// The token that it was made with stays.
		tokens, err := s.Tokens(t.Context(), c.seat.ID)
		check(t, err)
		equal(t, tokens, []store.Token{{Hash: hash(c.seat.ID), CreateTimeMS: c.seat.CreateTimeMS}, made})
		for _, token := range tokens {
			got, err := s.SeatByToken(t.Context(), token.Hash)
			check(t, err)
			equal(t, got, c.seat)
		}
		// It works once.
		_, _, err = s.Pair(t.Context(), hash("code "+c.code), token("again"))
		wantError(t, err, store.ErrNotFound)
	}
	_, _, err := s.Pair(t.Context(), hash("unknown"), token("again"))
	wantError(t, err, store.ErrNotFound)
	tokens, err := s.Tokens(t.Context(), "unknown")
	check(t, err)
	equal(t, tokens, []store.Token(nil))

	// A newer code takes the place of the older one.
	check(t, s.SavePairing(t.Context(), "p", *pairing("old"), 0))
	check(t, s.SavePairing(t.Context(), "p", *pairing("new"), 0))
	_, _, err = s.Pair(t.Context(), hash("code old"), token("again"))
	wantError(t, err, store.ErrNotFound)
	got, _, err := s.Pair(t.Context(), hash("code new"), token("again"))
	check(t, err)
	equal(t, got, p)
	wantError(t, s.SavePairing(t.Context(), "unknown", *pairing("x"), 0), store.ErrNotFound)
}

func testPairExists(t *testing.T, open Open) {
	s := fresh(t, open)
	n := newTable("a")
	n.Pairing = pairing("gm")
	check(t, s.CreateTable(t.Context(), n))
	taken := store.NewSeat{Seat: seat("a", "p", 2), Token: hash("p"), Pairing: pairing("gm")}
	wantError(t, s.CreateSeat(t.Context(), taken), store.ErrExists)
	taken.Pairing = pairing("p")
	check(t, s.CreateSeat(t.Context(), taken))
	wantError(t, s.SavePairing(t.Context(), "p", *pairing("gm"), 0), store.ErrExists)

	// A token that is taken costs nobody a code.
	clash := token("clash")
	clash.Hash = n.Token
	_, _, err := s.Pair(t.Context(), hash("code p"), clash)
	wantError(t, err, store.ErrExists)
	_, _, err = s.Pair(t.Context(), hash("code p"), token("good"))
	check(t, err)
}

func testPairExpires(t *testing.T, open Open) {
	s := fresh(t, open)
	gm := addTable(t, s, "a").Seat
	other := addTable(t, s, "b").Seat
	check(t, s.SavePairing(t.Context(), gm.ID, *pairing("a"), 0))
	late := token("late")
	late.CreateTimeMS = expires
	_, _, err := s.Pair(t.Context(), hash("code a"), late)
	wantError(t, err, store.ErrNotFound)
	// What has not expired outlives what another seat gets.
	check(t, s.SavePairing(t.Context(), other.ID, *pairing("b"), expires-1))
	_, _, err = s.Pair(t.Context(), hash("code a"), token("in time"))
	check(t, err)
}

func testPairReplaces(t *testing.T, open Open) {
	s := fresh(t, open)
	gm := addTable(t, s, "a").Seat
	other := addTable(t, s, "b").Seat
	p := pairing("a")
	p.Replace = true
	check(t, s.SavePairing(t.Context(), gm.ID, *p, 0))
	_, err := s.SeatByToken(t.Context(), hash(gm.ID)) // until it is used
	check(t, err)
	_, kept, err := s.Pair(t.Context(), p.Code, token("new"))
	check(t, err)
	equal(t, kept, *p)
	tokens, err := s.Tokens(t.Context(), gm.ID)
	check(t, err)
	equal(t, tokens, []store.Token{token("new")})
	_, err = s.SeatByToken(t.Context(), hash(gm.ID))
	wantError(t, err, store.ErrNotFound)
	_, err = s.SeatByToken(t.Context(), hash(other.ID))
	check(t, err)
}

func testPairOnceUnderRace(t *testing.T, open Open) {
	s := fresh(t, open)
	gm := addTable(t, s, "a").Seat
	check(t, s.SavePairing(t.Context(), gm.ID, *pairing("a"), 0))
	errs := make([]error, 16)
	var all sync.WaitGroup
	for i := range errs {
		all.Go(func() { _, _, errs[i] = s.Pair(t.Context(), hash("code a"), token(fmt.Sprint(i))) })
	}
	all.Wait()
	paired := 0
	for _, err := range errs {
		if err == nil {
			paired++
		} else if !errors.Is(err, store.ErrNotFound) {
			t.Error(err)
		}
	}
	equal(t, paired, 1)
}
