package host

import (
	"testing"

	"github.com/hantei/hantei/server/auth"
)

func TestKnown(t *testing.T) {
	var k known
	a, b := auth.Hash{1}, auth.Hash{2}
	seat := auth.Principal{Seat: "s", Table: "t"}
	_, before, ok := k.find(a)
	if ok {
		t.Fatal("a token is known that nobody told of")
	}
	k.keep(a, seat, before)
	if p, _, ok := k.find(a); !ok || p != seat {
		t.Errorf("%v, %v", p, ok)
	}
	if _, _, ok := k.find(b); ok {
		t.Error("one token stands for another")
	}

	// The store was asked about b before tokens died, and answers afterwards.
	k.forget()
	k.keep(b, seat, before)
	for _, h := range []auth.Hash{a, b} {
		if _, _, ok := k.find(h); ok {
			t.Errorf("%v is still known", h[0])
		}
	}
	_, now, _ := k.find(b)
	k.keep(b, seat, now)
	if _, _, ok := k.find(b); !ok {
		t.Error("nothing is remembered any more")
	}
}

func TestKnownIsBounded(t *testing.T) {
	var k known
	for i := range 2*maxKnown + 1 {
		k.keep(auth.Hash{byte(i), byte(i >> 8), byte(i >> 16)}, auth.Principal{Seat: "s"}, 0)
	}
	if n := len(k.by); n > maxKnown {
		t.Errorf("%d tokens are remembered", n)
	}
}
