package sqlite

import (
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/hantei/hantei/server/store"
)

func TestOpenTwice(t *testing.T) {
	path := filepath.Join(t.TempDir(), "hantei.db")
	first := open(t, path, Options{})
	_, err := Open(t.Context(), path, Options{})
	if !errors.Is(err, store.ErrLocked) || !strings.Contains(err.Error(), path+".lock") {
		t.Errorf("got error %v, want %v that names the lock file", err, store.ErrLocked)
	}
	// The one that was refused has taken nothing from the first.
	if err := first.Ping(t.Context()); err != nil {
		t.Error(err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if err := open(t, path, Options{}).Close(); err != nil {
		t.Fatal(err)
	}
}

func TestOpenTwiceThroughLink(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "hantei.db")
	link := filepath.Join(dir, "link.db")
	if err := os.Symlink(path, link); err != nil {
		t.Skip(err)
	}
	s := open(t, path, Options{})
	defer s.Close()
	if _, err := Open(t.Context(), link, Options{}); !errors.Is(err, store.ErrLocked) {
		t.Errorf("got error %v, want %v", err, store.ErrLocked)
	}
}

func TestOpenAnyName(t *testing.T) {
	names := []string{"a b.db", "100%.db", "%41.db", "a&b=c.db", "a#b.db", "判定.db", "a+b.db"}
	if runtime.GOOS != "windows" {
		names = append(names, "a?b.db", "a\\b.db", "a:b.db")
	}
	for _, name := range names {
		dir := t.TempDir()
		if err := open(t, filepath.Join(dir, name), Options{}).Close(); err != nil {
			t.Fatal(err)
		}
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, e := range entries {
			got = append(got, e.Name())
		}
		if len(got) != 2 || got[0] != name || got[1] != name+".lock" {
			t.Errorf("%s: the folder has %q after Close", name, got)
		}
	}
}

func TestOpenIsPrivate(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no modes")
	}
	path := filepath.Join(t.TempDir(), "hantei.db")
	s := open(t, path, Options{})
	defer s.Close()
	for _, suffix := range []string{"", "-wal", "-shm", ".lock"} {
		info, err := os.Stat(path + suffix)
		if err != nil {
			t.Fatal(err)
		}
		if mode := info.Mode().Perm(); mode != 0o600 {
			t.Errorf("%s: mode %o", info.Name(), mode)
		}
	}
}

func TestOpenMissingFolder(t *testing.T) {
	_, err := Open(t.Context(), filepath.Join(t.TempDir(), "missing", "hantei.db"), Options{})
	if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "missing") {
		t.Errorf("got error %v, want one that names the folder", err)
	}
}

func TestOpenFolder(t *testing.T) {
	dir := t.TempDir()
	defer os.Remove(dir + ".lock")
	if _, err := Open(t.Context(), dir, Options{}); err == nil {
		t.Error("opened a folder")
	}
}

func TestOpenOtherFiles(t *testing.T) {
	dir := t.TempDir()
	text := filepath.Join(dir, "text.db")
	if err := os.WriteFile(text, []byte(strings.Repeat("not a database\n", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(dir, "other.db")
	db, err := sql.Open("sqlite", other)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(`CREATE TABLE tables (id TEXT)`); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{text, other} {
		// Twice: a failed Open must give the lock back.
		for range 2 {
			if _, err := Open(t.Context(), path, Options{}); err == nil || errors.Is(err, store.ErrLocked) {
				t.Errorf("%s: got error %v", path, err)
			}
		}
	}
}
