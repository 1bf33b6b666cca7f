package host

import (
	"context"
	"errors"
	"testing"

	"github.com/hantei/hantei/server/store"
)

// removing is a store that answers so when bridges are removed.
type removing struct {
	store.Store
	err error
}

func (r *removing) DeleteBridge(context.Context, string) error { return r.err }

// TestRemovedBridges: a bridge that is gone is remembered for the tables that still
// list it, also if it went in an attempt that failed; one that never was is not.
func TestRemovedBridges(t *testing.T) {
	admin, broken := Caller{Admin: true}, errors.New("the disk is broken")
	for name, c := range map[string]struct {
		answers []error // of the store, one after the other
		told    int     // how often streams of the bridge are ended
		gone    bool
		kept    int
	}{
		"removed":               {answers: []error{nil}, told: 1, gone: true, kept: 1},
		"never there":           {answers: []error{store.ErrNotFound, store.ErrNotFound}},
		"failed":                {answers: []error{broken}, kept: 1},
		"failed and gone":       {answers: []error{broken, store.ErrNotFound, store.ErrNotFound}, told: 1, gone: true, kept: 1},
		"failed, then removed":  {answers: []error{broken, nil}, told: 1, gone: true, kept: 1},
		"removed, then failing": {answers: []error{nil, broken}, told: 1, gone: true, kept: 1},
	} {
		t.Run(name, func(t *testing.T) {
			s, told := &removing{}, &publications{}
			h := &Host{store: s, tell: told}
			for _, s.err = range c.answers {
				if err := h.DeleteBridge(t.Context(), admin, "x"); (err == nil) != (s.err == nil) {
					t.Errorf("%v for %v", err, s.err)
				}
			}
			hot := &table{host: h, admissions: []*Admission{{Bridge: "x", All: true}}}
			if gone := hot.admission("x") == nil; gone != c.gone || told.bridges != c.told {
				t.Errorf("gone: %v, told %d times", gone, told.bridges)
			}
			kept := 0
			h.removed.Range(func(any, any) bool { kept++; return true })
			if kept != c.kept {
				t.Errorf("%d ids are kept", kept)
			}
		})
	}
}

// publications counts what is told of bridges.
type publications struct{ bridges int }

func (p *publications) Publish(m *Moment) {
	if m.Bridge == "x" {
		p.bridges++
	}
}
