package sqlite

import (
	"database/sql"
	"errors"
	"fmt"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"github.com/hantei/hantei/server/store"
)

// translate adds the store's error to one of SQLite's, where there is one.
func translate(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return store.ErrNotFound
	}
	var failure *sqlite.Error
	if !errors.As(err, &failure) {
		return err
	}
	if meaning := meaning(failure.Code()); meaning != nil {
		return fmt.Errorf("%w: %w", meaning, err)
	}
	return err
}

// meaning is the store's error for a result code; nil if it has none. A code's
// lowest byte is the primary code; what is above it tells kinds apart, and only
// broken constraints are told apart here.
func meaning(code int) error {
	switch code {
	case lib.SQLITE_CONSTRAINT_FOREIGNKEY:
		return store.ErrNotFound
	case lib.SQLITE_CONSTRAINT_PRIMARYKEY, lib.SQLITE_CONSTRAINT_UNIQUE:
		return store.ErrExists
	}
	switch code & 0xff {
	case lib.SQLITE_FULL:
		return store.ErrFull
	case lib.SQLITE_READONLY:
		return store.ErrReadOnly
	case lib.SQLITE_BUSY, lib.SQLITE_LOCKED:
		return store.ErrBusy
	}
	return nil
}
