package sqlite

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/hantei/hantei/server/store"
)

// CreateTable implements store.Store.
func (s *Store) CreateTable(ctx context.Context, n store.NewTable) error {
	t := n.Table
	seat := n.Seat
	seat.TableID = t.ID
	err := s.write(ctx, func(tx *tx) error {
		_, err := tx.exec(`
			INSERT INTO tables (id, name, ruleset, options, pack_hash, create_time, sum)
			VALUES (?, ?, ?, ?, ?, ?, ?)`,
			t.ID, t.Name, t.Ruleset, blob(t.Options), t.PackHash, t.CreateTimeMS, tableSum(t))
		if err != nil {
			return err
		}
		if err := insertSeat(tx, seat, n.Token, n.Pairing); err != nil {
			return err
		}
		for _, more := range n.Seats {
			more.Seat.TableID = t.ID
			if err := insertSeat(tx, more.Seat, more.Token, more.Pairing); err != nil {
				return err
			}
		}
		for _, c := range n.Commits {
			if err := insertCommit(tx, t.ID, c); err != nil {
				return err
			}
		}
		return insertRequest(tx, store.AdminScope, n.Request)
	})
	if err != nil {
		return fmt.Errorf("create table %q: %w", t.ID, err)
	}
	return nil
}

// UpdateTable implements store.Store.
func (s *Store) UpdateTable(ctx context.Context, tableID string, u store.TableUpdate) error {
	err := s.write(ctx, func(tx *tx) error { return updateTable(tx, tableID, u) })
	if err != nil {
		return fmt.Errorf("update table %q: %w", tableID, err)
	}
	return nil
}

func updateTable(tx *tx, tableID string, u store.TableUpdate) error {
	if u.Name != nil || u.Options != nil {
		t, err := scanTable(tx.row(selectTable+`WHERE id = ?`, tableID), new(store.Position))
		if err != nil {
			return err
		}
		if u.Name != nil {
			t.Name = *u.Name
		}
		if u.Options != nil {
			t.Options = u.Options
		}
		_, err = tx.exec(`UPDATE tables SET name = ?, options = ?, sum = ? WHERE id = ?`, t.Name, blob(t.Options), tableSum(t), tableID)
		if err != nil {
			return err
		}
	}
	return changed(tx.exec(`UPDATE tables SET wake_time = coalesce(?, wake_time) WHERE id = ?`, u.WakeTimeMS, tableID))
}

// tableSum is the checksum of a table's row.
func tableSum(t store.Table) int64 {
	return sumOf(t.ID, t.Name, t.Ruleset, t.Options, t.PackHash, t.CreateTimeMS)
}

// Wakes implements store.Store.
func (s *Store) Wakes(ctx context.Context) ([]store.Wake, error) {
	due := s.read(ctx, `SELECT id, wake_time FROM tables WHERE wake_time > 0 ORDER BY wake_time`)
	wakes, err := list(due, func(scan scanner) (w store.Wake, err error) {
		err = scan(&w.TableID, &w.TimeMS)
		return w, err
	})
	if err != nil {
		return nil, fmt.Errorf("wakes: %w", err)
	}
	return wakes, nil
}

// DeleteTable implements store.Store.
func (s *Store) DeleteTable(ctx context.Context, tableID string, secrets ...string) error {
	err := s.write(ctx, func(tx *tx) error {
		for _, query := range []string{
			`DELETE FROM snapshots WHERE table_id = ?`,
			`DELETE FROM requests WHERE scope = ?`,
			`DELETE FROM commits WHERE table_id = ?`,
			`DELETE FROM admitted_seats WHERE admission IN (SELECT position FROM admissions WHERE table_id = ?)`,
			`DELETE FROM admissions WHERE table_id = ?`,
			`DELETE FROM pairings WHERE seat_id IN (SELECT id FROM seats WHERE table_id = ?)`,
			`DELETE FROM tokens WHERE seat_id IN (SELECT id FROM seats WHERE table_id = ?)`,
			`DELETE FROM seats WHERE table_id = ?`,
		} {
			if tableID == store.AdminScope {
				break // whose requests are not a table's
			}
			if _, err := tx.exec(query, tableID); err != nil {
				return err
			}
		}
		if err := changed(tx.exec(`DELETE FROM tables WHERE id = ?`, tableID)); err != nil {
			return err
		}
		for _, name := range secrets {
			if _, err := tx.exec(`DELETE FROM secrets WHERE name = ?`, name); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("delete table %q: %w", tableID, err)
	}
	return nil
}

const selectTable = `SELECT position, id, name, ruleset, options, pack_hash, create_time, wake_time, sum FROM tables `

// Table implements store.Store.
func (s *Store) Table(ctx context.Context, id string) (store.Table, error) {
	t, err := scanTable(s.read(ctx, selectTable+`WHERE id = ?`, id).scan, new(store.Position))
	if err != nil {
		return store.Table{}, fmt.Errorf("table %q: %w", id, err)
	}
	return t, nil
}

// Tables implements store.Store.
func (s *Store) Tables(ctx context.Context, p store.Page) ([]store.Table, store.Position, error) {
	return s.tables(ctx, p, `WHERE position < ? ORDER BY position DESC LIMIT ?`)
}

// TablesByID implements store.Store.
func (s *Store) TablesByID(ctx context.Context, ids []string, p store.Page) ([]store.Table, store.Position, error) {
	list, err := json.Marshal(ids)
	if err != nil {
		return nil, 0, fmt.Errorf("list tables: %w", err)
	}
	return s.tables(ctx, p, `
		WHERE id IN (SELECT value FROM json_each(?)) AND position < ? ORDER BY position DESC LIMIT ?`, string(list))
}

// tables lists a page, of which the query says the rest.
func (s *Store) tables(ctx context.Context, p store.Page, query string, args ...any) ([]store.Table, store.Position, error) {
	row := func(scan scanner, position *store.Position) (store.Table, error) {
		return found(scanTable(scan, position))
	}
	tables, next, err := page(ctx, s, p, row, selectTable+query, args...)
	if err != nil {
		return nil, 0, fmt.Errorf("list tables: %w", err)
	}
	return tables, next, nil
}

func scanTable(scan scanner, position *store.Position) (store.Table, error) {
	var t store.Table
	var sum int64
	err := scan(position, &t.ID, &t.Name, &t.Ruleset, &t.Options, &t.PackHash, &t.CreateTimeMS, &t.WakeTimeMS, &sum)
	if err == nil && sum != tableSum(t) {
		err = store.ErrDamaged
	}
	return t, err
}

// blob is b as a value that is not null.
func blob(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}
