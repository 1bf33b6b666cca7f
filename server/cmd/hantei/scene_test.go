package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestScene tells the scenes in both languages, and as a player sees them.
func TestScene(t *testing.T) {
	for name, args := range map[string]string{
		"scene-en.txt": "coc", "scene-ja.txt": "coc --lang ja", "scene-nurse.txt": "coc --seat nurse",
		"persona-en.txt": "persona", "persona-ja.txt": "persona --lang ja", "persona-c.txt": "persona --seat c",
	} {
		code, out, err := call(t, strings.Fields("demo "+args)...)
		if code != 0 || err != "" {
			t.Fatalf("%s: code %d, %q", args, code, err)
		}
		golden(t, filepath.Join("testdata", name), []byte(out))
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
	if len(blocks) < 5 {
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
		{"demo persona --seat somebody", "there are: gm, observer, a, b, c, d", 1},
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
