package sqlite

import (
	"path/filepath"
	"testing"

	"go.uber.org/goleak"

	"github.com/hantei/hantei/server/store"
	"github.com/hantei/hantei/server/store/storetest"
)

func TestStore(t *testing.T) {
	for name, o := range map[string]Options{"durable": {}, "relaxed": {Relaxed: true}} {
		t.Run(name, func(t *testing.T) {
			defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
			storetest.Run(t, func(t testing.TB, dir string) store.Store {
				return open(t, filepath.Join(dir, "hantei.db"), o)
			})
		})
	}
}

// open opens a database that the test closes itself.
func open(t testing.TB, path string, o Options) *Store {
	t.Helper()
	s, err := Open(t.Context(), path, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// fresh opens an empty database for the length of the test.
func fresh(t testing.TB, o Options) *Store {
	t.Helper()
	s := open(t, filepath.Join(t.TempDir(), "hantei.db"), o)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}
