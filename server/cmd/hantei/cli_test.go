package main

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
)

func call(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	code = run(t.Context(), args, &out, &err)
	return code, out.String(), err.String()
}

func TestHelp(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--help"}, "Examples:"},
		{[]string{"serve", "--help"}, "--cors-origin"},
		{[]string{"play", "--help"}, "engine/coc/testdata"},
		{[]string{"demo", "--help"}, "hantei demo coc"},
		{[]string{"rules", "--help"}, "--coverage"},
		{[]string{"health", "--help"}, "--addr"},
	} {
		code, out, err := call(t, c.args...)
		if code != 0 || !strings.Contains(out, c.want) {
			t.Errorf("%v: code %d, %q, %q", c.args, code, out, err)
		}
	}
}

// TestExamples asks every command for its help, which shows how it is used.
func TestExamples(t *testing.T) {
	_, out, _ := call(t, "complete-words", "--", "")
	commands := strings.Count(out, "\n")
	if commands < 7 {
		t.Fatalf("only %d commands: %q", commands, out)
	}
	for line := range strings.Lines(out) {
		command, _, _ := strings.Cut(line, "\t")
		if code, help, _ := call(t, command, "--help"); code != 0 || !strings.Contains(help, "Examples:\n\n    hantei "+command) {
			t.Errorf("%s: code %d, no examples in %q", command, code, help)
		}
	}
}

func TestWrongCommandLine(t *testing.T) {
	for _, args := range [][]string{{"sing"}, {"serve", "--max-body=1"}, {"play"}, {"serve", "--loud"}} {
		if code, _, err := call(t, args...); code != 2 || !strings.Contains(err, "hantei:") {
			t.Errorf("%v: code %d, %q", args, code, err)
		}
	}
}

func TestVersion(t *testing.T) {
	lines := regexp.MustCompile(`^hantei \S+\ncommit \S+\ngo\d\S* \w+/\w+\n$`)
	if code, out, _ := call(t, "version"); code != 0 || !lines.MatchString(out) {
		t.Errorf("code %d, %q", code, out)
	}
	version, commit = "v1.2.3", "abcdef"
	defer func() { version, commit = "", "" }()
	if _, out, _ := call(t, "version"); !strings.HasPrefix(out, "hantei v1.2.3\ncommit abcdef\n") {
		t.Errorf("released: %q", out)
	}
}

func TestHealth(t *testing.T) {
	status := http.StatusOK
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/readyz" {
			t.Errorf("asked for %s", r.URL.Path)
		}
		w.WriteHeader(status)
	}))
	defer s.Close()
	addr := s.Listener.Addr().String()
	if code, out, err := call(t, "health", "--addr", addr); code != 0 || out != "ready\n" {
		t.Errorf("ready: code %d, %q, %q", code, out, err)
	}
	status = http.StatusServiceUnavailable
	if code, _, err := call(t, "health", "--addr", addr); code != 1 || !strings.Contains(err, "503") {
		t.Errorf("not ready: code %d, %q", code, err)
	}
	s.Close()
	if code, _, _ := call(t, "health", "--addr", addr); code != 1 {
		t.Errorf("down: code %d", code)
	}
}
