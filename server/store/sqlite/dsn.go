package sqlite

import (
	"database/sql/driver"
	"net/url"
	"path/filepath"
	"strings"

	"modernc.org/sqlite"
)

// SQLite's settings hold for one connection, and database/sql may open
// connections at any time, so all of them stand in the name of the database.

// writerDSN names the database for the connection that writes.
func writerDSN(path string, o Options) string {
	q := common()
	q.Set("_journal_mode", "WAL")
	q.Set("_synchronous", "FULL")
	if o.Relaxed {
		q.Set("_synchronous", "NORMAL")
	}
	return dsn(path, q)
}

// readerDSN names the database for the connections that read.
func readerDSN(path string) string {
	q := common()
	q.Set("_query_only", "true")
	return dsn(path, q)
}

func common() url.Values {
	return url.Values{
		// Never make a database: what is missing now was there a moment ago.
		"mode":          {"rw"},
		"_busy_timeout": {"5000"}, // milliseconds
		"_foreign_keys": {"true"},
		// A transaction that begins by reading and writes later can find the
		// database changed in between; that fails at once, without a wait.
		"_txlock":    {"immediate"},
		"_dqs":       {"false"}, // "x" is a name, never a string
		"_defensive": {"true"},
		"_error_rc":  {"true"},
	}
}

func dsn(path string, q url.Values) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // a drive letter comes first
	}
	u := url.URL{Scheme: "file", Path: path, RawQuery: q.Encode()}
	return u.String()
}

// connector opens connections to what dsn names. It cannot fail: the names made
// here are well formed.
func connector(dsn string) driver.Connector {
	c, err := sqlite.NewConnector(dsn)
	if err != nil {
		panic(err)
	}
	return c
}
