package sqlite

import (
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/hantei/hantei/server/store"
)

// BenchmarkAppend appends commits with their requests to as many tables as
// there are writers, each of which waits for its own commit. Writers that wait
// together are committed together.
func BenchmarkAppend(b *testing.B) {
	for _, mode := range []struct {
		name string
		o    Options
	}{{"durable", Options{}}, {"relaxed", Options{Relaxed: true}}} {
		for _, writers := range []int{1, 16, 64} {
			b.Run(fmt.Sprintf("%s/writers=%d", mode.name, writers), func(b *testing.B) {
				benchmarkAppend(b, fresh(b, mode.o), writers)
			})
		}
	}
}

func benchmarkAppend(b *testing.B, s *Store, writers int) {
	const size = 1500 // bytes, about an exchange of ten events
	for i := range writers {
		table(b, s, fmt.Sprint("table-", i))
	}
	var left, failed atomic.Int64
	left.Store(int64(b.N))
	done := make(chan struct{})
	b.ReportAllocs()
	b.ResetTimer()
	for i := range writers {
		go func() {
			defer func() { done <- struct{}{} }()
			id := fmt.Sprint("table-", i)
			for number := int64(1); left.Add(-1) >= 0; number++ {
				if err := s.Append(b.Context(), id, entry(number, size)); err != nil {
					failed.Add(1)
					return
				}
			}
		}()
	}
	for range writers {
		<-done
	}
	b.StopTimer()
	if failed.Load() != 0 {
		b.Fatal("an append failed")
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "commits/s")
}

// BenchmarkCommits reads a log in pages of 100 commits.
func BenchmarkCommits(b *testing.B) {
	const length, page = 1000, 100
	s := fresh(b, Options{Relaxed: true})
	table(b, s, "a")
	for number := range int64(length) {
		if err := s.Append(b.Context(), "a", entry(number+1, 1500)); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		for after := int64(0); after < length; after += page {
			commits, err := s.Commits(b.Context(), "a", after, page)
			if err != nil || len(commits) != page {
				b.Fatal(len(commits), err)
			}
		}
	}
	b.ReportMetric(float64(length)*float64(b.N)/b.Elapsed().Seconds(), "commits/s")
}

// BenchmarkSeatByToken is what every call pays to know who calls.
func BenchmarkSeatByToken(b *testing.B) {
	s := fresh(b, Options{})
	table(b, s, "a")
	token := store.Hash([]byte(fmt.Sprintf("%32s", "a")))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.SeatByToken(b.Context(), token); err != nil {
			b.Fatal(err)
		}
	}
}
