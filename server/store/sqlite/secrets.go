package sqlite

import (
	"context"
	"errors"
	"fmt"

	"github.com/hantei/hantei/server/store"
)

// Secret implements store.Store.
func (s *Store) Secret(ctx context.Context, name string, generate func() []byte) ([]byte, error) {
	var secret []byte
	err := s.read(ctx, `SELECT value FROM secrets WHERE name = ?`, name).scan(&secret)
	if errors.Is(err, store.ErrNotFound) {
		secret, err = s.firstSecret(ctx, name, generate())
	}
	if err != nil {
		return nil, fmt.Errorf("secret %q: %w", name, err)
	}
	return secret, nil
}

// firstSecret stores a secret unless there is one by now, and returns the one
// that is stored.
func (s *Store) firstSecret(ctx context.Context, name string, proposed []byte) ([]byte, error) {
	var secret []byte
	err := s.write(ctx, func(tx *tx) error {
		_, err := tx.exec(`INSERT INTO secrets (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING`,
			name, blob(proposed))
		if err != nil {
			return err
		}
		return tx.row(`SELECT value FROM secrets WHERE name = ?`, name)(&secret)
	})
	return secret, err
}

// SetSecret implements store.Store.
func (s *Store) SetSecret(ctx context.Context, name string, value []byte) error {
	err := s.write(ctx, func(tx *tx) error {
		_, err := tx.exec(`INSERT INTO secrets (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value`,
			name, blob(value))
		return err
	})
	if err != nil {
		return fmt.Errorf("set secret %q: %w", name, err)
	}
	return nil
}
