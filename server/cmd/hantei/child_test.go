package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"modernc.org/sqlite"
)

const (
	// asMain has the arguments of a process that is to be the program with all of
	// main, so that it also ends in good order when it is told to.
	asMain = "HANTEI_TEST_MAIN"
	// maxPages is set for such a process if its database may not grow beyond that
	// many pages, as if the disk were full.
	maxPages = "HANTEI_TEST_MAX_PAGES"
	// asBare has the length of the answers of a process that is to be the bare server.
	asBare = "HANTEI_TEST_BARE"
)

// TestMain lets the test binary be the program itself, or the bare server, as a
// process of its own.
func TestMain(m *testing.M) {
	if args := os.Getenv(asMain); args != "" {
		if n := os.Getenv(maxPages); n != "" {
			sqlite.RegisterConnectionHook(func(conn sqlite.ExecQuerierContext, _ string) error {
				_, err := conn.ExecContext(context.Background(), `PRAGMA max_page_count = `+n, nil)
				return err
			})
		}
		os.Args = append(os.Args[:1], strings.Split(args, "\n")...)
		main()
	}
	if size := os.Getenv(asBare); size != "" {
		n, err := strconv.Atoi(size)
		if err == nil {
			err = bare(n)
		}
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// program is a command of the program as a process of its own. env is added to its
// environment.
func program(args []string, env ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(append(os.Environ(), asMain+"="+strings.Join(args, "\n")), env...)
	return cmd
}

// child is `hantei serve` as a process that a test may kill at any moment, also
// before it listens.
type child struct {
	grpc, http string // the addresses that it printed
	admin      string // the admin's token, from the first start
	process    *os.Process
	cmd        *exec.Cmd
	ready      chan error    // one value, when it listens or has ended before
	done       chan struct{} // closed when it has ended
	stderr     output
}

var (
	printedAddresses = regexp.MustCompile(`gRPC on (\S+), HTTP on https?://(\S+)`)
	printedToken     = regexp.MustCompile(`Admin token.*: (\S+)`)
)

// read takes what the server prints until it knows all.
func (c *child) read(out io.Reader) error {
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if m := printedToken.FindStringSubmatch(lines.Text()); m != nil {
			c.admin = m[1]
		}
		if m := printedAddresses.FindStringSubmatch(lines.Text()); m != nil {
			c.grpc, c.http = m[1], m[2]
			return nil
		}
	}
	return fmt.Errorf("the server ended before it listened (%v)", lines.Err())
}

// launch starts a server on a database and does not wait. env is added to its
// environment.
func launch(t testing.TB, db string, env ...string) *child {
	t.Helper()
	c := prepare(db, env...)
	c.start(t)
	return c
}

func prepare(db string, env ...string) *child {
	c := &child{ready: make(chan error, 1), done: make(chan struct{})}
	c.cmd = program([]string{
		"serve", "--db", db, "--log-level", "error",
		"--http-addr", "127.0.0.1:0", "--grpc-addr", "127.0.0.1:0", "--heartbeat", "1s",
	}, env...)
	c.cmd.Stderr = &c.stderr
	return c
}

func (c *child) start(t testing.TB) {
	t.Helper()
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	c.process = c.cmd.Process
	t.Cleanup(func() {
		c.kill()
		if said := c.stderr.String(); t.Failed() && said != "" {
			t.Logf("the server says: %s", said)
		}
	})
	go func() {
		defer close(c.done)
		c.ready <- c.read(out)
		_, _ = io.Copy(io.Discard, out)
		_ = c.cmd.Wait()
	}()
}

// wait waits until the server listens.
func (c *child) wait(t testing.TB) {
	t.Helper()
	select {
	case err := <-c.ready:
		if err != nil {
			t.Fatalf("%v: %s", err, &c.stderr)
		}
	case <-time.After(60 * time.Second):
		t.Fatal("the server does not start")
	}
}

// kill ends the process as a crash does and waits until it is gone.
func (c *child) kill() {
	_ = c.process.Kill() // it may have ended by itself
	<-c.done
}

// stop ends the process in good order.
func (c *child) stop(t *testing.T) {
	t.Helper()
	if err := c.process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	c.ended(t, 0)
}

// ended waits for the end of the process and compares its exit code.
func (c *child) ended(t *testing.T, code int) {
	t.Helper()
	select {
	case <-c.done:
	case <-time.After(60 * time.Second):
		t.Fatal("the server does not end")
	}
	if got := c.cmd.ProcessState.ExitCode(); got != code {
		t.Errorf("exit code %d, want %d: %s", got, code, &c.stderr)
	}
}

// running is launch and wait.
func running(t testing.TB, db string, env ...string) *child {
	t.Helper()
	c := launch(t, db, env...)
	c.wait(t)
	return c
}

// fresh is a running server with a database of its own.
func fresh(t testing.TB, env ...string) *child {
	t.Helper()
	return running(t, filepath.Join(t.TempDir(), "hantei.db"), env...)
}

// refused starts a server that must not start, and must say why.
func refused(t *testing.T, c *child, why ...string) {
	t.Helper()
	c.ended(t, 1)
	for _, w := range why {
		if !strings.Contains(c.stderr.String(), w) {
			t.Errorf("%q is not in what it says: %s", w, &c.stderr)
		}
	}
	if strings.Contains(c.stderr.String(), "goroutine") {
		t.Errorf("it panicked: %s", &c.stderr)
	}
}

// output is what a process has written so far.
type output struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.String()
}

// lost reports whether an error leaves open what became of the request, so that
// a client sends it again.
func lost(err error) bool {
	if unreachable := (*url.Error)(nil); errors.As(err, &unreachable) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || strings.Contains(err.Error(), "connection reset") {
		return true
	}
	switch status.Code(err) { // Unknown for REST
	case codes.Unavailable, codes.Canceled:
		return true
	}
	return strings.Contains(err.Error(), ": 503 ")
}

// copyFile copies a file; one that is not there is left out.
func copyFile(t *testing.T, from, to string) {
	t.Helper()
	b, err := os.ReadFile(from)
	if errors.Is(err, os.ErrNotExist) {
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, b, 0o600); err != nil {
		t.Fatal(err)
	}
}

// copyDB copies a database as a crash left it into a folder of its own.
func copyDB(t *testing.T, db string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "hantei.db")
	for _, suffix := range []string{"", "-wal"} {
		copyFile(t, db+suffix, to+suffix)
	}
	return to
}
