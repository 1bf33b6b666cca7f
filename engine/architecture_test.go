// Package engine_test asserts what holds for the whole engine: who may import
// whom, and that nothing in it depends on anything but its input.
package engine_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const (
	module = "github.com/hantei/hantei/"
	engine = module + "engine/"
)

// rulesets may not import each other, and nothing in the engine imports one.
var rulesets = []string{"coc", "persona", "tokyo200x", "magus", "halfdemon"}

// mayImport lists the packages of the engine that each of them may import. Who
// makes a new package says here where it stands (DESIGN.md, section 3).
var mayImport = map[string][]string{
	"dice":       {},
	"foreign":    {},
	"grid":       {},
	"table":      {},
	"rule":       {"dice", "foreign", "table"},
	"locale":     {"rule"},
	"pack":       {"rule"},
	"prompt":     {"rule"},
	"encounter":  {"rule", "table"},
	"effect":     {"rule", "table"},
	"goods":      {"effect", "rule", "table"},
	"profile":    {"foreign", "rule"},
	"resolve":    {"dice", "prompt", "rule", "table", "view"}, // view says which dice everybody sees
	"audit":      {"dice", "resolve", "rule", "view"},
	"odds":       {"dice", "prompt", "rule", "table"},
	"view":       {"locale", "odds"},
	"scenario":   {"dice", "odds", "prompt", "resolve", "rule", "table", "view"},
	"transcript": {"locale", "prompt", "rule", "scenario", "view"},
	"trial":      {"dice", "odds", "pack", "prompt", "resolve", "rule", "table", "view"},
}

// forTests are packages that only tests import, and what of what is banned they may:
// they are part of tests, and draw from a seed.
var forTests = map[string][]string{"trial": {"math/rand/v2", "testing"}}

// rulesetMayImport is the same for a ruleset.
var rulesetMayImport = []string{"dice", "effect", "encounter", "foreign", "goods", "grid", "pack", "profile", "prompt", "rule", "table"}

// banned are packages by which something could come in that is not input, and
// those that must not come in at all. A trailing slash stands for all below.
var banned = []string{
	"context", "crypto/rand", "log", "log/", "maps", "math/rand", "math/rand/", "net", "net/", "os", "os/",
	"plugin", "sync", "sync/", "syscall", "testing", "time", "unsafe",
	"google.golang.org/grpc", "google.golang.org/grpc/", "google.golang.org/genproto/",
	module + "gen/go/hantei/v1", module + "server", module + "server/",
}

// besides are banned packages that one package may have: odds sample with a generator
// that is seeded by the state.
var besides = map[string][]string{"odds": {"math/rand/v2"}}

// unordered are functions that hand things over in no fixed order, where the
// order cannot come out. The file is named from the engine.
var unordered = map[string]string{
	"view/prompt.go": "forgets the unknown fields of a message, each by itself",
}

func TestImports(t *testing.T) {
	seen := 0
	for _, p := range sources(t) {
		for _, path := range p.imports {
			if why := forbidden(p.name, path); why != "" {
				t.Errorf("engine/%s imports %s: %s", p.name, path, why)
			}
			seen++
		}
	}
	if seen == 0 {
		t.Error("no import at all: the test sees nothing")
	}
}

func TestForbidden(t *testing.T) {
	for _, c := range []struct {
		from, to string
		want     bool
	}{
		{"rule", engine + "table", false},
		{"rule", engine + "resolve", true},
		{"table", engine + "rule", true},
		{"resolve", engine + "coc", true},
		{"view", engine + "resolve", true},
		{"coc", engine + "rule", false},
		{"coc", engine + "foreign", false},
		{"foreign", engine + "rule", true},
		{"foreign", module + "server/exchange", true},
		{"coc", engine + "resolve", true},
		{"coc", engine + "persona", true},
		{"coc", engine + "persona/dungeon", true},
		{"persona", engine + "persona/dungeon", false},
		{"coc", "time", true},
		{"coc", "net/http", true},
		{"coc", "maps", true},
		{"coc", "slices", false},
		{"dice", module + "server/host", true},
		{"dice", module + "gen/go/hantei/v1", true},
		{"table", module + "gen/go/hantei/table/v1", false},
		{"odds", "math/rand/v2", false},
		{"coc", "math/rand/v2", true},
		{"nowhere", engine + "dice", true},
		{"trial", "math/rand/v2", false},
		{"trial", "time", true},
		{"coc", engine + "trial", true},
		{"trial", engine + "coc", true},
	} {
		if got := forbidden(c.from, c.to) != ""; got != c.want {
			t.Errorf("%s imports %s: forbidden %v, want %v", c.from, c.to, got, c.want)
		}
	}
}

