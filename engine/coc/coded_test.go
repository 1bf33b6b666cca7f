package coc_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestCoded compares the list of rules that have code with the rule ids that
// stand in the code: in strings, which events, refusals and traces carry.
func TestCoded(t *testing.T) {
	r, err := maker("coc", nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := idsInCode(t); !slices.Equal(got, r.Coded) {
		t.Errorf("coded.go does not list what the code has:\n got %q\nwant %q", r.Coded, got)
	}
}

func idsInCode(t *testing.T) []string {
	t.Helper()
	id := regexp.MustCompile(`^"(COC-[A-Z]+-\d\d)"$`)
	names, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, n := range names {
		if !strings.HasSuffix(n.Name(), ".go") || strings.HasSuffix(n.Name(), "_test.go") || n.Name() == "coded.go" {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), n.Name(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				if m := id.FindStringSubmatch(lit.Value); m != nil {
					out = append(out, m[1])
				}
			}
			return true
		})
	}
	slices.Sort(out)
	return slices.Compact(out)
}
