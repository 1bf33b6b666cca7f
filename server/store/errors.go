package store

import "errors"

// The errors of every backend. They come wrapped: test with errors.Is.
var (
	// ErrNotFound says that what was named does not exist.
	ErrNotFound = errors.New("not found")
	// ErrExists says that an id, a token or a request is there already.
	ErrExists = errors.New("already exists")
	// ErrConflict says that a log has gone on since its head was read.
	ErrConflict = errors.New("not at the head of the log")
	// ErrLocked says that another process has the store open.
	ErrLocked = errors.New("in use by another process")
	// ErrNewer says that a newer version of the program has written the store.
	ErrNewer = errors.New("written by a newer version")
	// ErrFull says that there is no room left to write. Nothing was written,
	// and everything can still be read.
	ErrFull = errors.New("no space left")
	// ErrReadOnly says that the store may not be written to. Nothing was
	// written, and everything can still be read.
	ErrReadOnly = errors.New("read-only")
	// ErrBusy says that somebody else kept the store locked for too long.
	// Nothing was written; trying again may help.
	ErrBusy = errors.New("busy")
	// ErrDamaged says that what is kept is not what was written.
	ErrDamaged = errors.New("damaged")
	// ErrClosed says that Close was called.
	ErrClosed = errors.New("closed")
)
