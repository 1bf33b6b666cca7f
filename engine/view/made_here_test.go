package view

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const viewsImport = "github.com/hantei/hantei/gen/go/hantei/table/v1"

// Services accept nothing but views, so a leak does not compile as long as nobody
// but this package makes one.
func TestViewsAreMadeHere(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(root, "go.mod")); err != nil {
		t.Fatal(err)
	}
	here, found := filepath.Join(root, "engine", "view"), 0
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "node_modules" || strings.HasPrefix(d.Name(), ".") && path != root || path == filepath.Join(root, "gen") || path == filepath.Join(root, "build")):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		made := makes(t, path, string(source))
		if filepath.Dir(path) == here {
			found += len(made)
			return nil
		}
		for _, place := range made {
			t.Errorf("%s makes a view", place)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if found == 0 {
		t.Error("none found here either: the test sees nothing")
	}
}

func TestMakes(t *testing.T) {
	const head = "package p\nimport tablev1 \"" + viewsImport + "\"\n"
	for code, want := range map[string]int{
		`var x = &tablev1.EventView{}`:                                                         1,
		`var x = tablev1.CharacterView{Id: "x"}`:                                               1,
		`var x = new(tablev1.PromptView)`:                                                      1,
		`var x tablev1.OfferView`:                                                              1,
		`var x = []*tablev1.EventView{{Name: "x"}, {}}`:                                        2,
		`var x = map[string]*tablev1.EventView{"a": {}}`:                                       1,
		`type t struct { v tablev1.EventView }`:                                                1,
		`func f(v *tablev1.EventView) []*tablev1.EventView { return []*tablev1.EventView{v} }`: 0,
		`var x *tablev1.EventView`:                                                             0,
		`var x = &tablev1.Event{}`:                                                             0,
	} {
		if got := makes(t, "x.go", head+code); len(got) != want {
			t.Errorf("%s: %d, want %d", code, len(got), want)
		}
	}
}

// makes finds where a file makes a view.
func makes(t *testing.T, path, source string) []string {
	t.Helper()
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	name := importName(file)
	if name == "" {
		return nil
	}
	isView := func(e ast.Expr) bool {
		s, ok := e.(*ast.SelectorExpr)
		if !ok || !strings.HasSuffix(s.Sel.Name, "View") {
			return false
		}
		x, ok := s.X.(*ast.Ident)
		return ok && x.Name == name
	}
	var found []string
	add := func(n ast.Node) { found = append(found, files.Position(n.Pos()).String()) }
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CompositeLit:
			if isView(n.Type) {
				add(n)
			}
			if elem := element(n.Type); elem != nil && isView(elem) {
				for _, e := range n.Elts {
					if kv, ok := e.(*ast.KeyValueExpr); ok {
						e = kv.Value
					}
					if lit, ok := e.(*ast.CompositeLit); ok && lit.Type == nil {
						add(lit)
					}
				}
			}
		case *ast.CallExpr:
			if f, ok := n.Fun.(*ast.Ident); ok && f.Name == "new" && len(n.Args) == 1 && isView(n.Args[0]) {
				add(n)
			}
		case *ast.ValueSpec:
			if n.Type != nil && isView(n.Type) {
				add(n)
			}
		case *ast.Field:
			if isView(n.Type) {
				add(n)
			}
		}
		return true
	})
	return found
}

// element is the type of a list's or map's elements, without its star.
func element(e ast.Expr) ast.Expr {
	switch t := e.(type) {
	case *ast.ArrayType:
		e = t.Elt
	case *ast.MapType:
		e = t.Value
	default:
		return nil
	}
	if s, ok := e.(*ast.StarExpr); ok {
		return s.X
	}
	return e
}

func importName(file *ast.File) string {
	for _, i := range file.Imports {
		if strings.Trim(i.Path.Value, `"`) != viewsImport {
			continue
		}
		if i.Name != nil {
			return i.Name.Name
		}
		return "tablev1" // the generated package's own name
	}
	return ""
}