// forbidden says why a package of the engine may not import a path, or "".
func forbidden(from, path string) string {
	for _, b := range banned {
		if slices.Contains(forTests[from], path) || slices.Contains(besides[from], path) {
			continue
		}
		if path == b || strings.HasSuffix(b, "/") && strings.HasPrefix(path, b) {
			return "nothing in the engine may"
		}
	}
	to, ours := strings.CutPrefix(path, engine)
	if !ours {
		return ""
	}
	allowed, known := mayImport[from]
	if slices.Contains(rulesets, from) {
		if strings.HasPrefix(to, from+"/") && to != from+"/oracle" {
			return "" // a part of its own, but not what it is compared with
		}
		allowed, known = rulesetMayImport, true
	}
	switch {
	case !known:
		return "it does not stand in the table of this test"
	case !slices.Contains(allowed, to):
		return "the arrows go the other way"
	}
	return ""
}

// TestForTestsAlone: what is for tests is in no program.
func TestForTestsAlone(t *testing.T) {
	var stderr bytes.Buffer
	cmd := exec.Command("go", "list", "-deps", "../server/...")
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, &stderr)
	}
	if !strings.Contains(string(out), engine+"rule\n") {
		t.Error("no rules in the server: the test sees nothing")
	}
	for name := range forTests {
		if strings.Contains(string(out), engine+name+"\n") {
			t.Errorf("the server has engine/%s", name)
		}
	}
}

// TestOracleStandsAlone: what works the rules of coc out a second time has nothing of the
// engine, or it would repeat its faults (the other way round TestImports forbids).
func TestOracleStandsAlone(t *testing.T) {
	seen := 0
	for _, file := range goFiles(t, filepath.Join("coc", "oracle")) {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range f.Imports {
			path, _ := strconv.Unquote(i.Path.Value)
			if first, _, _ := strings.Cut(path, "/"); strings.Contains(first, ".") {
				t.Errorf("%s imports %s, which is not of the standard library", file, path)
			}
			seen++
		}
	}
	if seen == 0 {
		t.Error("no import at all: the test sees nothing")
	}
	if forbidden("coc", engine+"coc/oracle") == "" {
		t.Error("the ruleset may import its oracle")
	}
}

// TestPure looks for what would make the engine depend on anything but its
// input, or come out otherwise on another machine.
func TestPure(t *testing.T) {
	all := sources(t)
	typed := exports(t)
	for _, p := range all {
		for _, found := range impure(t, typed, p) {
			t.Error(found)
		}
	}
}

func TestImpure(t *testing.T) {
	for code, want := range map[string]int{
		`func f(m map[string]int) { for range m {} }`:                       1,
		`type m map[string]int; func f(x m) { for k := range x { _ = k } }`: 1,
		`func f[M ~map[string]int](x M) { for k := range x { _ = k } }`:     1,
		`func f(s []int) { for range s {} }`:                                0,
		`func f(m map[string]int) int { return m["a"] }`:                    0,
		`func f() { go f() }`:                                               1,
		`func f(c chan int) { <-c }`:                                        1,
		`func f() { select {} }`:                                            1,
		`var x float64`:                                                     1,
		`func f(n int) int { return int(float32(n)) }`:                      1,
		`var x = 1.5`:      1,
		`const x = 1 << 3`: 0,
		`import "reflect"; func f(v reflect.Value) { v.MapKeys() }`:                                                 1,
		`import "reflect"; func f(v reflect.Value) { v.Len() }`:                                                     0,
		`import "google.golang.org/protobuf/reflect/protoreflect"; func f(m protoreflect.Message) { m.Range(nil) }`: 1,
	} {
		file := filepath.Join(t.TempDir(), "x.go")
		if err := os.WriteFile(file, []byte("package p\n"+code), 0o600); err != nil {
			t.Fatal(err)
		}
		got := impure(t, exports(t), source{name: "p", files: []string{file}})
		if (len(got) > 0) != (want > 0) {
			t.Errorf("%s: found %v, want %d", code, got, want)
		}
	}
}

// TestServerSeesViews: the translating packages of the server get at a table by
// its views alone.
func TestServerSeesViews(t *testing.T) {
	hidden := []string{"State", "Event", "Character", "Commit", "Window", "Encounter", "Step", "Visibility"}
	for _, dir := range []string{"api", "gateway"} {
		for _, file := range goFiles(t, filepath.Join("..", "server", dir)) {
			f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			name := ""
			for _, i := range f.Imports {
				switch path, _ := strconv.Unquote(i.Path.Value); path {
				case engine + "table":
					t.Errorf("%s imports engine/table", file)
				case module + "gen/go/hantei/table/v1":
					name = "tablev1"
					if i.Name != nil {
						name = i.Name.Name
					}
				}
			}
			ast.Inspect(f, func(n ast.Node) bool {
				if s, ok := n.(*ast.SelectorExpr); ok && slices.Contains(hidden, s.Sel.Name) {
					if x, ok := s.X.(*ast.Ident); ok && name != "" && x.Name == name {
						t.Errorf("%s uses tablev1.%s, which must not leave the server", file, s.Sel.Name)
					}
				}
				return true
			})
		}
	}
}

