package sqlite

import (
	"errors"
	"maps"
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
			alter(t, s, "commits", set+" WHERE number >= 2")
			defer alter(t, s, "commits", `bytes = CAST('the second commit' AS BLOB), number = 2, first_event = 3, events = 1 WHERE number >= 2`)
			if set == `sum = sum + 1` {
				defer alter(t, s, "commits", `sum = sum - 1 WHERE number >= 2`)
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
	alter(t, s, "commits", `bytes = CAST('as it was' AS BLOB), sum = NULL WHERE number >= 2`)
	second.Bytes = []byte("as it was")
	got, err = s.Commits(t.Context(), table, 0, 10)
	if diff := cmp.Diff([]store.Commit{first, second}, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
}

// furnished is a store with one row of each kind, and uses what reads them, by the
// table that they are in.
func furnished(t *testing.T) (s *Store, uses map[string]map[string]func() error) {
	t.Helper()
	ctx, name := t.Context(), "Night"
	s = fresh(t, Options{Relaxed: true})
	for _, err := range []error{
		s.CreateTable(ctx, store.NewTable{
			Table: store.Table{ID: "table", Name: "Evening", Ruleset: "coc", Options: []byte(`{"a":"b"}`), PackHash: "abc", CreateTimeMS: 7},
			Seat: store.Seat{
				ID: "seat", TableID: "table", Name: "Player", Role: 3, Characters: []string{"nurse"}, Policies: []byte("policies"), CreateTimeMS: 7,
			},
			Token: store.Hash{1},
		}),
		s.Record(ctx, "table", store.Request{Principal: "seat", ID: "r", BodyHash: store.Hash{2}, Response: []byte(`{"commit":3}`), CreateTimeMS: 7}),
		s.CreateBridge(ctx, store.NewBridge{Bridge: store.Bridge{ID: "bridge"}, Token: store.Hash{3}}),
		s.Admit(ctx, store.Admission{TableID: "table", BridgeID: "bridge", All: true}),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return s, map[string]map[string]func() error{
		"tables": {
			"Table":       func() error { _, err := s.Table(ctx, "table"); return err },
			"UpdateTable": func() error { return s.UpdateTable(ctx, "table", store.TableUpdate{Name: &name}) },
		},
		"seats": {
			"Seats":      func() error { _, err := s.Seats(ctx, "table"); return err },
			"UpdateSeat": func() error { return s.UpdateSeat(ctx, store.Seat{ID: "seat", TableID: "table", Name: name}) },
			"Append": func() error {
				return s.Append(ctx, "table", store.Entry{
					Commit: store.Commit{Number: 1, FirstEvent: 1}, Characters: []store.SeatCharacters{{SeatID: "seat", Characters: []string{"thug"}}},
				})
			},
		},
		"leave":    {"RevokeSeat": func() error { return s.RevokeSeat(ctx, "table", "seat", 9) }},
		"requests": {"Request": func() error { _, err := s.Request(ctx, "table", "seat", "r"); return err }},
	}
}

// Whatever column of another row a disk alters, whoever reads the row is refused,
// nobody gives it a new checksum by changing a part of it, and it is found still.
func TestDamagedRows(t *testing.T) {
	ctx := t.Context()
	for table, columns := range map[string][]string{
		"tables":   {`name = 'evening'`, `ruleset = 'coC'`, `options = CAST('{"a":"c"}' AS BLOB)`, `pack_hash = 'abd'`, `create_time = 6`, `sum = sum + 1`},
		"seats":    {`name = 'Plaxer'`, `role = 1`, `characters = '["nursd"]'`, `characters = '["nurse'`, `policies = x''`, `create_time = 6`, `sum = 0`},
		"requests": {`body_hash = x'03'`, `response = CAST('{"commit":2}' AS BLOB)`, `create_time = 6`, `sum = 0`},
	} {
		for _, set := range columns {
			t.Run(table+" "+set, func(t *testing.T) {
				s, uses := furnished(t)
				alter(t, s, table, set)
				if table == "seats" {
					maps.Copy(uses[table], uses["leave"])
				}
				for range 2 { // in any order, and as the others have left it
					for use, do := range uses[table] {
						if err := do(); !errors.Is(err, store.ErrDamaged) {
							t.Errorf("%s: %v", use, err)
						}
					}
				}
				all, _, err := s.Tables(ctx, store.Page{Limit: 1})
				seats, more := s.AdmittedSeats(ctx, "bridge", []string{"seat"})
				if err != nil || more != nil || len(all) != 1 || len(seats) != 1 {
					t.Errorf("lists: %v, %v, %v, %v", all, err, seats, more)
				}
				if who, err := s.SeatByToken(ctx, store.Hash{1}); err != nil || who.ID != "seat" || who.TableID != "table" {
					t.Errorf("who holds the token: %v, %v", who, err)
				}
			})
		}
	}

	// What is changed as it should be fits again, also what has left.
	s, uses := furnished(t)
	for _, table := range []string{"tables", "seats", "requests", "leave", "tables"} {
		for use, do := range uses[table] {
			if err := do(); err != nil {
				t.Errorf("%s: %v", use, err)
			}
		}
	}
	if _, err := s.Seats(ctx, "table"); err != nil {
		t.Error(err)
	}
	alter(t, s, "seats", "revoke_time = 0")
	if _, err := s.Seats(ctx, "table"); !errors.Is(err, store.ErrDamaged) {
		t.Errorf("a seat that comes back: %v", err)
	}
}

// alter changes rows behind the store's back, as a disk does.
func alter(t *testing.T, s *Store, table, set string) {
	t.Helper()
	if _, err := s.writer.tx.conn.ExecContext(t.Context(), `UPDATE `+table+` SET `+set); err != nil {
		t.Fatal(err)
	}
}
