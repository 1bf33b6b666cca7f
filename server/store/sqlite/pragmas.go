package sqlite

import (
	"context"
	"fmt"
)

// Pragmas returns settings of the connection that writes, as SQLite itself
// gives them, for diagnostics.
func (s *Store) Pragmas(ctx context.Context) (map[string]string, error) {
	names := []string{
		"application_id", "busy_timeout", "foreign_keys", "journal_mode", "synchronous", "user_version",
	}
	values := map[string]string{}
	err := s.write(ctx, func(tx *tx) error {
		for _, name := range names {
			var value string
			if err := tx.row(`PRAGMA ` + name)(&value); err != nil {
				return err
			}
			values[name] = value
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read pragmas: %w", err)
	}
	return values, nil
}
