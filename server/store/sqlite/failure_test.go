package sqlite

import (
	"bytes"
	"errors"
	"fmt"
	"sync"
	"testing"

	lib "modernc.org/sqlite/lib"

	"github.com/hantei/hantei/server/store"
)

// meaningOf returns the store's error in err; nil if there is none.
func meaningOf(err error) error {
	err = translate(err)
	for _, known := range []error{
		store.ErrNotFound, store.ErrExists, store.ErrFull, store.ErrReadOnly, store.ErrBusy,
	} {
		if errors.Is(err, known) {
			return known
		}
	}
	return nil
}

func TestMeaning(t *testing.T) {
	tests := []struct {
		code int
		want error
	}{
		{lib.SQLITE_FULL, store.ErrFull},
		{lib.SQLITE_READONLY, store.ErrReadOnly},
		{lib.SQLITE_READONLY_DIRECTORY, store.ErrReadOnly},
		{lib.SQLITE_BUSY, store.ErrBusy},
		{lib.SQLITE_BUSY_SNAPSHOT, store.ErrBusy},
		{lib.SQLITE_BUSY_RECOVERY, store.ErrBusy},
		{lib.SQLITE_LOCKED_SHAREDCACHE, store.ErrBusy},
		{lib.SQLITE_CONSTRAINT_UNIQUE, store.ErrExists},
		{lib.SQLITE_CONSTRAINT_PRIMARYKEY, store.ErrExists},
		{lib.SQLITE_CONSTRAINT_FOREIGNKEY, store.ErrNotFound},
		{lib.SQLITE_CONSTRAINT_NOTNULL, nil},
		{lib.SQLITE_IOERR_FSYNC, nil},
		{lib.SQLITE_CORRUPT, nil},
	}
	for _, test := range tests {
		if got := meaning(test.code); got != test.want {
			t.Errorf("code %d: got %v, want %v", test.code, got, test.want)
		}
	}
}

// set changes a setting of the connection that writes, while nobody writes.
func set(t *testing.T, s *Store, pragma string) {
	t.Helper()
	if _, err := s.writer.tx.conn.ExecContext(t.Context(), `PRAGMA `+pragma); err != nil {
		t.Fatal(err)
	}
}

// table makes a table with an empty log.
func table(t testing.TB, s *Store, id string) {
	t.Helper()
	err := s.CreateTable(t.Context(), store.NewTable{
		Table: store.Table{ID: id}, Seat: store.Seat{ID: id, TableID: id}, Token: store.Hash([]byte(fmt.Sprintf("%32s", id))),
	})
	if err != nil {
		t.Fatal(err)
	}
}

func entry(number int64, size int) store.Entry {
	return store.Entry{
		Commit: store.Commit{Number: number, FirstEvent: number, Events: 1, Bytes: bytes.Repeat([]byte{1}, size)},
		Request: &store.Request{
			Principal: "seat", ID: fmt.Sprint("request-", number), Response: bytes.Repeat([]byte{2}, 100),
		},
	}
}

func TestFullDisk(t *testing.T) {
	s := fresh(t, Options{})
	table(t, s, "a")
	table(t, s, "b")
	set(t, s, "max_page_count = 40")

	number := int64(1)
	var err error
	for ; number < 1000; number++ {
		if err = s.Append(t.Context(), "a", entry(number, 2000)); err != nil {
			break
		}
	}
	if !errors.Is(err, store.ErrFull) {
		t.Fatalf("got error %v, want %v", err, store.ErrFull)
	}
	// The last one left nothing behind, and all before it can be read.
	wantHead(t, s, "a", number-1)
	if _, err := s.Request(t.Context(), "a", "seat", fmt.Sprint("request-", number)); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("request of the failed append: got error %v", err)
	}

	// In a batch, too, each write is either there or has failed.
	var all sync.WaitGroup
	var errs [8]error
	for i := range errs {
		all.Go(func() {
			id := []string{"a", "b"}[i%2]
			n := map[string]int64{"a": number, "b": 1}[id]
			errs[i] = s.Append(t.Context(), id, entry(n, 200_000))
		})
	}
	all.Wait()
	for _, err := range errs {
		if !errors.Is(err, store.ErrFull) {
			t.Errorf("got error %v, want %v", err, store.ErrFull)
		}
	}
	wantHead(t, s, "a", number-1)
	wantHead(t, s, "b", 0)

	// When there is room again, it goes on.
	set(t, s, "max_page_count = 100000")
	if err := s.Append(t.Context(), "a", entry(number, 200_000)); err != nil {
		t.Fatal(err)
	}
	wantHead(t, s, "a", number)
}

func TestReadOnly(t *testing.T) {
	s := fresh(t, Options{})
	table(t, s, "a")
	if err := s.Append(t.Context(), "a", entry(1, 10)); err != nil {
		t.Fatal(err)
	}
	set(t, s, "query_only = 1")
	if err := s.Append(t.Context(), "a", entry(2, 10)); !errors.Is(err, store.ErrReadOnly) {
		t.Errorf("got error %v, want %v", err, store.ErrReadOnly)
	}
	wantHead(t, s, "a", 1)
	set(t, s, "query_only = 0")
	if err := s.Append(t.Context(), "a", entry(2, 10)); err != nil {
		t.Fatal(err)
	}
}

// A program that ignores the lock file, such as SQLite's own shell, can keep the
// database locked.
func TestBusy(t *testing.T) {
	s := fresh(t, Options{})
	table(t, s, "a")
	set(t, s, "busy_timeout = 10")
	var path string
	if err := s.read(t.Context(), `SELECT file FROM pragma_database_list`).scan(&path); err != nil {
		t.Fatal(err)
	}
	other := connect(t, path)
	if _, err := other.ExecContext(t.Context(), `BEGIN IMMEDIATE`); err != nil {
		t.Fatal(err)
	}
	if err := s.Append(t.Context(), "a", entry(1, 10)); !errors.Is(err, store.ErrBusy) {
		t.Errorf("got error %v, want %v", err, store.ErrBusy)
	}
	if err := s.Ping(t.Context()); !errors.Is(err, store.ErrBusy) {
		t.Errorf("ping: got error %v, want %v", err, store.ErrBusy)
	}
	wantHead(t, s, "a", 0)
	if _, err := other.ExecContext(t.Context(), `ROLLBACK`); err != nil {
		t.Fatal(err)
	}
	if err := s.Append(t.Context(), "a", entry(1, 10)); err != nil {
		t.Fatal(err)
	}
}

// A commit that fails fails every write in it, and the next one can begin.
func TestCommitFails(t *testing.T) {
	s := fresh(t, Options{})
	err := s.write(t.Context(), func(tx *tx) error {
		// From here on a broken reference is noticed only at the commit, which
		// leaves the transaction open.
		if _, err := tx.exec(`PRAGMA defer_foreign_keys = 1`); err != nil {
			return err
		}
		return insertSeat(tx, store.Seat{ID: "a", TableID: "missing"}, store.Hash{}, nil)
	})
	if !errors.Is(err, store.ErrNotFound) {
		t.Errorf("got error %v, want %v", err, store.ErrNotFound)
	}
	table(t, s, "a") // its seat has the same id
}

func wantHead(t *testing.T, s *Store, tableID string, number int64) {
	t.Helper()
	h, err := s.Head(t.Context(), tableID)
	if err != nil {
		t.Fatal(err)
	}
	if want := (store.Head{Number: number, NextEvent: number + 1}); h != want {
		t.Errorf("head of table %s: got %v, want %v", tableID, h, want)
	}
}
