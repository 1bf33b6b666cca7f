package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
)

// The admin's token is renewed while the server is stopped, and then alone.
func TestAdminToken(t *testing.T) {
	db := filepath.Join(t.TempDir(), "hantei.db")
	renew := func() (code int, out, why string) {
		var stdout, stderr bytes.Buffer
		code = run(t.Context(), []string{"admin-token", "--db", db}, &stdout, &stderr)
		return code, stdout.String(), stderr.String()
	}
	if code, out, why := renew(); code != 1 || out != "" || !strings.Contains(why, "no such file") {
		t.Errorf("without a database: %d, %q, %q", code, out, why)
	}

	s := running(t, db)
	if code, out, why := renew(); code != 1 || out != "" || !strings.Contains(why, "stop it first") {
		t.Errorf("while the server runs: %d, %q, %q", code, out, why)
	}
	s.stop(t)
	old := s.admin

	code, out, why := renew()
	_, token, ok := strings.Cut(strings.TrimSpace(out), ": ")
	if code != 0 || !ok || token == old {
		t.Fatalf("%d, %q, %q", code, out, why)
	}
	s = running(t, db)
	for name, c := range map[string]struct {
		token string
		good  bool
	}{"old": {old, false}, "new": {token, true}} {
		err := (rest{s.http}).call(c.token, createTable(), &hanteiv1.CreateTableRequest{Name: "Test", Ruleset: "coc"}, &hanteiv1.CreateTableResponse{})
		if (err == nil) != c.good || !c.good && !strings.Contains(err.Error(), "TOKEN_UNKNOWN") {
			t.Errorf("the %s token: %v", name, err)
		}
	}
}
