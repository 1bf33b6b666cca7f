package sqlite

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/hantei/hantei/server/store"
)

// childDatabase is set for the test binary when it runs as the second process
// of TestKilledProcess: it names the database to append to.
const childDatabase = "HANTEI_TEST_CHILD_DATABASE"

func TestMain(m *testing.M) {
	if path := os.Getenv(childDatabase); path != "" {
		fmt.Fprintln(os.Stderr, appendForEver(path))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// appendForEver appends commits and prints the number of each that is durable.
func appendForEver(path string) error {
	ctx := context.Background()
	s, err := Open(ctx, path, Options{})
	if err != nil {
		return err
	}
	err = s.CreateTable(ctx, store.NewTable{Table: store.Table{ID: "a"}, Seat: store.Seat{ID: "gm"}})
	if err != nil && !errors.Is(err, store.ErrExists) {
		return err
	}
	head, err := s.Head(ctx, "a")
	if err != nil {
		return err
	}
	for number := head.Number + 1; ; number++ {
		if err := s.Append(ctx, "a", entry(number, 3000)); err != nil {
			return err
		}
		fmt.Println(number)
	}
}

// A process that is killed while it writes must neither lose what it has
// acknowledged nor leave half a commit, and its lock must end with it.
func TestKilledProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "hantei.db")
	for round := range 5 {
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), childDatabase+"="+path)
		child.Stderr = os.Stderr
		out, err := child.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		var acknowledged int64
		lines := bufio.NewScanner(out)
		for n := 0; lines.Scan(); n++ {
			if _, err := fmt.Sscan(lines.Text(), &acknowledged); err != nil {
				t.Fatal(err)
			}
			if n == 5 {
				if _, err := Open(t.Context(), path, Options{}); !errors.Is(err, store.ErrLocked) {
					t.Errorf("second process: got error %v, want %v", err, store.ErrLocked)
				}
			}
			if n == 20+17*round {
				child.Process.Kill()
			}
		}
		_ = child.Wait() // it was killed
		if acknowledged == 0 {
			t.Fatal("the process wrote nothing")
		}

		s := open(t, path, Options{})
		commits, err := s.Commits(t.Context(), "a", 0, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		// One more may have been written and not been told of.
		if n := int64(len(commits)); n < acknowledged || n > acknowledged+1 {
			t.Errorf("%d commits, %d were acknowledged", n, acknowledged)
		}
		for i, c := range commits {
			want := entry(int64(i+1), 3000)
			if c.Number != want.Commit.Number || len(c.Bytes) != len(want.Commit.Bytes) {
				t.Fatalf("commit %d has number %d and %d bytes", i+1, c.Number, len(c.Bytes))
			}
			if _, err := s.Request(t.Context(), "a", "seat", want.Request.ID); err != nil {
				t.Errorf("commit %d without its request: %v", c.Number, err)
			}
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
