package main

import (
	"strings"
	"testing"
)

func TestMutate(t *testing.T) {
	var out strings.Builder
	if err := run(t.Context(), []string{"testdata/damage"}, &out); err != nil {
		t.Fatal(err)
	}
	const want = `DEMO-DMG-02: 5 of 10 found
  damage.go:10: wound*2 > hp as wound*2 >= hp (no test meets it)
  damage.go:10: 2 as 2+1
  damage.go:10: hp > 0 as hp >= 0 (no test meets it)
  damage.go:10: 0 as 0+1
  damage.go:10: 0 as 0-1
DEMO-DMG-01: 4 of 4 found
9 of 14 mutants found, 5 survived
`
	if out.String() != want {
		t.Errorf("%s\nnot\n%s", out.String(), want)
	}
}

func TestOnly(t *testing.T) {
	var out strings.Builder
	if err := run(t.Context(), []string{"-only", "DEMO-DMG-01", "testdata/damage"}, &out); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); got != "DEMO-DMG-01: 4 of 4 found\n4 of 4 mutants found, 0 survived\n" {
		t.Error(got)
	}
}

func TestSkip(t *testing.T) {
	var out strings.Builder
	if err := run(t.Context(), []string{"-skip", "TestShock", "-only", "damage.go", "testdata/damage"}, &out); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "DEMO-DMG-02: 0 of 10 found\n") {
		t.Error(out.String())
	}
}

func TestWith(t *testing.T) {
	var out strings.Builder
	if err := run(t.Context(), []string{"-with", "testdata/examples", "testdata/damage"}, &out); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); !strings.HasSuffix(got, "14 of 14 mutants found, 0 survived\n") {
		t.Error(got)
	}
}

func TestNothingToMutate(t *testing.T) {
	if err := run(t.Context(), []string{"testdata/nothing"}, &strings.Builder{}); err == nil {
		t.Error("a package that is not there has no mutants")
	}
}

func TestNothingTried(t *testing.T) {
	for _, flag := range []string{"-every", "-jobs"} {
		if err := run(t.Context(), []string{flag, "0", "testdata/damage"}, &strings.Builder{}); err == nil {
			t.Errorf("%s 0 tries nothing", flag)
		}
	}
}
