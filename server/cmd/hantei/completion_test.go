package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestComplete(t *testing.T) {
	for _, c := range []struct {
		typed string // after "hantei "; the last word is completed
		want  []string
		not   string
	}{
		{"", []string{"serve", "demo", "completion"}, "complete-words"},
		{"ser", []string{"serve"}, "demo"},
		{"--h", []string{"--help"}, "serve"},
		{"serve ", []string{"--db", "--log-level"}, "demo"},
		{"serve --log", []string{"--log-level", "--log-format"}, "--db"},
		{"serve --log-level ", []string{"debug", "info", "warn", "error"}, "--db"},
		{"serve --log-level = de", []string{"debug"}, "info"}, // as bash has it
		{"serve --log-level =", []string{"debug"}, "--db"},
		{"serve --log-level=de", []string{"--log-level=debug"}, "--log-level=info"},
		{"serve --log-level info --log-f", []string{"--log-format"}, "--log-level"},
		{"rules ", []string{"coc"}, "--coverage"},
		{"rules coc --cov", []string{"--coverage"}, "coc"},
		{"rules --coverage c", []string{"coc"}, "--coverage"},
		{"completion ", []string{"bash", "zsh", "fish"}, ""},
		{"demo ", []string{"coc"}, "--db"},
		{"demo coc --lang ", []string{"en", "ja"}, "--db"},
		// Files follow, which shells know better.
		{"play ", nil, "--verbose"},
		{"play -v ex", nil, "--verbose"},
		{"serve --db ", nil, "--db"},
		{"serve --nonsense=", nil, "--db"},
	} {
		words := append([]string{"complete-words", "--"}, strings.Split(c.typed, " ")...)
		code, out, err := call(t, words...)
		if code != 0 || err != "" {
			t.Errorf("%q: code %d, %q", c.typed, code, err)
		}
		var got []string
		for line := range strings.Lines(out) {
			text, _, _ := strings.Cut(line, "\t")
			got = append(got, text)
		}
		for _, w := range c.want {
			if !slices.Contains(got, w) {
				t.Errorf("%q: %q is missing from %q", c.typed, w, got)
			}
		}
		if slices.Contains(got, c.not) || c.want == nil && got != nil {
			t.Errorf("%q: too much: %q", c.typed, got)
		}
	}
}

// TestCompletionScripts lets each shell that this machine has read its script,
// and complete command lines with it.
func TestCompletionScripts(t *testing.T) {
	// The scripts call hantei, which is this test binary (TestMain).
	bin := t.TempDir()
	program := "#!/bin/sh\nargs=$1; shift\nfor a; do args=\"$args\n$a\"; done\n" + asMain + "=$args exec '" + os.Args[0] + "'\n"
	if err := os.WriteFile(filepath.Join(bin, "hantei"), []byte(program), 0o755); err != nil {
		t.Fatal(err)
	}
	for shell, ask := range map[string]string{
		"bash": `_hantei; printf '%s\n' "${COMPREPLY[@]}"`,
		"zsh":  `compadd() { printf '%s\n' $found; }; _files() { echo files; }; words=("${COMP_WORDS[@]}"); CURRENT=$(( COMP_CWORD + 1 )); _hantei`,
		"fish": `complete -C "$line"`,
	} {
		t.Run(shell, func(t *testing.T) {
			code, script, _ := call(t, "completion", shell)
			if code != 0 || !strings.Contains(script, "complete-words") {
				t.Fatalf("code %d, %q", code, script)
			}
			if _, err := exec.LookPath(shell); err != nil {
				t.Skip("this machine has no " + shell)
			}
			if shell == "zsh" {
				script = "compdef() { :; }\n" + script // what compinit brings
			}
			for line, want := range map[string]string{
				"hantei serve --log-level de": "debug",
				"hantei rul":                  "rules",
				"hantei rules c":              "coc",
				"hantei serve --log-f":        "--log-format",
			} {
				words := strings.Split(line, " ")
				set := fmt.Sprintf("COMP_WORDS=('%s') COMP_CWORD=%d\n", strings.Join(words, "' '"), len(words)-1)
				if shell == "fish" {
					set = "set line '" + line + "'\n"
				}
				cmd := exec.Command(shell, "-c", script+set+ask)
				cmd.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "HOME="+t.TempDir())
				out, err := cmd.CombinedOutput()
				got, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\t") // fish adds the description
				if err != nil || got != want {
					t.Errorf("%q: %v, %q, want %q", line, err, out, want)
				}
			}
		})
	}
}
