// Package sqlite keeps the store in one SQLite database file. One process at a
// time may have it open.
package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/hantei/hantei/server/store"
)

// Options say how to open a database.
type Options struct {
	// Relaxed has commits return before they are on the disk. If the machine
	// loses power, the last ones may be lost; the database stays whole, and a
	// crash of the process alone loses nothing.
	Relaxed bool
}

// Store is a database file. See store.Store for what it does.
type Store struct {
	lock    *lockFile
	writer  *writer
	readers *readers

	close    sync.Once
	closeErr error
}

var _ store.Store = (*Store)(nil)

// Open opens the database at path, makes it if it is not there, and brings its
// schema up to date. The folder must exist. store.ErrLocked if another process
// (or this one) has it open; store.ErrNewer if a newer version of the program
// has changed its schema.
//
// Beside the database lie its write-ahead log (-wal), that log's index (-shm)
// and a lock file (.lock). Only the last stays after Close; it is empty.
func Open(ctx context.Context, path string, o Options) (_ *Store, err error) {
	path, err = resolve(path)
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	s := &Store{}
	// The lock comes first: until it is held, nothing may touch the database.
	s.lock, err = lock(path)
	if err != nil {
		return nil, fmt.Errorf("open database %s: %w", path, err)
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("open database %s: %w", path, err)
			s.lock.release()
		}
	}()
	if err := touch(path); err != nil {
		return nil, err
	}
	s.writer, err = openWriter(ctx, path, o)
	if err != nil {
		return nil, err
	}
	s.readers = openReaders(path)
	if err := s.Ping(ctx); err != nil {
		return nil, errors.Join(err, s.readers.close(), s.writer.close())
	}
	return s, nil
}

// Ping implements store.Store. It takes the write lock, as a commit would.
func (s *Store) Ping(ctx context.Context) error {
	if err := s.write(ctx, func(*tx) error { return nil }); err != nil {
		return fmt.Errorf("ping: %w", err)
	}
	var one int
	if err := s.read(ctx, `SELECT 1`).scan(&one); err != nil {
		return fmt.Errorf("ping: %w", err)
	}
	return nil
}

// Close implements store.Store.
func (s *Store) Close() error {
	s.close.Do(func() {
		// The writer is the last to close its connection, since the last one
		// folds the write-ahead log into the database.
		s.closeErr = errors.Join(s.readers.close(), s.writer.close(), s.lock.release())
	})
	return s.closeErr
}

// resolve makes path absolute and follows symbolic links, so that every name of
// a database has the same lock file.
func resolve(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	target, err := filepath.EvalSymlinks(path)
	if errors.Is(err, os.ErrNotExist) {
		// There is no database yet; its folder may still be a link.
		var dir string
		dir, err = filepath.EvalSymlinks(filepath.Dir(path))
		target = filepath.Join(dir, filepath.Base(path))
	}
	return target, err
}

// touch makes an empty database that only its owner can read, since the
// server's keys are in it. SQLite gives the files beside it the same mode.
func touch(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}
