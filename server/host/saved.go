package host

import (
	"context"
	"errors"

	"github.com/hantei/hantei/engine/resolve"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"github.com/hantei/hantei/server/store"
)

// Snapshots of the state are kept beside the log, so that loading a table does
// not take the longer the longer it was played. They say nothing that the log
// does not say: one that cannot be used costs time, and that is all.

const (
	// saveEvery is after how many commits a hot table is saved.
	saveEvery = 200
	// worthSaving is how many commits make it worth to save a table that goes
	// cold. Fewer are folded in no time.
	worthSaving = 20
)

// save keeps a snapshot if there are so many commits since the last one, and no
// step waits. The state is written down here, between two jobs; the store gets
// it while the table goes on.
func (a *actor) save(after int64) {
	t := a.table
	if t == nil || t.res.Number()-t.saved < after || a.saving.Load() {
		return
	}
	b, ok := t.res.Snapshot()
	if !ok {
		return
	}
	t.saved = t.res.Number()
	s := store.Snapshot{Number: t.saved, Bytes: b}
	a.saving.Store(true)
	a.host.running.Go(func() {
		defer a.saving.Store(false)
		err := a.host.store.SaveSnapshot(context.Background(), a.id, s)
		if err != nil && !errors.Is(err, store.ErrNotFound) { // the table may have been deleted
			a.host.log.Warn("a snapshot was not saved", "table", a.id, "commit", s.Number, "error", err)
		}
	})
}

// resolver is the engine of a table after a commit: from the newest snapshot that
// is not beyond it, whose number is returned, and the commits that follow.
func (h *Host) resolver(ctx context.Context, game *Game, ids resolve.IDs, id string, last int64, each func(*tablev1.Commit, *tablev1.State)) (*resolve.Resolver, int64, error) {
	res := resolve.New(game.Rules, ids)
	h.restore(ctx, res, id, last)
	saved := res.Number()
	return res, saved, h.fold(ctx, res, id, last, each)
}

// restore goes to the newest snapshot of a table, if there is one that can be
// used; otherwise the resolver stays as it is.
func (h *Host) restore(ctx context.Context, res *resolve.Resolver, id string, last int64) {
	s, err := h.store.Snapshot(ctx, id)
	if errors.Is(err, store.ErrNotFound) || err == nil && (s.Number > last || s.Number < 1) {
		return
	}
	if err == nil {
		err = h.restoreAt(ctx, res, id, s)
	}
	if err != nil {
		h.log.Warn("a snapshot is not used: the whole log is folded", "table", id, "commit", s.Number, "error", err)
	}
}

func (h *Host) restoreAt(ctx context.Context, res *resolve.Resolver, id string, s store.Snapshot) error {
	c, err := h.commit(ctx, id, s.Number)
	if err != nil {
		return err
	}
	return res.Restore(s.Bytes, c)
}
