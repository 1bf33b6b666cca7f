package host

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/hantei/hantei/server/store"
)

// alarms are when tables must be looked after though nobody plays at them, also
// those that are cold.
type alarms struct {
	mu     sync.Mutex
	timers map[string]*time.Timer
	closed bool
}

// busyAgain is when to look again after a table that had no room for it.
const busyAgain = time.Second

// wakeAt sets a table's alarm, in place of the one before: milliseconds since
// 1970, UTC, or 0 for none.
func (h *Host) wakeAt(table string, ms int64) {
	a := &h.alarms
	a.mu.Lock()
	defer a.mu.Unlock()
	if t := a.timers[table]; t != nil {
		t.Stop()
		delete(a.timers, table)
	}
	if ms == 0 || a.closed {
		return
	}
	if a.timers == nil {
		a.timers = make(map[string]*time.Timer)
	}
	wait := time.UnixMilli(ms).Sub(h.now())
	a.timers[table] = time.AfterFunc(max(wait, 0), func() { h.lookAfter(table) })
}

// silence stops all alarms for good.
func (a *alarms) silence() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.closed = true
	for _, t := range a.timers {
		t.Stop()
	}
	a.timers = nil
}

// lookAfter has a table take the defaults that are due.
func (h *Host) lookAfter(id string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return
	}
	h.running.Go(func() {
		ctx := context.Background()
		_, err := ask(ctx, h, id, func(t *table) (struct{}, error) { return struct{}{}, t.expire(ctx) })
		switch {
		case err == nil, errors.Is(err, ErrClosed), errors.Is(err, store.ErrNotFound):
		case errors.Is(err, ErrBusy):
			h.wakeAt(id, h.now().Add(busyAgain).UnixMilli())
		default:
			h.log.Error("a prompt that is due was not answered", "table", id, "error", err)
		}
	})
}

// storeWake is what the store keeps of an alarm.
func storeWake(at int64) store.TableUpdate { return store.TableUpdate{WakeTimeMS: &at} }
