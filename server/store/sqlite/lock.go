package sqlite

import (
	"errors"
	"fmt"
	"os"

	"github.com/hantei/hantei/server/store"
)

// lockFile is a file beside the database that is locked while the database is
// open. SQLite itself would let several processes take turns, but each would
// hold the state of its tables in memory and not see the others' commits.
//
// The operating system drops the lock when the process ends, however it ends.
// The file stays: whoever removed it could not know whether it is another's by
// now.
type lockFile struct {
	file *os.File
}

// errHeld says that somebody else holds the lock.
var errHeld = errors.New("lock is held")

// lock takes the lock of a database. store.ErrLocked if another has it.
func lock(database string) (*lockFile, error) {
	f, err := os.OpenFile(database+".lock", os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := tryLock(f); err != nil {
		f.Close()
		if errors.Is(err, errHeld) {
			return nil, fmt.Errorf("%w (which holds the lock file %s)", store.ErrLocked, f.Name())
		}
		return nil, fmt.Errorf("lock file %s: %w", f.Name(), err)
	}
	return &lockFile{file: f}, nil
}

// release gives the lock back.
func (l *lockFile) release() error {
	return l.file.Close()
}
