package persona_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hantei/hantei/engine/scenario"
)

// TestCoded compares the lists of rules that have code with the rule ids that stand in
// the code: in strings, which events, refusals and traces carry. That an option or the
// list itself names a rule is no code.
func TestCoded(t *testing.T) {
	r, err := maker("persona", nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := idsInCode(t); !slices.Equal(got, r.Coded) {
		t.Errorf("the lists do not have what the code has:\n got %q\nwant %q", r.Coded, got)
	}
	known, _ := scenario.Spec(r.Markdown)
	for _, id := range r.Coded {
		if !slices.ContainsFunc(known, func(k scenario.Rule) bool { return k.ID == id }) {
			t.Errorf("RULES.md has no %s", id)
		}
	}
}

func idsInCode(t *testing.T) []string {
	t.Helper()
	id := regexp.MustCompile(`^"(PER-[A-Z]+-\d\d)"$`)
	names, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, n := range names {
		if !strings.HasSuffix(n.Name(), ".go") || strings.HasSuffix(n.Name(), "_test.go") || n.Name() == "options.go" {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), n.Name(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if v, ok := n.(*ast.ValueSpec); ok && strings.HasPrefix(v.Names[0].Name, "coded") {
				return false
			}
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
