package host

import (
	"context"
	"errors"
	"time"

	"github.com/hantei/hantei/server/store"
)

const (
	// KeepRequests is how long the record of a request is kept at least. Whoever
	// repeats one later has it carried out again.
	KeepRequests = 30 * 24 * time.Hour
	// pruneEvery is how often old records are looked for.
	pruneEvery = time.Hour
	// pruneBatch is how many are forgotten with one write, which others wait for.
	pruneBatch = 500
	// pruneRest is how long the others have the store to themselves after it.
	pruneRest = 50 * time.Millisecond
)

// prune forgets old records of requests, at the start and then every hour, until
// the host is closed.
func (h *Host) prune() {
	for {
		wait := pruneEvery
		n, err := h.store.PruneRequests(context.Background(), h.now().Add(-KeepRequests).UnixMilli(), pruneBatch)
		switch {
		case errors.Is(err, store.ErrClosed):
			return
		case err != nil:
			h.log.Warn("old requests were not forgotten", "error", err)
		case n == pruneBatch:
			wait = pruneRest // there may be more
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-h.closing:
			timer.Stop()
			return
		}
	}
}
