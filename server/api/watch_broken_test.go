package api_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
	"github.com/hantei/hantei/server/api"
	"github.com/hantei/hantei/server/host"
	"github.com/hantei/hantei/server/store"
	"github.com/hantei/hantei/server/store/sqlite"
	"github.com/hantei/hantei/server/stream"
	"google.golang.org/grpc/codes"
)

// unreadable is a store that cannot read the log of one table.
type unreadable struct {
	*sqlite.Store
	table atomic.Value // of string
}

func (u *unreadable) Commits(ctx context.Context, table string, after int64, limit int) ([]store.Commit, error) {
	if u.table.Load() == table {
		return nil, errBroken
	}
	return u.Store.Commits(ctx, table, after, limit)
}

// TestWatchManyBroken: a table that cannot be read ends its own part of a stream,
// and when it can be read again its reader has missed nothing.
func TestWatchManyBroken(t *testing.T) {
	s := start(t)
	x := s.bridge("X").Id
	all := s.tables(2, x)
	sound, broken := all[0], all[1]
	seats := []string{sound.nurseSeat, broken.gmSeat}
	w := s.watchMany(calling(x, ""), "", seats...)
	cursor := w.first(seats...).Cursor
	_ = w.stop()
	sound.spot()
	broken.spot()

	// Another host on the same store, which has loaded nothing yet.
	u := &unreadable{Store: s.store}
	u.table.Store(broken.id)
	hub := stream.NewHub(0)
	h, err := host.New(t.Context(), host.Options{Store: u, Games: []*host.Game{game()}, Publisher: hub})
	s.ok(err)
	defer h.Close()
	services := api.New(api.Options{Host: h, Hub: hub, Heartbeat: time.Hour})
	other := &server{Services: services, tb: t, host: h, hub: hub, store: s.store}

	err = other.Play.Watch(&hanteiv1.WatchRequest{SeatId: []string{broken.gmSeat}, Cursor: cursor}, &watch{ctx: calling(x, "")})
	refused(t, err, codes.Internal, "INTERNAL")
	w = other.watchMany(calling(x, ""), cursor, seats...)
	f := w.next()
	if f.SeatId != broken.gmSeat || f.TableId != broken.id || f.EndReason != "INTERNAL" || !f.GoesOn {
		t.Errorf("frame %v", f)
	}
	f = w.next()
	if f.SeatId != sound.nurseSeat || len(f.Events) == 0 || !f.PromptsTold {
		t.Errorf("frame %v", f)
	}
	_ = w.stop()

	u.table.Store("")
	w = other.watchMany(calling(x, ""), f.Cursor, seats...)
	for range seats {
		f := w.next()
		if (f.SeatId == broken.gmSeat) != (len(f.Events) > 0) || f.EndReason != "" {
			t.Errorf("frame %v", f)
		}
	}
	_ = w.stop()
	if hub.Watching() != 0 {
		t.Error("somebody still watches")
	}
}
