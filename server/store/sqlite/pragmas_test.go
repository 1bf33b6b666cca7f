package sqlite

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPragmas(t *testing.T) {
	want := map[string]string{
		"application_id": "1214344820",
		"busy_timeout":   "5000",
		"foreign_keys":   "1",
		"journal_mode":   "wal",
		"synchronous":    "2", // FULL
		"user_version":   "20261204",
	}
	got, err := fresh(t, Options{}).Pragmas(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("durable (-want +got):\n%s", diff)
	}

	want["synchronous"] = "1" // NORMAL
	got, err = fresh(t, Options{Relaxed: true}).Pragmas(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("relaxed (-want +got):\n%s", diff)
	}
}

// Every reader has the settings, since the pool opens them when it needs them.
func TestReadersOnlyRead(t *testing.T) {
	s := fresh(t, Options{})
	for range 3 {
		conn, err := s.readers.db.Conn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if _, err := conn.ExecContext(t.Context(), `DELETE FROM tables`); meaningOf(err) == nil {
			t.Errorf("a reader could write: error %v", err)
		}
	}
}
