package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"github.com/hantei/hantei/server/store"
)

// Backup copies the database at path to a new file, out, whether or not another
// process has it open, and that process goes on writing meanwhile. The copy is
// the database at one moment after the call: every write that had returned by
// then is in it. Only its owner can read it. It is a database like any other, of
// the same schema; to restore, open it.
//
// out appears whole and checked or not at all. store.ErrExists if it is there
// already.
func Backup(ctx context.Context, path, out string) error {
	path, err := resolve(path)
	if err != nil {
		return fmt.Errorf("back up: %w", err)
	}
	out, err = filepath.Abs(out)
	if err != nil {
		return fmt.Errorf("back up %s: %w", path, err)
	}
	if err := backup(ctx, path, out); err != nil {
		return fmt.Errorf("back up %s to %s: %w", path, out, translate(err))
	}
	return nil
}

func backup(ctx context.Context, path, out string) error {
	// SQLite would play the write-ahead log or the journal of an older file of
	// that name into the copy, when it is opened, and so destroy it.
	for _, suffix := range []string{"", "-wal", "-shm", "-journal"} {
		switch _, err := os.Lstat(out + suffix); {
		case err == nil:
			return fmt.Errorf("%w: %s", store.ErrExists, out+suffix)
		case !errors.Is(err, os.ErrNotExist):
			return err
		}
	}
	if _, err := os.Stat(path); err != nil {
		return err
	}
	// CreateTemp gives it a mode for the owner alone. SQLite writes into a file
	// that is empty and refuses any other.
	f, err := os.CreateTemp(filepath.Dir(out), "."+filepath.Base(out)+".*.partial")
	if err != nil {
		return err
	}
	partial := f.Name()
	defer func() {
		_ = f.Close()
		_ = os.Remove(partial)
		_ = os.Remove(partial + "-journal")
	}()
	if err := copyTo(ctx, path, partial); err != nil {
		return err
	}
	if err := check(ctx, partial); err != nil {
		return fmt.Errorf("the copy is not sound, so the database may be damaged: %w", err)
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := publish(partial, out); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(out))
}

// copyTo writes a database's content into an empty file. It is read in one
// transaction, which the write-ahead log lets others write beside.
func copyTo(ctx context.Context, path, empty string) error {
	return withConn(ctx, dsn(path, common()), func(conn *sql.Conn) error {
		version, err := schemaVersion(ctx, conn)
		if err != nil {
			return err
		}
		if version == 0 {
			return errors.New("the database is empty")
		}
		_, err = conn.ExecContext(ctx, `VACUUM INTO ?`, empty)
		return err
	})
}

// check reads a database through.
func check(ctx context.Context, path string) error {
	return withConn(ctx, readerDSN(path), func(conn *sql.Conn) error {
		if _, err := schemaVersion(ctx, conn); err != nil {
			return err
		}
		var result string
		if err := conn.QueryRowContext(ctx, `PRAGMA integrity_check(1)`).Scan(&result); err != nil {
			return err
		}
		if result != "ok" {
			return errors.New(result)
		}
		return nil
	})
}

func withConn(ctx context.Context, dsn string, do func(*sql.Conn) error) (err error) {
	db := sql.OpenDB(connector(dsn))
	defer func() { err = errors.Join(err, db.Close()) }()
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	return do(conn)
}

// publish gives a finished file its name, which nothing may have by now.
func publish(partial, out string) error {
	err := os.Link(partial, out)
	if err == nil {
		return nil
	}
	if errors.Is(err, os.ErrExist) {
		return fmt.Errorf("%w: %s", store.ErrExists, out)
	}
	// The file system has no links. Whoever holds the empty file holds the name.
	f, err := os.OpenFile(out, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := os.Rename(partial, out); err != nil {
		_ = os.Remove(out)
		return err
	}
	return nil
}

// syncFolder makes a new name in a folder durable. Windows has no way to.
func syncFolder(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
