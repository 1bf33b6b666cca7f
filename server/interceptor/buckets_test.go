package interceptor

import (
	"net/netip"
	"testing"
	"time"
)

func from(addr string) caller { return caller{addr: network(netip.MustParseAddr(addr))} }

func TestBuckets(t *testing.T) {
	now := time.Now()
	b := newBuckets(2, 3)
	a := from("10.0.0.1")
	for i := range 3 {
		if b.wait(a, now) != 0 || b.take(a, now) != 0 {
			t.Errorf("call %d has to wait", i)
		}
	}
	// That it asks again makes nobody wait longer.
	for range 5 {
		if wait, take := b.wait(a, now), b.take(a, now); wait != time.Second/2 || take != time.Second/2 {
			t.Errorf("wait %v, %v", wait, take)
		}
	}
	if b.take(from("10.0.0.2"), now) != 0 {
		t.Error("one waits for another")
	}
	if now = now.Add(time.Second / 2); b.take(a, now) != 0 || b.take(a, now) == 0 {
		t.Error("not one call after half a second")
	}
	if !b.knows(a) || b.knows(from("10.0.0.3")) {
		t.Error("knows the wrong ones")
	}
	b.forget(a)
	b.forget(a)
	if b.knows(a) || b.take(a, now) != 0 {
		t.Error("not forgotten")
	}
}

func TestBucketsWithoutLimit(t *testing.T) {
	now := time.Now()
	b := newBuckets(0, 0)
	for range 1000 {
		if b.wait(from("10.0.0.1"), now) != 0 || b.take(from("10.0.0.1"), now) != 0 {
			t.Fatal("a limit")
		}
	}
}

// Memory is bounded; who calls most stays known.
func TestBucketsForgetTheOldest(t *testing.T) {
	now := time.Now()
	b := newBuckets(1, 1)
	b.max = 3
	for _, addr := range []string{"10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.1", "10.0.0.4"} {
		b.take(from(addr), now)
	}
	if len(b.byCaller) != 3 || b.order.Len() != 3 {
		t.Errorf("%d, %d", len(b.byCaller), b.order.Len())
	}
	for addr, want := range map[string]bool{"10.0.0.1": true, "10.0.0.2": false, "10.0.0.3": true, "10.0.0.4": true} {
		if b.knows(from(addr)) != want {
			t.Errorf("%s: known %v", addr, !want)
		}
	}
}

func BenchmarkTake(b *testing.B) {
	buckets, c := newBuckets(1e6, 1e6), from("10.0.0.1")
	b.ReportAllocs()
	for b.Loop() {
		buckets.take(c, time.Now())
	}
}
