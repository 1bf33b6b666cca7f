package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const cocFiles = "../../../engine/coc/testdata/"

func TestOdds(t *testing.T) {
	for _, c := range []struct {
		args []string
		want []string // in this order
	}{
		{[]string{"2D6+3", "--at-least", "10"}, []string{
			"2D6+3: 5 to 15, 10 on average", "\n   5     2.78 %  1/36           #\n", "10 or more    58.33 %  7/12  ",
		}},
		{[]string{"1D4-1D4", "--at-most=-1", "--lang", "ja"}, []string{"1D4-1D4：-3～3、平均0", "\n  -3     6.25 %  1/16", "-1以下    37.50 %  3/8"}},
		{[]string{cocFiles + "ex-coc-atk-01-1.yaml"}, []string{
			"officer, attack {weapon: baton, target: thug}", "Exact, ", "if Dodge.", "misses.", "35.00 %  7/20",
			"thug, Hit Points: 13 now, 10.1146 on average", "56.50 %  113/200", "gains: Unconscious",
		}},
		{[]string{"--entry", "99", "--lang", "ja", cocFiles + "ex-coc-inj-05-1.yaml"}, nil},
		{[]string{"--entry", "1", "--lang", "ja", cocFiles + "ex-coc-atk-02-1.yaml"}, []string{"項目1", "厳密（", "と答える場合", "厳密（"}},
	} {
		code, out, err := call(t, append([]string{"odds"}, c.args...)...)
		if (code != 0) != (c.want == nil) {
			t.Errorf("%v: code %d, %q", c.args, code, err)
		}
		rest := out
		for _, want := range c.want {
			_, after, ok := strings.Cut(rest, want)
			if !ok {
				t.Errorf("%v: no %q in\n%s", c.args, want, rest)
				break
			}
			rest = after
		}
	}
}

func TestOddsWrong(t *testing.T) {
	none := filepath.Join(t.TempDir(), "none.yaml")
	if err := os.WriteFile(none, []byte("id: EX-COC-CHK-01-1\nrule: COC-CHK-01\nruleset: coc\nplay: [{by: gm, act: {coc: {gm_new_hour: {}}}}]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"2D6+DB"}, 1, "names such as DB"},
		{[]string{"100D1000"}, 1, "more than 5000 totals"},
		{[]string{"2X6"}, 1, "2X6"},
		{[]string{none}, 1, "no entry with odds"},
		{[]string{"--lang", "ja", "--entry", "1", none}, 1, "項目1は"},
		{[]string{"missing.yaml"}, 1, "missing.yaml"},
		{[]string{"1D6", "--at-least", "3", "--at-most", "4"}, 2, "can't be used together"},
		{[]string{}, 2, "<what>"},
	} {
		code, out, err := call(t, append([]string{"odds"}, c.args...)...)
		if code != c.code || !strings.Contains(err, c.want) || out != "" {
			t.Errorf("%v: code %d, %q, %q", c.args, code, out, err)
		}
	}
}
