package sqlite

import (
	"context"
	"database/sql"
	"math"
	"runtime"
	"sync"

	"github.com/hantei/hantei/server/store"
)

// readers is a pool of connections that only read. They see every commit that
// the writer has finished, and do not wait for it.
type readers struct {
	db *sql.DB

	open   sync.RWMutex // held for reading by each read, for writing by close
	closed bool

	mu       sync.Mutex
	prepared map[string]*sql.Stmt
}

func openReaders(path string) *readers {
	db := sql.OpenDB(connector(readerDSN(path)))
	n := runtime.GOMAXPROCS(0) + 2
	db.SetMaxOpenConns(n)
	db.SetMaxIdleConns(n)
	return &readers{db: db, prepared: map[string]*sql.Stmt{}}
}

// prepare returns the statement for a query, which stays for the next time.
func (r *readers) prepare(ctx context.Context, query string) (*sql.Stmt, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if stmt := r.prepared[query]; stmt != nil {
		return stmt, nil
	}
	stmt, err := r.db.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	r.prepared[query] = stmt
	return stmt, nil
}

// close waits for the reads that have begun.
func (r *readers) close() error {
	r.open.Lock()
	defer r.open.Unlock()
	r.closed = true
	return r.db.Close()
}

// query is a question that is asked when its answer is read, with scan or each.
type query struct {
	readers *readers
	ctx     context.Context
	sql     string
	args    []any
}

// read returns a query for one of the readers.
func (s *Store) read(ctx context.Context, sql string, args ...any) query {
	return query{readers: s.readers, ctx: ctx, sql: sql, args: args}
}

// scanner reads the columns of one row.
type scanner func(into ...any) error

// scan reads the only row. store.ErrNotFound if there is none.
func (q query) scan(into ...any) error {
	found := false
	err := q.each(func(scan scanner) error {
		found = true
		return scan(into...)
	})
	if err == nil && !found {
		return store.ErrNotFound
	}
	return err
}

// each calls row for every row.
func (q query) each(row func(scanner) error) error {
	q.readers.open.RLock()
	defer q.readers.open.RUnlock()
	if q.readers.closed {
		return store.ErrClosed
	}
	return translate(q.run(row))
}

// list reads all rows, each with row.
func list[T any](q query, row func(scanner) (T, error)) ([]T, error) {
	var all []T
	err := q.each(func(scan scanner) error {
		one, err := row(scan)
		all = append(all, one)
		return err
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}

// page reads a page of a list, newest first, each row with row, which says where it
// stands. The query's last parameters are the position before which the page begins,
// and how many rows it may have.
func page[T any](ctx context.Context, s *Store, p store.Page, row func(scanner, *store.Position) (T, error), sql string, args ...any) ([]T, store.Position, error) {
	before := int64(p.After)
	if before == 0 {
		before = math.MaxInt64
	}
	limit := max(p.Limit, 1)
	var last, end store.Position
	// One row more than asked for tells whether there is another page.
	all, err := list(s.read(ctx, sql, append(args, before, limit+1)...), func(scan scanner) (T, error) {
		end = last
		return row(scan, &last)
	})
	if err != nil || len(all) <= limit {
		return all, 0, err
	}
	return all[:limit], end, nil
}

func (q query) run(row func(scanner) error) error {
	stmt, err := q.readers.prepare(q.ctx, q.sql)
	if err != nil {
		return err
	}
	rows, err := stmt.QueryContext(q.ctx, q.args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := row(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}
