package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime"
	"sync"

	"github.com/hantei/hantei/server/store"
)

// maxBatch is how many writes may share a commit. It bounds how long the first
// of them waits; the disk's speed keeps batches smaller than this.
const maxBatch = 256

// writer owns the only connection that writes. Its goroutine gathers the writes
// that wait and commits them together, since a commit waits for the disk about
// as long for many writes as for one. A write alone is committed at once.
type writer struct {
	db      *sql.DB
	tx      *tx
	relaxed bool
	jobs    chan *job // without a buffer: a job that was sent is being written

	closing chan struct{} // closed when no more jobs are taken
	stopped chan struct{} // closed when the goroutine has ended
	once    sync.Once
}

// job is one write.
type job struct {
	do   func(*tx) error
	err  error
	done chan struct{} // closed when err holds and do's changes are durable
}

func openWriter(ctx context.Context, path string, o Options) (_ *writer, err error) {
	db := sql.OpenDB(connector(writerDSN(path, o)))
	db.SetMaxOpenConns(1)
	defer func() {
		if err != nil {
			db.Close()
		}
	}()
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, translate(err)
	}
	if err := migrate(ctx, conn, schema()); err != nil {
		conn.Close()
		return nil, translate(err)
	}
	w := &writer{
		db:      db,
		relaxed: o.Relaxed,
		tx:      &tx{conn: conn, prepared: map[string]*sql.Stmt{}},
		jobs:    make(chan *job),
		closing: make(chan struct{}),
		stopped: make(chan struct{}),
	}
	go w.run()
	return w, nil
}

// write runs do in a transaction and returns when it is durable. The context
// counts until the writer begins with it.
func (s *Store) write(ctx context.Context, do func(*tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	j := &job{do: do, done: make(chan struct{})}
	select {
	case s.writer.jobs <- j:
		<-j.done
		return translate(j.err)
	case <-ctx.Done():
		return ctx.Err()
	case <-s.writer.closing:
		return store.ErrClosed
	}
}

// run writes what comes until the writer is closed.
func (w *writer) run() {
	defer close(w.stopped)
	for {
		select {
		case j := <-w.jobs:
			batch := w.gather(j)
			w.commit(batch)
			for _, j := range batch {
				close(j.done)
			}
		case <-w.closing:
			return
		}
	}
}

// gather returns the first job and those that wait already. Where nobody waits
// for the disk, a commit takes less time than the writes that come meanwhile need
// to arrive: then those that are on the way are let in, as long as some come.
func (w *writer) gather(first *job) []*job {
	batch, seen := []*job{first}, 0
	for len(batch) < maxBatch {
		select {
		case j := <-w.jobs:
			batch = append(batch, j)
		default:
			if !w.relaxed || len(batch) == seen {
				return batch
			}
			seen = len(batch)
			runtime.Gosched()
		}
	}
	return batch
}

// commit writes a batch in one transaction and sets each job's error. A job
// that fails leaves nothing behind and does not disturb the others.
func (w *writer) commit(batch []*job) {
	err := w.attempt(batch)
	if err == nil {
		return
	}
	// SQLite may have ended the transaction by itself; then this fails, and
	// there is nothing to take back.
	_, _ = w.tx.exec(`ROLLBACK`)
	for _, j := range batch {
		if j.err == nil {
			j.err = err
		}
	}
}

// attempt is commit up to an error that concerns the whole batch.
func (w *writer) attempt(batch []*job) error {
	if _, err := w.tx.exec(`BEGIN IMMEDIATE`); err != nil {
		return err
	}
	for _, j := range batch {
		if err := w.isolate(j); err != nil {
			return err
		}
	}
	_, err := w.tx.exec(`COMMIT`)
	return err
}

// isolate runs one job so that only its own changes are taken back if it fails.
func (w *writer) isolate(j *job) error {
	if _, err := w.tx.exec(`SAVEPOINT job`); err != nil {
		return err
	}
	j.err = j.do(w.tx)
	if j.err != nil {
		if _, err := w.tx.exec(`ROLLBACK TO job`); err != nil {
			// The savepoint is gone, and with it the transaction: SQLite drops
			// it on its own when the disk is full or fails.
			return j.err
		}
	}
	_, err := w.tx.exec(`RELEASE job`)
	return err
}

// close ends the goroutine after what it has begun, and then the connection.
func (w *writer) close() error {
	w.once.Do(func() { close(w.closing) })
	<-w.stopped
	return errors.Join(w.tx.close(), w.db.Close())
}

// tx runs statements on the writer's connection, in its open transaction. Only
// the writer's goroutine uses it.
type tx struct {
	conn     *sql.Conn
	prepared map[string]*sql.Stmt
}

// exec runs a statement and says how many rows it changed.
func (t *tx) exec(query string, args ...any) (int64, error) {
	stmt, err := t.prepare(query)
	if err != nil {
		return 0, err
	}
	r, err := stmt.ExecContext(context.Background(), args...)
	if err != nil {
		return 0, err
	}
	return r.RowsAffected()
}

// row reads the first row that a query finds. sql.ErrNoRows if it finds none.
func (t *tx) row(query string, args ...any) scanner {
	return func(into ...any) error {
		stmt, err := t.prepare(query)
		if err != nil {
			return err
		}
		return stmt.QueryRowContext(context.Background(), args...).Scan(into...)
	}
}

// prepare returns the statement for a query, which stays for the next time.
func (t *tx) prepare(query string) (*sql.Stmt, error) {
	if stmt := t.prepared[query]; stmt != nil {
		return stmt, nil
	}
	stmt, err := t.conn.PrepareContext(context.Background(), query)
	if err != nil {
		return nil, fmt.Errorf("prepare %s: %w", query, err)
	}
	t.prepared[query] = stmt
	return stmt, nil
}

// close closes the statements and the connection. A statement that was prepared
// on a connection is not closed with it, and would keep the database open.
func (t *tx) close() error {
	var errs []error
	for _, stmt := range t.prepared {
		errs = append(errs, stmt.Close())
	}
	return errors.Join(append(errs, t.conn.Close())...)
}
