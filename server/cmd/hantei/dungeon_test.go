package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// runs runs a command line.
func runs(t *testing.T, args ...string) (out, errs string, code int) {
	t.Helper()
	var o, e bytes.Buffer
	code = run(t.Context(), args, &o, &e)
	return o.String(), e.String(), code
}

// TestDungeon: what is generated is drawn, as text and as JSON, and is without fault.
func TestDungeon(t *testing.T) {
	dir := t.TempDir()
	text, _, code := runs(t, "dungeon", "generate", "--seed", "7", "--level", "30", "--weather", "clear", "--floors", "3")
	if code != 0 || !strings.Contains(text, "b = #2 warp 3,4") {
		t.Fatalf("%d\n%s", code, text)
	}
	file := filepath.Join(dir, "d.txt")
	write(t, file, text)
	drawn, errs, code := runs(t, "dungeon", "show", file)
	if code != 0 || errs != "" || strings.Count(drawn, "Floor ") != 3 || !strings.Contains(drawn, "(0,4) Stairs, leading outside.") {
		t.Errorf("%d %s\n%s", code, errs, drawn)
	}
	if ja, _, _ := runs(t, "dungeon", "show", file, "--floor", "2", "--lang", "ja"); !strings.HasPrefix(ja, "フロア2") || strings.Contains(ja, "フロア1\n") {
		t.Errorf("%s", ja)
	}
	asJSON, _, code := runs(t, "dungeon", "show", file, "--json")
	if code != 0 {
		t.Fatal(code)
	}
	write(t, file+".json", asJSON)
	if again, _, _ := runs(t, "dungeon", "show", file+".json"); again != drawn {
		t.Errorf("JSON is drawn otherwise:\n%s", again)
	}
	if _, _, code := runs(t, "dungeon", "show", file, "--floor", "1", "--svg", filepath.Join(dir, "d.svg")); code != 0 {
		t.Error(code)
	}
	if svg, err := os.ReadFile(filepath.Join(dir, "d.svg")); err != nil || !strings.HasPrefix(string(svg), "<svg ") {
		t.Errorf("%v %s", err, svg)
	}
	if _, errs, code := runs(t, "dungeon", "generate", "--width", "2", "--lang", "ja"); code != 1 || !strings.Contains(errs, "フロア") {
		t.Errorf("%d %s", code, errs)
	}
}

// TestDungeonFaults: all that is wrong with a text is told with line and column, and
// all that is wrong with a dungeon with its place.
func TestDungeonFaults(t *testing.T) {
	file := filepath.Join(t.TempDir(), "d.txt")
	write(t, file, "levle 3\nfloor 1\n.a\n")
	_, errs, code := runs(t, "dungeon", "show", file)
	want := file + ":1:1: “levle” is not understood here; did you mean “level”?\n" + file + ":3:2: no line says what “a” stands for\n"
	if code != 1 || errs != want {
		t.Errorf("%d\n%s", code, errs)
	}
	write(t, file, "level 20\nmoon half\nweather rain\nfloor 1\na#b.\n....\n....\n....\na = stairs outside\nb = warp 1,0\n")
	out, _, code := runs(t, "dungeon", "show", file)
	if code != 1 || !strings.Contains(out, "V04 error: a warp leads into a wall or nowhere #2 (2,0) F1") {
		t.Errorf("%d\n%s", code, out)
	}
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
