package api_test

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"

	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
	"github.com/hantei/hantei/server/api"
	"github.com/hantei/hantei/server/host"
	"github.com/hantei/hantei/server/store/sqlite"
)

func durable(_ *host.Options, _ *api.Options, q *sqlite.Options) { q.Relaxed = false }

// BenchmarkAct is a check through the service on SQLite: relaxed without waiting
// for the disk, durable with it; in flight over as many tables.
func BenchmarkAct(b *testing.B) {
	for _, store := range []struct {
		name string
		set  []setting
	}{{"relaxed", nil}, {"durable", []setting{durable}}} {
		for _, flying := range []int{1, 16, 64} {
			b.Run(fmt.Sprintf("%s/%d", store.name, flying), func(b *testing.B) {
				s := start(b, store.set...)
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
