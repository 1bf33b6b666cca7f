package sqlite

import (
	"context"
	"encoding/json"
	"fmt"
	"math"

	"github.com/hantei/hantei/server/store"
)

// CreateTable implements store.Store.
func (s *Store) CreateTable(ctx context.Context, n store.NewTable) error {
	t := n.Table
	seat := n.Seat
	seat.TableID = t.ID
	err := s.write(ctx, func(tx *tx) error {
		_, err := tx.exec(`
			INSERT INTO tables (id, name, ruleset, options, pack_hash, create_time)
			VALUES (?, ?, ?, ?, ?, ?)`,
			t.ID, t.Name, t.Ruleset, blob(t.Options), t.PackHash, t.CreateTimeMS)
		if err != nil {
			return err
		}
		if err := insertSeat(tx, seat, n.Token); err != nil {
			return err
		}
		if n.First != nil {
			if err := insertCommit(tx, t.ID, *n.First); err != nil {
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

const selectTable = `SELECT position, id, name, ruleset, options, pack_hash, create_time FROM tables `

// Table implements store.Store.
func (s *Store) Table(ctx context.Context, id string) (store.Table, error) {
	var t store.Table
	var position store.Position
	err := s.read(ctx, selectTable+`WHERE id = ?`, id).scan(tableColumns(&position, &t)...)
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

// tables lists a page. The query's last parameters are the position and limit.
func (s *Store) tables(ctx context.Context, p store.Page, query string, args ...any) ([]store.Table, store.Position, error) {
	before := int64(p.After)
	if before == 0 {
		before = math.MaxInt64
	}
	limit := max(p.Limit, 1)
	var tables []store.Table
	var last, next store.Position
	// One row more than asked for tells whether there is another page.
	err := s.read(ctx, selectTable+query, append(args, before, limit+1)...).each(func(scan scanner) error {
		if len(tables) == limit {
			next = last
			return nil
		}
		var t store.Table
		if err := scan(tableColumns(&last, &t)...); err != nil {
			return err
		}
		tables = append(tables, t)
		return nil
	})
	if err != nil {
		return nil, 0, fmt.Errorf("list tables: %w", err)
	}
	return tables, next, nil
}

func tableColumns(position *store.Position, t *store.Table) []any {
	return []any{position, &t.ID, &t.Name, &t.Ruleset, &t.Options, &t.PackHash, &t.CreateTimeMS}
}

// blob is b as a value that is not null.
func blob(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}
