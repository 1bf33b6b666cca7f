package sqlite

import (
	"context"
	"fmt"

	"github.com/hantei/hantei/server/store"
)

// SaveSnapshot implements store.Store.
func (s *Store) SaveSnapshot(ctx context.Context, tableID string, snapshot store.Snapshot) error {
	err := s.write(ctx, func(tx *tx) error {
		var head store.Head
		if err := tx.row(selectHead, tableID)(&head.Number, &head.NextEvent); err != nil {
			return err
		}
		if snapshot.Number > head.Number {
			return fmt.Errorf("%w: the head is %d", store.ErrConflict, head.Number)
		}
		_, err := tx.exec(`
			INSERT INTO snapshots (table_id, number, bytes) VALUES (?, ?, ?)
			ON CONFLICT (table_id) DO UPDATE SET number = excluded.number, bytes = excluded.bytes
			WHERE excluded.number >= number`,
			tableID, snapshot.Number, blob(snapshot.Bytes))
		return err
	})
	if err != nil {
		return fmt.Errorf("save snapshot %d of table %q: %w", snapshot.Number, tableID, err)
	}
	return nil
}

// Snapshot implements store.Store.
func (s *Store) Snapshot(ctx context.Context, tableID string) (store.Snapshot, error) {
	var snapshot store.Snapshot
	err := s.read(ctx, `SELECT number, bytes FROM snapshots WHERE table_id = ?`, tableID).
		scan(&snapshot.Number, &snapshot.Bytes)
	if err != nil {
		return store.Snapshot{}, fmt.Errorf("snapshot of table %q: %w", tableID, err)
	}
	return snapshot, nil
}
