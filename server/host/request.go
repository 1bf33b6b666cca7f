package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/hantei/hantei/engine/resolve"
	"github.com/hantei/hantei/server/store"
)

// Request identifies a request: who repeats it gets its answer again and nothing
// is done twice.
type Request struct {
	// ID is the caller's idempotency key; empty if there is none.
	ID string
	// Hash is over the method and the body.
	Hash store.Hash
}

// record is what is kept of an answer beside the log, which has the rest. It is
// rendered again for whoever repeats the request.
type record struct {
	// Commit is the first commit that the request made.
	Commit int64 `json:"commit,omitempty"`
	// Seats is how many seats there were. Seats are only added.
	Seats int `json:"seats,omitempty"`
	// Characters are the ids that the request makes, one commit for each.
	Characters []string `json:"characters,omitempty"`
	// Table and Seat are the ids of what the request made.
	Table string `json:"table,omitempty"`
	Seat  string `json:"seat,omitempty"`
}

// of is the record of an answer that shows a moment.
func (r record) of(m *Moment) record {
	r.Commit, r.Seats = m.Commit, len(m.Seats)
	return r
}

// entry is what the store keeps of a request; nil for one without an id.
func (r Request) entry(by Caller, kept record) (*store.Request, error) {
	if r.ID == "" {
		return nil, nil
	}
	response, err := json.Marshal(kept)
	if err != nil {
		return nil, fmt.Errorf("host: record of a request: %w", err)
	}
	return &store.Request{Principal: by.principal(), ID: r.ID, BodyHash: r.Hash, Response: response}, nil
}

// recorded finds what was kept of a request; false if it was not carried out. It
// refuses an id that stands for another request.
func (h *Host) recorded(ctx context.Context, scope string, by Caller, r Request) (record, bool, error) {
	if r.ID == "" {
		return record{}, false, nil
	}
	found, err := h.store.Request(ctx, scope, by.principal(), r.ID)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return record{}, false, nil
	case err != nil:
		return record{}, false, err
	case found.BodyHash != r.Hash:
		return record{}, false, &Refused{Refusal: reused()}
	}
	var kept record
	if err := json.Unmarshal(found.Response, &kept); err != nil {
		return record{}, false, fmt.Errorf("host: record of request %q: %w", r.ID, err)
	}
	return kept, true, nil
}

// recent are the records of a hot table's latest requests. A repetition can wait
// behind the first in the queue, where asking the store beforehand found nothing;
// so there need to be as many as can wait.
type recent struct {
	kept map[recentKey]recentEntry
	keys []recentKey // oldest first
}

type recentKey struct{ principal, id string }

type recentEntry struct {
	hash store.Hash
	kept record
}

func (r *recent) add(principal string, req Request, kept record) {
	if r.kept == nil {
		r.kept = make(map[recentKey]recentEntry)
	}
	key := recentKey{principal, req.ID}
	r.kept[key] = recentEntry{req.Hash, kept}
	r.keys = append(r.keys, key)
	if len(r.keys) > 2*waiting {
		delete(r.kept, r.keys[0])
		r.keys = r.keys[1:]
	}
}

// repeated carries the record of a request that was carried out already.
type repeated struct{ kept record }

func (*repeated) Error() string { return "host: the request was carried out already" }

// once says that a request is a repetition, by a *repeated or a refusal.
func (t *table) once(by Caller, r Request) error {
	if r.ID == "" {
		return nil
	}
	e, ok := t.done.kept[recentKey{by.principal(), r.ID}]
	switch {
	case !ok:
		return nil
	case e.hash != r.Hash:
		return reused()
	}
	return &repeated{e.kept}
}

// command runs f on a table, once for each request, and returns what it made; or
// the record of the first time.
func command[T any](ctx context.Context, h *Host, by Caller, r Request, f func(*table) (T, error)) (out T, kept *record, err error) {
	first, found, err := h.recorded(ctx, by.Table, by, r)
	if err != nil {
		return out, nil, err
	}
	if found {
		return out, &first, nil
	}
	out, err = ask(ctx, h, by.Table, func(t *table) (T, error) {
		if err := t.once(by, r); err != nil {
			var none T
			return none, err
		}
		return f(t)
	})
	var again *repeated
	switch {
	case errors.As(err, &again):
		return out, &again.kept, nil
	case r.ID != "" && errors.Is(err, store.ErrExists):
		// Somebody else carried it out in between; the store has the record.
		if first, found, more := h.recorded(ctx, by.Table, by, r); found || more != nil {
			return out, &first, more
		}
	}
	return out, nil, err
}

// again is the moment of a record, as it was answered. What was asked then is
// what is asked now, if nothing has happened since; otherwise the log is folded
// up to there.
func (h *Host) again(ctx context.Context, look *Look, now *Moment, kept record) (*Moment, error) {
	page, err := h.Read(now, kept.Commit-1).Next(ctx, 1)
	if err != nil {
		return nil, err
	}
	if len(page) == 0 {
		return nil, fmt.Errorf("host: commit %d of table %s is missing", kept.Commit, now.Table)
	}
	m := page[0]
	m.Asked, m.Windows, m.Seats = true, now.Windows, now.Seats[:min(kept.Seats, len(now.Seats))]
	if now.Commit != kept.Commit {
		res := resolve.New(look.Game.Rules, nil) // nothing is resolved, so nothing needs an id
		if err := h.fold(ctx, res, now.Table, kept.Commit); err != nil {
			return nil, err
		}
		m.Windows = openWindows(res.State().Windows)
	}
	return m, nil
}
