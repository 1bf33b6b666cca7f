package sqlite

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hantei/hantei/server/store"
)

// Whatever column of a commit a disk alters, the commit is refused and those before
// it are read; one from a time without checksums is read as it is.
func TestDamagedCommit(t *testing.T) {
	s := fresh(t, Options{})
	const table = "table"
	first := store.Commit{Number: 1, FirstEvent: 1, Events: 2, Bytes: []byte("the first commit")}
	second := store.Commit{Number: 2, FirstEvent: 3, Events: 1, Bytes: []byte("the second commit")}
	err := s.CreateTable(t.Context(), store.NewTable{
		Table: store.Table{ID: table, Options: []byte{}}, Seat: store.Seat{ID: "gm", TableID: table}, Commits: []store.Commit{first},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Append(t.Context(), table, store.Entry{Commit: second}); err != nil {
		t.Fatal(err)
	}

	alter := func(t *testing.T, set string) {
		t.Helper()
		if _, err := s.writer.tx.conn.ExecContext(t.Context(), `UPDATE commits SET `+set+` WHERE number >= 2`); err != nil {
			t.Fatal(err)
		}
	}
	for _, set := range []string{
		`bytes = CAST('the second cOmmit' AS BLOB)`,
		`bytes = CAST('the second commi' AS BLOB)`,
		`bytes = x''`,
		`number = 3`,
		`first_event = 4`,
		`events = 0`,
		`sum = sum + 1`,
	} {
		t.Run(set, func(t *testing.T) {
			alter(t, set)
			defer alter(t, `bytes = CAST('the second commit' AS BLOB), number = 2, first_event = 3, events = 1`)
			if set == `sum = sum + 1` {
				defer alter(t, `sum = sum - 1`)
			}
			if got, err := s.Commits(t.Context(), table, 0, 10); !errors.Is(err, store.ErrDamaged) {
				t.Errorf("got %v, %v", got, err)
			}
			got, err := s.Commits(t.Context(), table, 0, 1)
			if diff := cmp.Diff([]store.Commit{first}, got); err != nil || diff != "" {
				t.Error(err, diff)
			}
		})
	}

	got, err := s.Commits(t.Context(), table, 0, 10)
	if diff := cmp.Diff([]store.Commit{first, second}, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
	alter(t, `bytes = CAST('as it was' AS BLOB), sum = NULL`)
	second.Bytes = []byte("as it was")
	got, err = s.Commits(t.Context(), table, 0, 10)
	if diff := cmp.Diff([]store.Commit{first, second}, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
}
