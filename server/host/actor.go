package host

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/hantei/hantei/engine/rule"
)

// waiting is how many commands and looks may wait for one table.
const waiting = 256

// actor is the goroutine of a hot table. It ends when the table was idle for
// long enough, or with the host.
type actor struct {
	host  *Host
	id    string
	queue chan *job
	table *table // nil before it is loaded, and when it must be loaded anew
	// saving is true while a snapshot is on its way to the store.
	saving atomic.Bool
}

// job is one command or look.
type job struct {
	ctx context.Context
	// cold has the table taken out of memory, and not loaded for the job: do gets
	// what was there, or nil.
	cold bool
	do   func(*table) error
	err  error
	done chan struct{} // closed when err holds
}

// ask runs f on a table, in the table's goroutine. Once f has begun it runs to
// its end, whatever becomes of the context; then what it returns is dropped.
func ask[T any](ctx context.Context, h *Host, id string, f func(*table) (T, error)) (T, error) {
	return await(ctx, h, id, &job{ctx: ctx}, f)
}

// askCold is ask of a table that is taken out of memory: f gets what was there,
// or nil. Nothing needs to be readable of it.
func askCold[T any](ctx context.Context, h *Host, id string, f func(*table) (T, error)) (T, error) {
	return await(ctx, h, id, &job{ctx: ctx, cold: true}, f)
}

func await[T any](ctx context.Context, h *Host, id string, j *job, f func(*table) (T, error)) (T, error) {
	var none T
	result := new(T) // the job's until done is closed
	j.done = make(chan struct{})
	j.do = func(t *table) (err error) {
		*result, err = f(t)
		return err
	}
	if err := h.send(id, j); err != nil {
		return none, err
	}
	select {
	case <-j.done:
		if j.err != nil {
			return none, j.err
		}
		return *result, nil
	case <-ctx.Done():
		return none, ctx.Err()
	}
}

// send queues a job for a table, and starts its goroutine if it is cold.
func (h *Host) send(id string, j *job) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return ErrClosed
	}
	a := h.hot[id]
	if a == nil {
		a = &actor{host: h, id: id, queue: make(chan *job, waiting)}
		h.hot[id] = a
		h.running.Go(a.run)
	}
	select {
	case a.queue <- j:
		return nil
	default:
		return ErrBusy
	}
}

// retire makes a table cold, unless somebody has just asked for it.
func (h *Host) retire(a *actor) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(a.queue) > 0 {
		return false
	}
	delete(h.hot, a.id)
	return true
}

func (a *actor) run() {
	idle := time.NewTimer(a.host.idle)
	defer idle.Stop()
	for {
		select {
		case j := <-a.queue:
			a.handle(j)
			a.save(saveEvery)
			idle.Reset(a.host.idle)
			// A table that could not be loaded is not worth a goroutine.
			if a.table == nil && a.host.retire(a) {
				return
			}
		case <-idle.C:
			if a.host.retire(a) {
				a.save(worthSaving)
				return
			}
			idle.Reset(a.host.idle)
		case <-a.host.closing:
			if a.host.retire(a) {
				a.save(worthSaving)
				return
			}
		}
	}
}

func (a *actor) handle(j *job) {
	defer close(j.done)
	if j.err = j.ctx.Err(); j.err != nil {
		return // nobody waits for it
	}
	j.err = a.try(j)
	if a.table != nil && a.table.ahead {
		a.table = nil
	}
}

// try runs a job. A panic is a bug of this package or of the rules: it costs the
// hot table, not the program.
func (a *actor) try(j *job) (err error) {
	defer func() {
		if p := recover(); p != nil {
			a.table = nil
			err = fmt.Errorf("host: panic at table %s: %v\n%s", a.id, p, debug.Stack())
		}
	}()
	if j.cold {
		was := a.table
		a.table = nil
		return j.do(was)
	}
	if a.table == nil {
		// The next one will want it too, whoever asked first.
		if a.table, err = a.host.load(context.WithoutCancel(j.ctx), a.id); err != nil {
			return err
		}
	}
	err = j.do(a.table)
	if refusal := (*rule.Refusal)(nil); errors.As(err, &refusal) {
		return &Refused{Refusal: refusal, Game: a.table.game}
	}
	return err
}
