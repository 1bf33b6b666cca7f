package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/hantei/hantei/server/store"
)

// connect opens a plain connection for the length of the test.
func connect(t *testing.T, path string) *sql.Conn {
	t.Helper()
	if err := touch(path); err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(connector(writerDSN(path, Options{})))
	t.Cleanup(func() { db.Close() })
	conn, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

// Every schema that was ever released must become the newest one, the same that
// a new database gets.
func TestMigrateFromEachVersion(t *testing.T) {
	all := schema()
	newest := connect(t, filepath.Join(t.TempDir(), "hantei.db"))
	if err := migrate(t.Context(), newest, all); err != nil {
		t.Fatal(err)
	}
	want := describe(t, newest)

	for n := range len(all) + 1 {
		conn := connect(t, filepath.Join(t.TempDir(), "hantei.db"))
		if n > 0 {
			if err := migrate(t.Context(), conn, all[:n]); err != nil {
				t.Fatal(err)
			}
		}
		for range 2 { // the second time there is nothing to do
			if err := migrate(t.Context(), conn, all); err != nil {
				t.Fatalf("from version %d of %d: %v", n, len(all), err)
			}
		}
		if diff := cmp.Diff(want, describe(t, conn)); diff != "" {
			t.Errorf("from version %d of %d (-want +got):\n%s", n, len(all), diff)
		}
	}
}

// What was written under the first schema can be read under the newest, and changed:
// it has the checksums that it would have been written with.
func TestMigrateRows(t *testing.T) {
	path := filepath.Join(t.TempDir(), "hantei.db")
	conn := connect(t, path)
	if err := migrate(t.Context(), conn, schema()[:1]); err != nil {
		t.Fatal(err)
	}
	token := store.Hash{1}
	for _, insert := range []string{
		`INSERT INTO tables (id, name, ruleset, options, pack_hash, create_time) VALUES ('table', '卓', 'coc', x'7b7d', 'abc', 5)`,
		`INSERT INTO seats (id, table_id, name, role, characters, token, create_time) VALUES ('seat', 'table', '看護師', 2, '["nurse"]', unhex('01' || hex(zeroblob(31))), 6)`,
		`INSERT INTO commits (table_id, number, first_event, events, bytes) VALUES ('table', 1, 1, 1, x'0102')`,
		`INSERT INTO requests (scope, principal, id, body_hash, response) VALUES ('table', 'seat', 'r' || char(0) || 's', unhex('02' || hex(zeroblob(31))), x'7b7d')`,
	} {
		if _, err := conn.ExecContext(t.Context(), insert); err != nil {
			t.Fatal(err)
		}
	}
	if err := conn.Close(); err != nil {
		t.Fatal(err)
	}

	s := open(t, path, Options{})
	defer s.Close()
	seat := store.Seat{ID: "seat", TableID: "table", Name: "看護師", Role: 2, Characters: []string{"nurse"}, CreateTimeMS: 6}
	got, err := s.SeatByToken(t.Context(), token)
	if diff := cmp.Diff(seat, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
	table, err := s.Table(t.Context(), "table")
	want := store.Table{ID: "table", Name: "卓", Ruleset: "coc", Options: []byte("{}"), PackHash: "abc", CreateTimeMS: 5}
	if diff := cmp.Diff(want, table); err != nil || diff != "" {
		t.Error(err, diff)
	}
	commits, err := s.Commits(t.Context(), "table", 0, 10)
	if diff := cmp.Diff([]store.Commit{{Number: 1, FirstEvent: 1, Events: 1, Bytes: []byte{1, 2}}}, commits); err != nil || diff != "" {
		t.Error(err, diff)
	}
	r, err := s.Request(t.Context(), "table", "seat", "r\x00s")
	if err != nil || string(r.Response) != "{}" || r.CreateTimeMS == 0 {
		t.Errorf("%v, %v", r, err)
	}
	name := "Evening"
	err = s.Append(t.Context(), "table", store.Entry{
		Commit:     store.Commit{Number: 2, FirstEvent: 2},
		Characters: []store.SeatCharacters{{SeatID: "seat", Characters: []string{"officer"}}}, Table: store.TableUpdate{Name: &name},
	})
	if err != nil {
		t.Fatal(err)
	}
	seat.Characters = []string{"officer"}
	seats, err := s.Seats(t.Context(), "table")
	if diff := cmp.Diff([]store.Seat{seat}, seats); err != nil || diff != "" {
		t.Error(err, diff)
	}
	if table, err = s.Table(t.Context(), "table"); err != nil || table.Name != name {
		t.Errorf("%v, %v", table, err)
	}
}

// describe returns the schema of a database, each thing by its name.
func describe(t *testing.T, conn *sql.Conn) map[string]string {
	t.Helper()
	rows, err := conn.QueryContext(t.Context(), `SELECT name, coalesce(sql, '') FROM sqlite_schema`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	things := map[string]string{}
	for rows.Next() {
		var name, text string
		if err := rows.Scan(&name, &text); err != nil {
			t.Fatal(err)
		}
		things[name] = text
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return things
}

func TestMigrateOnlyForward(t *testing.T) {
	path := filepath.Join(t.TempDir(), "hantei.db")
	s := open(t, path, Options{})
	err := s.write(t.Context(), func(tx *tx) error {
		_, err := tx.exec(`PRAGMA user_version = 99991231`)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), path, Options{}); !errors.Is(err, store.ErrNewer) {
		t.Errorf("got error %v, want %v", err, store.ErrNewer)
	}
}

// A migration that fails leaves the database as it was before it.
func TestMigrateFails(t *testing.T) {
	conn := connect(t, filepath.Join(t.TempDir(), "hantei.db"))
	all := []migration{
		{version: 20260101, name: "first", sql: `CREATE TABLE a (x); INSERT INTO a VALUES (1)`},
		{version: 20260102, name: "second", sql: `CREATE TABLE b (x); INSERT INTO a SELECT y FROM missing`},
	}
	if err := migrate(t.Context(), conn, all); err == nil {
		t.Fatal("no error")
	}
	if diff := cmp.Diff(map[string]string{"a": `CREATE TABLE a (x)`}, describe(t, conn)); diff != "" {
		t.Errorf("schema (-want +got):\n%s", diff)
	}
	version, err := schemaVersion(t.Context(), conn)
	if err != nil || version != 20260101 {
		t.Errorf("got version %d and error %v", version, err)
	}
	all[1].sql = `CREATE TABLE b (x)`
	if err := migrate(context.Background(), conn, all); err != nil {
		t.Fatal(err)
	}
}

func TestMigrationFiles(t *testing.T) {
	if all, err := migrations(schemaFiles); err != nil || len(all) == 0 {
		t.Errorf("got %d migrations and error %v", len(all), err)
	}
	bad := map[string][]string{
		"no date":   {"schema/tables.sql"},
		"not a day": {"schema/2026_tables.sql"},
		"same day":  {"schema/20260101_a.sql", "schema/20260101_b.sql"},
	}
	for name, files := range bad {
		folder := fstest.MapFS{}
		for _, file := range files {
			folder[file] = &fstest.MapFile{}
		}
		if _, err := migrations(folder); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
