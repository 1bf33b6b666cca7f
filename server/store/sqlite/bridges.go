package sqlite

import (
	"context"
	"fmt"
	"math"

	"github.com/hantei/hantei/server/store"
)

// CreateBridge implements store.Store.
func (s *Store) CreateBridge(ctx context.Context, n store.NewBridge) error {
	b := n.Bridge
	err := s.write(ctx, func(tx *tx) error {
		_, err := tx.exec(`INSERT INTO bridges (id, name, token, create_time) VALUES (?, ?, ?, ?)`,
			b.ID, b.Name, n.Token[:], b.CreateTimeMS)
		if err != nil {
			return err
		}
		return insertRequest(tx, store.AdminScope, n.Request)
	})
	if err != nil {
		return fmt.Errorf("create bridge %q: %w", b.ID, err)
	}
	return nil
}

// DeleteBridge implements store.Store.
func (s *Store) DeleteBridge(ctx context.Context, id string) error {
	err := s.write(ctx, func(tx *tx) error {
		for _, query := range []string{
			`DELETE FROM admitted_seats WHERE admission IN (SELECT position FROM admissions WHERE bridge_id = ?)`,
			`DELETE FROM admissions WHERE bridge_id = ?`,
		} {
			if _, err := tx.exec(query, id); err != nil {
				return err
			}
		}
		return changed(tx.exec(`DELETE FROM bridges WHERE id = ?`, id))
	})
	if err != nil {
		return fmt.Errorf("delete bridge %q: %w", id, err)
	}
	return nil
}

const selectBridge = `SELECT position, id, name, create_time FROM bridges `

// Bridge implements store.Store.
func (s *Store) Bridge(ctx context.Context, id string) (store.Bridge, error) {
	var b store.Bridge
	var position store.Position
	if err := s.read(ctx, selectBridge+`WHERE id = ?`, id).scan(bridgeColumns(&position, &b)...); err != nil {
		return store.Bridge{}, fmt.Errorf("bridge %q: %w", id, err)
	}
	return b, nil
}

// BridgeByToken implements store.Store. As with seats, the index may tell of a
// hash by its time, and nobody can choose what he hashes to.
func (s *Store) BridgeByToken(ctx context.Context, token store.Hash) (store.Bridge, error) {
	var b store.Bridge
	var position store.Position
	if err := s.read(ctx, selectBridge+`WHERE token = ?`, token[:]).scan(bridgeColumns(&position, &b)...); err != nil {
		return store.Bridge{}, fmt.Errorf("bridge by token: %w", err)
	}
	return b, nil
}

// Bridges implements store.Store.
func (s *Store) Bridges(ctx context.Context, p store.Page) ([]store.Bridge, store.Position, error) {
	before := int64(p.After)
	if before == 0 {
		before = math.MaxInt64
	}
	limit := max(p.Limit, 1)
	var bridges []store.Bridge
	var last, next store.Position
	// One row more than asked for tells whether there is another page.
	query := s.read(ctx, selectBridge+`WHERE position < ? ORDER BY position DESC LIMIT ?`, before, limit+1)
	err := query.each(func(scan scanner) error {
		if len(bridges) == limit {
			next = last
			return nil
		}
		var b store.Bridge
		if err := scan(bridgeColumns(&last, &b)...); err != nil {
			return err
		}
		bridges = append(bridges, b)
		return nil
	})
	if err != nil {
		return nil, 0, fmt.Errorf("list bridges: %w", err)
	}
	return bridges, next, nil
}

func bridgeColumns(position *store.Position, b *store.Bridge) []any {
	return []any{position, &b.ID, &b.Name, &b.CreateTimeMS}
}
