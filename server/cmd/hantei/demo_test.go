package main

import (
	"bytes"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestDemo runs the demo and does with what it prints what a newcomer does:
// paste it into a shell. The sentences that come back are in testdata.
func TestDemo(t *testing.T) {
	for _, tool := range []string{"sh", "curl", "grep"} {
		if _, err := exec.LookPath(tool); err != nil {
			if os.Getenv("CI") != "" {
				t.Fatalf("CI needs %s", tool)
			}
			t.Skipf("no %s on this machine", tool)
		}
	}
	printed := startDemo(t)
	if !strings.Contains(printed, "dice are fixed") {
		t.Error("the demo does not say that its dice are fixed")
	}
	var script strings.Builder
	for line := range strings.Lines(printed) {
		switch {
		case regexp.MustCompile(`^([A-Z]+=|say\(\))`).MatchString(line), strings.HasPrefix(line, `curl -s "`):
			script.WriteString(line)
		case strings.HasPrefix(line, "# "):
			script.WriteString("printf '%s\\n' " + quoted(strings.TrimSpace(line)) + "\n")
		}
	}
	cmd := exec.Command("sh", "-c", script.String())
	cmd.Dir = t.TempDir() // where the pictures go
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	// The looks at the tables are long, and tested elsewhere: here they have to come.
	look := regexp.MustCompile(`(?m)^(# The .*table as .*)\n\{.*"offers":\[.*?\}\n?(# |$)`)
	if n := len(look.FindAll(out, -1)); n != 2 {
		t.Errorf("%d looks at tables", n)
	}
	golden(t, filepath.Join("testdata", "demo.txt"), look.ReplaceAll(out, []byte("$1\n...\n$2")))
	// What nobody has found is in the keeper's picture alone.
	for name, all := range map[string]bool{"known.svg": false, "dungeon.svg": true} {
		picture, err := os.ReadFile(filepath.Join(cmd.Dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.HasPrefix(picture, []byte("<svg")) || bytes.Contains(picture, []byte("Pitfall")) != all {
			t.Errorf("%s:\n%s", name, picture)
		}
	}
}

// TestDemoLetsFoundryIn asks as the page of a Foundry on this machine does, whose
// GM has started the demo by a double click.
func TestDemoLetsFoundryIn(t *testing.T) {
	url := regexp.MustCompile(`(?m)^URL=(.*)$`).FindStringSubmatch(startDemo(t))
	if url == nil {
		t.Fatal("no URL was printed")
	}
	for origin, want := range map[string]string{
		"http://localhost:30000": "http://localhost:30000", "http://127.0.0.1:30000": "http://127.0.0.1:30000",
		"http://localhost:30001": "", "https://vtt.example": "",
	} {
		r, err := http.NewRequest(http.MethodGet, url[1]+"/v1/rulesets", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Origin", origin)
		got, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = got.Body.Close()
		if allowed := got.Header.Get("Access-Control-Allow-Origin"); got.StatusCode != http.StatusOK || allowed != want {
			t.Errorf("%s: %d, %q may read it", origin, got.StatusCode, allowed)
		}
	}
}

func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// startDemo runs `hantei demo` and returns what it printed.
func startDemo(t *testing.T) string {
	t.Helper()
	args := []string{"demo", "--db", filepath.Join(t.TempDir(), "demo.db"), "--http-addr", "127.0.0.1:0", "--grpc-addr", "127.0.0.1:0"}
	cmd := program(args)
	cmd.Stderr = os.Stderr
	file, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	cmd.Stdout = file
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	for range 300 {
		b, err := os.ReadFile(file.Name())
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(b, []byte("-o dungeon.svg")) && bytes.HasSuffix(b, []byte("\n\n")) {
			return string(b)
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatal("the demo printed nothing to paste")
	return ""
}
