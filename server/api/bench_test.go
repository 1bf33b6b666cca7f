package api_test

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
	"github.com/hantei/hantei/server/api"
	"github.com/hantei/hantei/server/host"
	"github.com/hantei/hantei/server/store"
	"github.com/hantei/hantei/server/store/sqlite"
)

func durable(_ *host.Options, _ *api.Options, q *sqlite.Options) { q.Relaxed = false }

// BenchmarkAct is a check through the service on SQLite: relaxed without waiting
// for the disk, durable with it; in flight over as many tables.
func BenchmarkAct(b *testing.B) {
	for _, kind := range []struct {
		name string
		set  []setting
	}{{"relaxed", nil}, {"durable", []setting{durable}}} {
		for _, flying := range []int{1, 16, 64} {
			b.Run(fmt.Sprintf("%s/%d", kind.name, flying), func(b *testing.B) {
				s := start(b, kind.set...)
				tables := make([]*table, flying)
				for i := range tables {
					tables[i] = s.table()
					tables[i].sample("thug") // whose criticals open no prompts that stay
				}
				var next atomic.Int64
				b.ReportAllocs()
				b.SetParallelism(max(1, flying/runtime.GOMAXPROCS(0)))
				b.ResetTimer()
				b.RunParallel(func(pb *testing.PB) {
					t := tables[int(next.Add(1))%flying]
					for pb.Next() {
						r := t.request("thug", check("spot"))
						r.RequestId = fmt.Sprint("r", next.Add(1))
						if _, err := t.Play.Act(t.gm, r); err != nil {
							b.Error(err)
							return
						}
					}
				})
			})
		}
	}
}

// BenchmarkDurable is a durable Act against what the store alone can append: the
// same commits, with their requests, as many in flight, in turns on one file.
// ratio is the one rate by the other.
func BenchmarkDurable(b *testing.B) {
	for _, flying := range []int{16, 64} {
		b.Run(fmt.Sprint(flying), func(b *testing.B) {
			s := start(b, durable)
			players, logs := make([]func() error, flying), make([]func() error, flying)
			for i := range players {
				t := s.table()
				t.sample("thug")
				logs[i] = t.appends(i)
				players[i] = t.checks()
			}
			var act, bare time.Duration
			const rounds = 8
			b.ReportAllocs()
			b.ResetTimer()
			for range rounds {
				n := int64(b.N/rounds + 1)
				act += share(b, n, players)
				b.StopTimer()
				bare += share(b, n, logs)
				b.StartTimer()
			}
			b.ReportMetric(float64(bare)/float64(act), "ratio")
			n := float64(rounds * (b.N/rounds + 1))
			b.ReportMetric(n/act.Seconds(), "acts/s")
			b.ReportMetric(n/bare.Seconds(), "appends/s")
		})
	}
}

// checks returns a function that rolls a check, with a request of its own.
func (t *table) checks() func() error {
	n := t.head().Number // so that no request is that of another function
	return func() error {
		n++
		r := t.request("thug", check("spot"))
		r.RequestId = fmt.Sprint("r", n)
		_, err := t.Play.Act(t.gm, r)
		return err
	}
}

// appends returns a function that appends to a log of its own what checks write.
func (t *table) appends(i int) func() error {
	t.tb.Helper()
	ctx := context.Background()
	first := t.head().Number + 1
	t.ok(t.checks()())
	made, err := t.store.Commits(ctx, t.id, t.head().Number-1, 1)
	t.ok(err)
	record, err := t.store.Request(ctx, t.id, t.gmSeat, fmt.Sprint("r", first))
	t.ok(err)
	id := fmt.Sprintf("log-%012d", i)
	t.ok(t.store.CreateTable(ctx, store.NewTable{
		Table: store.Table{ID: id}, Seat: store.Seat{ID: id, TableID: id}, Token: store.Hash([]byte(fmt.Sprintf("%32d", i))),
	}))
	c := made[0]
	c.Number, c.FirstEvent = 0, 1
	return func() error {
		c.Number++
		r := record
		r.ID = fmt.Sprint("r", c.Number)
		err := t.store.Append(ctx, id, store.Entry{Commit: c, Request: &r})
		c.FirstEvent += int64(c.Events)
		return err
	}
}

// share has each function called by a goroutine of its own, n times in all.
func share(b *testing.B, n int64, all []func() error) time.Duration {
	var left atomic.Int64
	left.Store(n)
	var done sync.WaitGroup
	began := time.Now()
	for _, f := range all {
		done.Go(func() {
			for left.Add(-1) >= 0 {
				if err := f(); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	done.Wait()
	return time.Since(began)
}

// BenchmarkView is a player's snapshot of a fight.
func BenchmarkView(b *testing.B) {
	t := start(b).table().fight()
	t.struck()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := t.Play.GetView(t.nurse, &hanteiv1.GetViewRequest{TableId: t.id}); err != nil {
			b.Fatal(err)
		}
	}
}
