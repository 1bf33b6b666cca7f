package sqlite

import (
	"context"
	"fmt"

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
	b, err := scanBridge(s.read(ctx, selectBridge+`WHERE id = ?`, id).scan, new(store.Position))
	if err != nil {
		return store.Bridge{}, fmt.Errorf("bridge %q: %w", id, err)
	}
	return b, nil
}

// BridgeByToken implements store.Store. As with seats, the index may tell of a
// hash by its time, and nobody can choose what he hashes to.
func (s *Store) BridgeByToken(ctx context.Context, token store.Hash) (store.Bridge, error) {
	b, err := scanBridge(s.read(ctx, selectBridge+`WHERE token = ?`, token[:]).scan, new(store.Position))
	if err != nil {
		return store.Bridge{}, fmt.Errorf("bridge by token: %w", err)
	}
	return b, nil
}

// Bridges implements store.Store.
func (s *Store) Bridges(ctx context.Context, p store.Page) ([]store.Bridge, store.Position, error) {
	bridges, next, err := page(ctx, s, p, scanBridge, selectBridge+`WHERE position < ? ORDER BY position DESC LIMIT ?`)
	if err != nil {
		return nil, 0, fmt.Errorf("list bridges: %w", err)
	}
	return bridges, next, nil
}

func scanBridge(scan scanner, position *store.Position) (store.Bridge, error) {
	var b store.Bridge
	err := scan(position, &b.ID, &b.Name, &b.CreateTimeMS)
	return b, err
}
