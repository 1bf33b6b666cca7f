package sqlite

import (
	"context"
	"fmt"

	"github.com/hantei/hantei/server/store"
)

// insertRequest records a request; nil records nothing.
func insertRequest(tx *tx, scope string, r *store.Request) error {
	if r == nil {
		return nil
	}
	_, err := tx.exec(`INSERT INTO requests (scope, principal, id, body_hash, response, create_time, sum) VALUES (?, ?, ?, ?, ?, ?, ?)`,
		scope, r.Principal, r.ID, r.BodyHash[:], blob(r.Response), r.CreateTimeMS, requestSum(scope, *r))
	return err
}

// requestSum is the checksum of a request's row.
func requestSum(scope string, r store.Request) int64 {
	return sumOf(scope, r.Principal, r.ID, r.BodyHash[:], r.Response, r.CreateTimeMS)
}

// Record implements store.Store.
func (s *Store) Record(ctx context.Context, tableID string, r store.Request) error {
	err := s.write(ctx, func(tx *tx) error {
		// Changes nothing, and finds out whether there is such a table.
		if err := updateTable(tx, tableID, store.TableUpdate{}); err != nil {
			return err
		}
		return insertRequest(tx, tableID, &r)
	})
	if err != nil {
		return fmt.Errorf("record request %q: %w", r.ID, err)
	}
	return nil
}

// Request implements store.Store.
func (s *Store) Request(ctx context.Context, scope, principal, id string) (store.Request, error) {
	r := store.Request{Principal: principal, ID: id}
	var hash []byte
	var sum int64
	err := s.read(ctx, `
		SELECT body_hash, response, create_time, sum FROM requests WHERE scope = ? AND principal = ? AND id = ?`,
		scope, principal, id,
	).scan(&hash, &r.Response, &r.CreateTimeMS, &sum)
	copy(r.BodyHash[:], hash)
	if err == nil && sum != requestSum(scope, r) {
		err = store.ErrDamaged
	}
	if err != nil {
		return store.Request{}, fmt.Errorf("request %q: %w", id, err)
	}
	return r, nil
}

// PruneRequests implements store.Store. It looks at the first rows alone, which are
// the oldest.
func (s *Store) PruneRequests(ctx context.Context, beforeMS int64, limit int) (int, error) {
	var n int64
	err := s.write(ctx, func(tx *tx) (err error) {
		n, err = tx.exec(`
			DELETE FROM requests WHERE rowid IN (
				SELECT rowid FROM (SELECT rowid, create_time FROM requests ORDER BY rowid LIMIT ?) WHERE create_time < ?)`,
			max(limit, 1), beforeMS)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("prune requests: %w", err)
	}
	return int(n), nil
}
