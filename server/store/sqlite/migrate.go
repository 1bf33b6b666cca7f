package sqlite

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"

	"github.com/hantei/hantei/server/store"
)

// The schema is the sum of dated files, YYYYMMDD_subject.sql, each run once, in
// order. A file that has been released is never changed: what must become
// different gets a new file.
//
// The date of the last file that was run is the database's user_version.

//go:embed schema/*.sql
var schemaFiles embed.FS

// applicationID marks a database as ours: "Hant" in ASCII.
const applicationID = 0x48616e74

// migration is one file of the schema.
type migration struct {
	version int // the date, as the number YYYYMMDD
	name    string
	sql     string
}

// schema returns this program's migrations. It cannot fail: a test reads them.
func schema() []migration {
	all, err := migrations(schemaFiles)
	if err != nil {
		panic(err)
	}
	return all
}

// migrations reads the files of a folder named schema, in order.
func migrations(files fs.FS) ([]migration, error) {
	names, err := fs.Glob(files, "schema/*.sql")
	if err != nil {
		return nil, err
	}
	var all []migration // Glob returns names in order
	for _, name := range names {
		date, _, _ := strings.Cut(path.Base(name), "_")
		version, err := strconv.Atoi(date)
		if err != nil || len(date) != len("YYYYMMDD") {
			return nil, fmt.Errorf("%s: no date at the beginning", name)
		}
		if n := len(all); n > 0 && all[n-1].version == version {
			return nil, fmt.Errorf("%s: same date as %s", name, all[n-1].name)
		}
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		all = append(all, migration{version: version, name: name, sql: string(text)})
	}
	return all, nil
}

// migrate runs the migrations that a database has not seen yet, each in a
// transaction of its own. store.ErrNewer if it has seen one that is not here.
func migrate(ctx context.Context, conn *sql.Conn, all []migration) error {
	version, err := schemaVersion(ctx, conn)
	if err != nil {
		return err
	}
	if newest := all[len(all)-1].version; version > newest {
		return fmt.Errorf("%w: its schema is of %d, this program's of %d", store.ErrNewer, version, newest)
	}
	for _, m := range all {
		if m.version <= version {
			continue
		}
		if err := m.run(ctx, conn); err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
	}
	return nil
}

// schemaVersion returns the version of a database, 0 if it is empty, and an
// error if it belongs to another program.
func schemaVersion(ctx context.Context, conn *sql.Conn) (int, error) {
	var application, version, objects int
	err := conn.QueryRowContext(ctx, `
		SELECT application_id, user_version, (SELECT count(*) FROM sqlite_schema)
		FROM pragma_application_id, pragma_user_version`,
	).Scan(&application, &version, &objects)
	if err != nil {
		return 0, err
	}
	if application != applicationID && (application != 0 || version != 0 || objects != 0) {
		return 0, errors.New("the file is another program's database")
	}
	return version, nil
}

// run applies a migration and notes that in the same transaction.
func (m migration) run(ctx context.Context, conn *sql.Conn) error {
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	// A pragma takes no parameters.
	note := fmt.Sprintf(`PRAGMA application_id = %d; PRAGMA user_version = %d`, applicationID, m.version)
	for _, query := range []string{m.sql, note} {
		if _, err := tx.ExecContext(ctx, query); err != nil {
			return err
		}
	}
	return tx.Commit()
}
