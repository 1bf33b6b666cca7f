package sqlite

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/hantei/hantei/server/store"
)

// Append implements store.Store.
func (s *Store) Append(ctx context.Context, tableID string, e store.Entry) error {
	err := s.write(ctx, func(tx *tx) error {
		if err := insertCommit(tx, tableID, e.Commit); err != nil {
			return err
		}
		for _, c := range e.Characters {
			if err := setCharacters(tx, tableID, c); err != nil {
				return err
			}
		}
		if u := e.Table; u.Name != nil || u.Options != nil || u.WakeTimeMS != nil {
			if err := updateTable(tx, tableID, e.Table); err != nil {
				return err
			}
		}
		return insertRequest(tx, tableID, e.Request)
	})
	if err != nil {
		return fmt.Errorf("append commit %d to table %q: %w", e.Commit.Number, tableID, err)
	}
	return nil
}

// insertCommit adds a commit if it follows the head.
func insertCommit(tx *tx, tableID string, c store.Commit) error {
	if c.Number > 1 && c.Events >= 0 {
		// It follows the head if the commit before it ends where it begins and it is
		// not there itself, which would break the key. Mostly it does, and one
		// statement tells and writes.
		n, err := tx.exec(`
			INSERT OR IGNORE INTO commits (table_id, number, first_event, events, bytes, sum)
			SELECT table_id, number + 1, first_event + events, ?, ?, ? FROM commits
			WHERE table_id = ? AND number = ? AND first_event + events = ?`,
			c.Events, blob(c.Bytes), commitSum(tableID, c), tableID, c.Number-1, c.FirstEvent)
		if err != nil || n == 1 {
			return err
		}
	}
	// Nobody else can move the head in between: there is one writer.
	var head store.Head
	if err := tx.row(selectHead, tableID)(&head.Number, &head.NextEvent); err != nil {
		return err
	}
	if !head.Next(c) {
		return fmt.Errorf("%w: the head is %d", store.ErrConflict, head.Number)
	}
	_, err := tx.exec(`INSERT INTO commits (table_id, number, first_event, events, bytes, sum) VALUES (?, ?, ?, ?, ?, ?)`,
		tableID, c.Number, c.FirstEvent, c.Events, blob(c.Bytes), commitSum(tableID, c))
	return err
}

// commitSum is the checksum of a commit's row.
func commitSum(tableID string, c store.Commit) int64 {
	return sumOf(tableID, c.Number, c.FirstEvent, int64(c.Events), c.Bytes)
}

// selectHead finds one row for every table, also for one whose log is empty.
const selectHead = `
	SELECT coalesce(c.number, 0), coalesce(c.first_event + c.events, 1)
	FROM tables t
	LEFT JOIN commits c ON c.table_id = t.id
		AND c.number = (SELECT max(number) FROM commits WHERE table_id = t.id)
	WHERE t.id = ?`

// Head implements store.Store.
func (s *Store) Head(ctx context.Context, tableID string) (store.Head, error) {
	var head store.Head
	if err := s.read(ctx, selectHead, tableID).scan(&head.Number, &head.NextEvent); err != nil {
		return store.Head{}, fmt.Errorf("head of table %q: %w", tableID, err)
	}
	return head, nil
}

// Commits implements store.Store.
func (s *Store) Commits(ctx context.Context, tableID string, after int64, limit int) ([]store.Commit, error) {
	commits, err := list(s.read(ctx, `
		SELECT number, first_event, events, bytes, sum FROM commits
		WHERE table_id = ? AND number > ? ORDER BY number LIMIT ?`,
		tableID, after, max(limit, 1),
	), func(scan scanner) (c store.Commit, err error) {
		var sum sql.NullInt64
		err = scan(&c.Number, &c.FirstEvent, &c.Events, &c.Bytes, &sum)
		if err == nil && sum.Valid && sum.Int64 != commitSum(tableID, c) {
			err = fmt.Errorf("commit %d: %w", c.Number, store.ErrDamaged)
		}
		return c, err
	})
	if err == nil && len(commits) == 0 {
		err = s.exists(ctx, tableID)
	}
	if err != nil {
		return nil, fmt.Errorf("commits of table %q: %w", tableID, err)
	}
	return commits, nil
}

// CommitOfEvent implements store.Store. Numbers have no gaps and first events
// never fall, so it halves the log until one commit is left; an index would
// have to be written with every append, for a question that is seldom asked.
func (s *Store) CommitOfEvent(ctx context.Context, tableID string, event int64) (int64, error) {
	number, err := s.commitOfEvent(ctx, tableID, event)
	if err != nil {
		return 0, fmt.Errorf("commit of event %d of table %q: %w", event, tableID, err)
	}
	return number, nil
}

func (s *Store) commitOfEvent(ctx context.Context, tableID string, event int64) (int64, error) {
	head, err := s.Head(ctx, tableID)
	if err != nil {
		return 0, err
	}
	if event < 1 || event >= head.NextEvent {
		return 0, store.ErrNotFound
	}
	// The event is in one of the commits from low to high: the last one that
	// begins with it or before it.
	low, high := int64(1), head.Number
	for low < high {
		middle := (low + high + 1) / 2
		var first int64
		err := s.read(ctx, `SELECT first_event FROM commits WHERE table_id = ? AND number = ?`,
			tableID, middle).scan(&first)
		if err != nil {
			return 0, err
		}
		if first <= event {
			low = middle
		} else {
			high = middle - 1
		}
	}
	return low, nil
}

// exists returns store.ErrNotFound if there is no such table.
func (s *Store) exists(ctx context.Context, tableID string) error {
	var one int
	return s.read(ctx, `SELECT 1 FROM tables WHERE id = ?`, tableID).scan(&one)
}
