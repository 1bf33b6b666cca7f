package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestSheet(t *testing.T) {
	golden := filepath.Join("..", "..", "exchange", "testdata")
	code, out, err := call(t, "sheet", filepath.Join(golden, "ccfolia.json"), filepath.Join(golden, "udonarium.xml"))
	for _, want := range []string{"ccfolia.json: 高遠 しずく\n", "  taken          HP (9/11): Hit Points 9/11\n", "  noted          人魚語 (80): ", "udonarium.xml: 灰野 & 鴉\n"} {
		if code != 0 || err != "" || !strings.Contains(out, want) {
			t.Errorf("code %d, no %q in %q, %q", code, want, out, err)
		}
	}
	if _, out, _ := call(t, "sheet", "--lang", "ja", filepath.Join(golden, "charasheet.txt")); !strings.Contains(out, "  取り込み       「医学」（75）：医学 75") {
		t.Errorf("in Japanese: %q", out)
	}
	bad := filepath.Join(t.TempDir(), "bad.xml")
	if err := os.WriteFile(bad, []byte("<!DOCTYPE x><x/>"), 0o600); err != nil {
		t.Fatal(err)
	}
	// What can be read is reported all the same.
	code, out, err = call(t, "sheet", bad, filepath.Join(golden, "ccfolia.json"))
	if code != 1 || !strings.Contains(err, "bad.xml: is XML with a DOCTYPE") || !strings.Contains(out, "高遠 しずく") {
		t.Errorf("code %d, %q, %q", code, out, err)
	}
	if code, _, err := call(t, "sheet", "--ruleset", "cock", bad); code != 1 || !strings.Contains(err, `did you mean "coc"`) {
		t.Errorf("code %d, %q", code, err)
	}
}
