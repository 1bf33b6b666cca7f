package api_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/hantei/hantei/server/api"
	"github.com/hantei/hantei/server/host"
	"github.com/hantei/hantei/server/store/sqlite"
)

// Records of requests are forgotten when they are old enough, all of them, however
// many: until then a repetition has the answer of the first time.
func TestOldRequestsAreForgotten(t *testing.T) {
	now := time.UnixMilli(1_790_000_000_000)
	at := func(h *host.Options, _ *api.Options, _ *sqlite.Options) {
		then := now
		h.Now = func() time.Time { return then }
	}
	s := start(t, at)
	tb := s.table()
	tb.sample("thug")
	const many = 1200 // more than are forgotten at once
	for i := range many {
		r := tb.request("thug", check("spot"))
		r.RequestId = fmt.Sprint("r", i)
		_, err := tb.Play.Act(tb.gm, r)
		s.ok(err)
	}
	kept := func(i int) bool {
		t.Helper()
		_, err := s.store.Request(context.Background(), tb.id, tb.gmSeat, fmt.Sprint("r", i))
		return err == nil
	}

	now = now.Add(host.KeepRequests)
	s.restart(at)
	head := tb.head()
	first := tb.request("thug", check("spot"))
	first.RequestId = "r0"
	_, err := tb.Play.Act(tb.gm, first)
	s.ok(err)
	if tb.head() != head || !kept(many-1) {
		t.Error("a request is forgotten too soon")
	}

	now = now.Add(time.Millisecond)
	s.restart(at)
	for end := time.Now().Add(10 * time.Second); kept(many - 1); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("old requests are not forgotten")
		}
	}
	if kept(0) || kept(many/2) {
		t.Error("some old requests are not forgotten")
	}
	if tb.head() != head {
		t.Error("the log has changed")
	}
}
