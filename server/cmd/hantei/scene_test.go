package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// scene runs `hantei demo coc`.
func scene(t *testing.T, flags ...string) string {
	t.Helper()
	code, out, err := call(t, append([]string{"demo", "coc"}, flags...)...)
	if code != 0 || err != "" {
		t.Fatalf("%v: code %d, %q", flags, code, err)
	}
	return out
}

// TestScene tells the scene in both languages, and as a player sees it.
func TestScene(t *testing.T) {
	for name, flags := range map[string][]string{
		"scene-en.txt": nil, "scene-ja.txt": {"--lang", "ja"}, "scene-nurse.txt": {"--seat", "nurse"},
	} {
		golden(t, filepath.Join("testdata", name), []byte(scene(t, flags...)))
	}
}

// TestSceneInREADME: what the README shows is what the program says, but for the
// lines that "..." stands for.
func TestSceneInREADME(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join("..", "..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(readme), "\n## What it looks like\n")
	section, _, _ = strings.Cut(section, "\n## ")
	blocks := regexp.MustCompile("(?ms)^```\n\\$ hantei (.*?)\n(.*?)^```$").FindAllStringSubmatch(section, -1)
	if len(blocks) < 3 {
		t.Fatalf("the README shows %d transcripts", len(blocks))
	}
	for _, b := range blocks {
		code, rest, errors := call(t, strings.Fields(b[1])...)
		if code != 0 || errors != "" {
			t.Fatalf("%s: code %d, %q", b[1], code, errors)
		}
		for part := range strings.SplitSeq(b[2], "...\n") {
			_, after, found := strings.Cut("\n"+rest, "\n"+part)
			if !found {
				t.Fatalf("hantei %s does not say, or not there:\n%s", b[1], part)
			}
			rest = after
		}
	}
}

// TestSceneWrong: what the command line cannot mean is refused, and says why.
func TestSceneWrong(t *testing.T) {
	for _, c := range []struct {
		args, want string
		code       int
	}{
		{"demo cco", `did you mean "coc"?`, 1},
		{"demo coc --seat nruse", `no seat "nruse"; did you mean "nurse"?`, 1},
		{"demo coc --seat somebody", "there are: gm, observer, nurse, officer, reporter", 1},
		{"demo coc --lang fr", "--lang", 2},
		{"demo coc --db x.db", "--db is for a server", 2},
		{"demo --lang ja", "--lang is for a scene", 2},
		{"demo --seat gm", "--seat is for a scene", 2},
		{"demo coc coc", "unexpected argument", 2},
	} {
		code, out, err := call(t, strings.Fields(c.args)...)
		if code != c.code || out != "" || !strings.Contains(err, c.want) {
			t.Errorf("%s: code %d, %q, %q", c.args, code, out, err)
		}
	}
}
