package api_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"github.com/hantei/hantei/server/host"
	"github.com/hantei/hantei/server/store"
	"github.com/hantei/hantei/server/store/sqlite"
)

// failing is a store whose appends fail when none are left.
type failing struct {
	*sqlite.Store
	left atomic.Int64
}

var errBroken = errors.New("the disk is broken, and says so in secret words")

func (f *failing) Append(ctx context.Context, table string, e store.Entry) error {
	if f.left.Add(-1) < 0 {
		return errBroken
	}
	return f.Store.Append(ctx, table, e)
}

// TestAppendFails: what could not be stored did not happen, and the next command
// finds the table as the log has it.
func TestAppendFails(t *testing.T) {
	g := start(t).table()
	g.sample("nurse")
	broken := &failing{Store: g.store}
	h, err := host.New(t.Context(), host.Options{Store: broken, Games: []*host.Game{game()}})
	g.ok(err)
	defer h.Close()
	by := host.Caller{Table: g.id, Seat: g.gmSeat, Lang: "en"}
	hash := func() string {
		v, err := h.View(t.Context(), by, "")
		g.ok(err)
		return v.StateHash
	}
	before, head := hash(), g.head()
	n := host.NewCharacters{Sample: "thug"}
	if _, err := h.CreateCharacters(t.Context(), by, n); !errors.Is(err, errBroken) {
		t.Fatal(err)
	}
	if hash() != before || g.head() != head {
		t.Error("it happened all the same")
	}
	broken.left.Store(1)
	_, err = h.CreateCharacters(t.Context(), by, n)
	g.ok(err)
	if hash() == before {
		t.Error("nothing happened")
	}
}
