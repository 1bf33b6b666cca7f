package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/hantei/hantei/engine/resolve"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"github.com/hantei/hantei/server/store"
	"google.golang.org/protobuf/proto"
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
	// Seats is how many seats had been made.
	Seats int `json:"seats,omitempty"`
	// Characters are the ids that the request makes, one commit for each.
	Characters []string `json:"characters,omitempty"`
	// Table and Seat are the ids of what the request made, Time is when it made the
	// seat, in milliseconds since 1970, UTC.
	Table string `json:"table,omitempty"`
	Seat  string `json:"seat,omitempty"`
	Time  int64  `json:"time,omitempty"`
	// Bridge is the id of the bridge that the request made.
	Bridge string `json:"bridge,omitempty"`
	// Asked are the windows that were open before the commit: with its events,
	// they say what was asked after it. Known is false in records of a time when
	// they were not kept.
	Asked [][]byte `json:"asked,omitempty"`
	Known bool     `json:"known,omitempty"`
	// Due is when what was asked after it was to take its default.
	Due dues `json:"due,omitempty"`
}

// of is the record of an answer that shows a moment. before are the windows that
// were open until then.
func (r record) of(m *Moment, before []*tablev1.Window) (record, error) {
	r.Commit, r.Seats, r.Known, r.Due = m.Commit, len(m.roll), true, m.due
	for _, w := range before {
		b, err := proto.Marshal(w)
		if err != nil {
			return r, fmt.Errorf("host: record of a request: %w", err)
		}
		r.Asked = append(r.Asked, b)
	}
	return r, nil
}

// windows are those that were asked after the record's commit.
func (r record) windows(m *Moment) ([]*tablev1.Window, error) {
	var all []*tablev1.Window
	for _, b := range r.Asked {
		w := &tablev1.Window{}
		if err := proto.Unmarshal(b, w); err != nil {
			return nil, fmt.Errorf("host: record of a request: %w", err)
		}
		all = append(all, w)
	}
	for _, e := range m.Told {
		all = resolve.WindowsAfter(all, e.Event)
	}
	return openWindows(all), nil
}

// entry is what the store keeps of a request that was carried out at a time; nil
// for one without an id.
func (r Request) entry(by Caller, kept record, timeMS int64) (*store.Request, error) {
	if r.ID == "" {
		return nil, nil
	}
	response, err := json.Marshal(kept)
	if err != nil {
		return nil, fmt.Errorf("host: record of a request: %w", err)
	}
	return &store.Request{Principal: by.principal(), ID: r.ID, BodyHash: r.Hash, Response: response, CreateTimeMS: timeMS}, nil
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

// lookups is how many requests of a table that was just loaded are looked for in
// the store before they are carried out: a client that got no answer because the
// server went down asks again soon.
const lookups = 16

// single is command for an f that makes one commit or none, with the request in
// it. Then the store need not be asked beforehand: it takes a request only once,
// and what was made for a repetition is dropped before anybody hears of it. So
// it is asked only about what was turned down, which may have been carried out
// when it was still possible.
func single[T any](ctx context.Context, h *Host, by Caller, r Request, f func(*table) (T, error)) (out T, kept *record, err error) {
	out, err = ask(ctx, h, by.Table, func(t *table) (none T, err error) {
		if err := t.once(by, r); err != nil {
			return none, err
		}
		if r.ID != "" && t.looked < lookups {
			t.looked++
			first, found, err := h.recorded(context.WithoutCancel(ctx), by.Table, by, r)
			if err != nil {
				return none, err
			}
			if found {
				return none, &repeated{first}
			}
		}
		return f(t)
	})
	var again *repeated
	switch {
	case err == nil || r.ID == "":
		return out, nil, err
	case errors.As(err, &again):
		return out, &again.kept, nil
	}
	first, found, more := h.recorded(ctx, by.Table, by, r)
	switch refused := (*Refused)(nil); {
	case found:
		return out, &first, nil
	case errors.As(more, &refused):
		return out, nil, more
	}
	return out, nil, err
}

// command runs f on a table, once for each request, and returns what it made; or
// the record of the first time.
func command[T any](ctx context.Context, h *Host, by Caller, r Request, f func(*table) (T, error)) (out T, kept *record, err error) {
	return onlyOnce(ctx, h, by.Table, by, r, func() (T, error) {
		return ask(ctx, h, by.Table, func(t *table) (none T, err error) {
			if err := t.once(by, r); err != nil {
				return none, err
			}
			return f(t)
		})
	})
}

// onlyOnce runs f, which records the request in a scope with what it makes, once for
// each request, and returns what it made; or the record of the first time.
func onlyOnce[T any](ctx context.Context, h *Host, scope string, by Caller, r Request, f func() (T, error)) (out T, kept *record, err error) {
	first, found, err := h.recorded(ctx, scope, by, r)
	if err != nil {
		return out, nil, err
	}
	if found {
		return out, &first, nil
	}
	out, err = f()
	var again *repeated
	switch {
	case errors.As(err, &again):
		return out, &again.kept, nil
	case r.ID != "" && errors.Is(err, store.ErrExists):
		// Somebody else carried it out in between; the store has the record.
		if first, found, more := h.recorded(ctx, scope, by, r); found || more != nil {
			return out, &first, more
		}
	}
	return out, nil, err
}

// again is the moment of a record, as it was answered. What was asked then is
// what is asked now, if nothing has happened since; otherwise the record says it.
func (h *Host) again(ctx context.Context, look *Look, now *Moment, kept record) (*Moment, error) {
	page, err := h.Read(now, kept.Commit-1).Next(ctx, 1)
	if err != nil {
		return nil, err
	}
	if len(page) == 0 {
		return nil, fmt.Errorf("host: commit %d of table %s is missing", kept.Commit, now.Table)
	}
	m := page[0]
	m.Asked, m.Windows, m.Seats, m.due = true, now.Windows, now.made(kept.Seats), kept.Due
	switch {
	case now.Commit == kept.Commit:
	case kept.Known:
		if m.Windows, err = kept.windows(m); err != nil {
			return nil, err
		}
	default:
		res, _, err := h.resolver(ctx, look.Game, nil, now.Table, kept.Commit, nil) // nothing is resolved, so nothing needs an id
		if err != nil {
			return nil, err
		}
		m.Windows = openWindows(res.State().Windows)
	}
	return m, nil
}
