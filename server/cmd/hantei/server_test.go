package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestMain lets the test binary be the program itself, for tests that kill it.
func TestMain(m *testing.M) {
	if args := os.Getenv("HANTEI_TEST_ARGS"); args != "" {
		os.Exit(run(context.Background(), strings.Split(args, "\n"), os.Stdout, os.Stderr))
	}
	if size := os.Getenv("HANTEI_TEST_BARE"); size != "" {
		n, err := strconv.Atoi(size)
		if err == nil {
			err = bare(n)
		}
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// server is a running program with the addresses that it printed.
type server struct {
	grpc, http string
	admin      string // the admin's token, from the first start
	process    *os.Process
	done       chan struct{} // closed when it is gone
}

var (
	printedAddresses = regexp.MustCompile(`gRPC on (\S+), HTTP on https?://(\S+)`)
	printedToken     = regexp.MustCompile(`Admin token.*: (\S+)`)
)

// startServer runs `hantei serve` as a process of its own on a database in a
// folder, and waits until it has said where it listens.
func startServer(t testing.TB, dir string, more ...string) *server {
	t.Helper()
	args := append([]string{
		"serve", "--db", filepath.Join(dir, "hantei.db"), "--log-level", "error",
		"--http-addr", "127.0.0.1:0", "--grpc-addr", "127.0.0.1:0", "--heartbeat", "1s",
	}, more...)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "HANTEI_TEST_ARGS="+strings.Join(args, "\n"))
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-done
	})
	s := &server{process: cmd.Process, done: done}
	ready := make(chan error, 1)
	go func() {
		defer close(done)
		ready <- s.read(out)
		_, _ = io.Copy(io.Discard, out)
		_ = cmd.Wait()
	}()
	select {
	case err := <-ready:
		if err != nil {
			t.Fatal(err)
		}
	case <-time.After(30 * time.Second):
		t.Fatal("the server does not start")
	}
	return s
}

// read takes what the server prints until it knows all.
func (s *server) read(out io.Reader) error {
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if m := printedToken.FindStringSubmatch(lines.Text()); m != nil {
			s.admin = m[1]
		}
		if m := printedAddresses.FindStringSubmatch(lines.Text()); m != nil {
			s.grpc, s.http = m[1], m[2]
			return nil
		}
	}
	return fmt.Errorf("the server ended before it listened (%v)", lines.Err())
}

// kill ends the process at once, as a crash does, and waits until it is gone with
// its lock on the database.
func (s *server) kill(t testing.TB) {
	t.Helper()
	if err := s.process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-s.done
}
