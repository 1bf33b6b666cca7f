package api_test

import (
	"fmt"
	"testing"

	"github.com/hantei/hantei/server/host"
)

// BenchmarkLength is what depends on how long a table was played, or should not:
// an action, the repetition of the first request, and loading the table from the
// newest snapshot and from the whole log.
func BenchmarkLength(b *testing.B) {
	for _, commits := range []int{100, 10_000} {
		s := start(b)
		t := s.table()
		t.sample("thug")
		first := t.request("thug", check("spot"))
		first.RequestId = "first"
		_, err := t.Play.Act(t.gm, first)
		s.ok(err)
		t.rolls(commits)
		load := func(change func()) func(*testing.B) {
			return func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					b.StopTimer()
					s.stop()
					change()
					s.open()
					b.StartTimer()
					if _, _, err := s.host.Look(b.Context(), t.caller()); err != nil {
						b.Fatal(err)
					}
				}
			}
		}
		b.Run(fmt.Sprintf("act/%d", commits), func(b *testing.B) {
			roll := t.checks()
			b.ReportAllocs()
			for b.Loop() {
				s.ok(roll())
			}
		})
		b.Run(fmt.Sprintf("repeat/%d", commits), func(b *testing.B) {
			s.restart() // or the table would remember it
			b.ReportAllocs()
			for b.Loop() {
				_, err := t.Play.Act(t.gm, first)
				s.ok(err)
			}
		})
		b.Run(fmt.Sprintf("load/%d/snapshot", commits), load(func() {}))
		b.Run(fmt.Sprintf("load/%d/log", commits), load(func() { t.keep(nil) }))
	}
}

func (t *table) caller() host.Caller { return host.Caller{Table: t.id, Seat: t.gmSeat, Lang: "en"} }