// source is a package of the engine as it is written, without its tests.
type source struct {
	name    string // from the engine
	files   []string
	imports []string
}

func sources(t *testing.T) []source {
	t.Helper()
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	var out []source
	for _, e := range entries {
		files := goFiles(t, e.Name())
		if len(files) == 0 {
			continue
		}
		p := source{name: e.Name(), files: files}
		for _, f := range files {
			parsed, err := parser.ParseFile(token.NewFileSet(), f, nil, parser.ImportsOnly)
			if err != nil {
				t.Fatal(err)
			}
			for _, i := range parsed.Imports {
				path, _ := strconv.Unquote(i.Path.Value)
				p.imports = append(p.imports, path)
			}
		}
		slices.Sort(p.imports)
		p.imports = slices.Compact(p.imports)
		out = append(out, p)
	}
	return out
}

// goFiles lists the Go files of a folder without tests; none if it is not there.
func goFiles(t *testing.T, dir string) []string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(all, func(f string) bool { return strings.HasSuffix(f, "_test.go") })
}

var exported map[string]string

// exports are the files with the types of all packages that the engine uses, as
// the compiler left them in its cache.
func exports(t *testing.T) map[string]string {
	t.Helper()
	if exported != nil {
		return exported
	}
	var stderr bytes.Buffer
	cmd := exec.Command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}}\t{{.Export}}", "./...")
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, &stderr)
	}
	exported = make(map[string]string)
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), "\t")
		exported[path] = file
	}
	return exported
}

// impure lists what is impure in a package.
func impure(t *testing.T, exports map[string]string, p source) []string {
	t.Helper()
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range p.files {
		f, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	info := &types.Info{Types: make(map[ast.Expr]types.TypeAndValue), Defs: make(map[*ast.Ident]types.Object)}
	conf := types.Config{Importer: importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) {
		file, ok := exports[path]
		if !ok {
			return nil, fmt.Errorf("no types of %s", path)
		}
		return os.Open(file)
	})}
	if _, err := conf.Check(p.name, fset, files, info); err != nil {
		t.Fatalf("%s: %v", p.name, err)
	}
	var found []string
	report := func(n ast.Node, what string) {
		found = append(found, fmt.Sprintf("engine/%v %s", fset.Position(n.Pos()), what))
	}
	for _, f := range files {
		_, orderOK := unordered[filepath.ToSlash(fset.Position(f.Pos()).Filename)]
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.RangeStmt:
				if isMap(info.TypeOf(n.X)) {
					report(n, "ranges over a map")
				}
			case *ast.GoStmt:
				report(n, "starts a goroutine")
			case *ast.SelectStmt:
				report(n, "selects")
			case *ast.ChanType:
				report(n, "has a channel")
			case *ast.CallExpr:
				if name := unorderedCall(info, n); name != "" && !orderOK {
					report(n, "calls "+name+", which has no order")
				}
			case ast.Expr:
				if isFloat(info.TypeOf(n)) {
					report(n, "has a number with a point")
				}
			}
			return true
		})
	}
	return found
}

func isMap(typ types.Type) bool {
	if p, ok := typ.(*types.TypeParam); ok {
		if u, ok := p.Constraint().Underlying().(*types.Interface); ok && u.NumEmbeddeds() > 0 {
			if union, ok := u.EmbeddedType(0).(*types.Union); ok {
				return isMap(union.Term(0).Type())
			}
		}
		return false
	}
	_, ok := typ.Underlying().(*types.Map)
	return ok
}

func isFloat(typ types.Type) bool {
	if typ == nil {
		return false
	}
	b, ok := typ.Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsFloat|types.IsComplex) != 0
}

// unorderedCall names a method that goes over a map inside, or returns "".
func unorderedCall(info *types.Info, call *ast.CallExpr) string {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || info.TypeOf(sel.X) == nil {
		return ""
	}
	of := info.TypeOf(sel.X).String()
	switch {
	case strings.HasSuffix(of, "reflect.Value") && slices.Contains([]string{"MapKeys", "MapRange", "Seq2"}, sel.Sel.Name):
	case strings.HasSuffix(of, "protoreflect.Message") && sel.Sel.Name == "Range":
	case strings.HasSuffix(of, "protoreflect.Map") && sel.Sel.Name == "Range":
	case strings.HasPrefix(of, "*google.golang.org/protobuf/reflect/protoregistry.") && strings.HasPrefix(sel.Sel.Name, "Range"):
	default:
		return ""
	}
	return of + "." + sel.Sel.Name
}
