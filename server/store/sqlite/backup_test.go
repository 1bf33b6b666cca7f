package sqlite

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/hantei/hantei/server/store"
)

// Another process writes all the time. Each backup has at least what that
// process had acknowledged before, at most what it had when it was done, and
// nothing in part.
func TestBackupUnderLoad(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "hantei.db")
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), childDatabase+"="+path)
	child.Stderr = os.Stderr
	stdout, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(stdout)
	var last int64
	next := func(until int64) int64 {
		for last < until && lines.Scan() {
			if _, err := fmt.Sscan(lines.Text(), &last); err != nil {
				t.Fatal(err)
			}
		}
		return last
	}
	heads := map[string][2]int64{}
	for i := range 5 {
		before := next(last + 40)
		out := filepath.Join(dir, fmt.Sprintf("backup %d.db", i))
		if err := Backup(t.Context(), path, out); err != nil {
			t.Fatal(err)
		}
		heads[out] = [2]int64{before, 0}
	}
	child.Process.Kill()
	end := next(1 << 40)
	_ = child.Wait() // it was killed
	for out, head := range heads {
		s := open(t, out, Options{})
		commits, err := s.Commits(t.Context(), "a", 0, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		if n := int64(len(commits)); n < head[0] || n > end+1 {
			t.Errorf("%s: %d commits; %d were acknowledged before, %d in the end", out, n, head[0], end)
		}
		for i, c := range commits {
			if c.Number != int64(i+1) {
				t.Fatalf("%s: commit %d has number %d", out, i+1, c.Number)
			}
			if _, err := s.Request(t.Context(), "a", "seat", fmt.Sprint("request-", c.Number)); err != nil {
				t.Errorf("%s: commit %d without its request: %v", out, c.Number, err)
			}
		}
		// It is a database to go on with.
		if err := s.Append(t.Context(), "a", entry(int64(len(commits)+1), 10)); err != nil {
			t.Error(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// What a crash has left in the write-ahead log is in the backup, too.
func TestBackup(t *testing.T) {
	dir := t.TempDir()
	s := open(t, filepath.Join(dir, "hantei.db"), Options{})
	table(t, s, "a")
	if err := s.Append(t.Context(), "a", entry(1, 10)); err != nil {
		t.Fatal(err)
	}
	bridge := store.NewBridge{Bridge: store.Bridge{ID: "x", Name: "X"}, Token: store.Hash{7}}
	admitted := store.Admission{TableID: "a", BridgeID: "x", BridgeName: "X", All: true}
	if err := errors.Join(s.CreateBridge(t.Context(), bridge), s.Admit(t.Context(), admitted)); err != nil {
		t.Fatal(err)
	}
	crashed := filepath.Join(dir, "crashed.db")
	for _, suffix := range []string{"", "-wal"} {
		b, err := os.ReadFile(filepath.Join(dir, "hantei.db"+suffix))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(crashed+suffix, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for name, path := range map[string]string{"closed": filepath.Join(dir, "hantei.db"), "crashed": crashed} {
		out := filepath.Join(dir, "backup of "+name)
		if err := Backup(t.Context(), path, out); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(out)
		if err != nil {
			t.Fatal(err)
		}
		if mode := info.Mode().Perm(); runtime.GOOS != "windows" && mode != 0o600 {
			t.Errorf("%s: mode %o", name, mode)
		}
		copied := open(t, out, Options{})
		wantHead(t, copied, "a", 1)
		if b, err := copied.BridgeByToken(t.Context(), bridge.Token); err != nil || b != bridge.Bridge {
			t.Errorf("%s: the bridge is %v, %v", name, b, err)
		}
		if all, err := copied.Admissions(t.Context(), "a"); err != nil || len(all) != 1 || !all[0].All {
			t.Errorf("%s: admitted are %v, %v", name, all, err)
		}
		if err := copied.Close(); err != nil {
			t.Fatal(err)
		}
	}
	wantNoPartial(t, dir)
}

func TestBackupRefuses(t *testing.T) {
	dir := t.TempDir()
	good := filepath.Join(dir, "hantei.db")
	s := open(t, good, Options{})
	table(t, s, "a")
	defer s.Close()
	write := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	there := write("there.db", "precious")
	write("stale.db-wal", "of an older file")
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	tests := []struct {
		name     string
		ctx      context.Context
		from, to string
		want     error // nil for any
	}{
		{"to a file that is there", t.Context(), good, there, store.ErrExists},
		{"onto itself", t.Context(), good, good, store.ErrExists},
		{"beside a stale log", t.Context(), good, filepath.Join(dir, "stale.db"), store.ErrExists},
		{"of nothing", t.Context(), filepath.Join(dir, "missing.db"), filepath.Join(dir, "new.db"), fs.ErrNotExist},
		{"into no folder", t.Context(), good, filepath.Join(dir, "missing", "new.db"), fs.ErrNotExist},
		{"of a text", t.Context(), write("text.db", strings.Repeat("no database\n", 100)), filepath.Join(dir, "new.db"), nil},
		{"of an empty file", t.Context(), write("empty.db", ""), filepath.Join(dir, "new.db"), nil},
		{"cancelled", cancelled, good, filepath.Join(dir, "new.db"), context.Canceled},
	}
	for _, test := range tests {
		err := Backup(test.ctx, test.from, test.to)
		if err == nil || test.want != nil && !errors.Is(err, test.want) {
			t.Errorf("%s: got error %v, want %v", test.name, err, test.want)
		}
	}
	for _, name := range []string{"new.db", "stale.db", "missing.db"} {
		if _, err := os.Lstat(filepath.Join(dir, name)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("a refused backup made %s", name)
		}
	}
	if b, err := os.ReadFile(there); err != nil || string(b) != "precious" {
		t.Errorf("the file that was there: %q, %v", b, err)
	}
	wantNoPartial(t, dir)
}

func wantNoPartial(t *testing.T, dir string) {
	t.Helper()
	left, err := filepath.Glob(filepath.Join(dir, ".*partial*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
