package engine_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hantei/hantei/engine/locale"
)

// said is a detail of a refusal as the source has it: its key, and what it speaks of.
type said struct {
	at, key string
	params  []string
}

// sayers are the functions that take the key of a detail, then its parameters. Two hand
// on what they were handed, and one has the keys of what reads sheets.
var sayers = map[string]bool{"Say": true, "badFile": true}

// notLiteral are where the key is no literal, and why that is well.
var notLiteral = map[string]int{
	"rule/refusal.go":            1, // Refusal.Say hands on
	"../server/host/copy.go":     1, // badFile hands on
	"../server/host/exchange.go": 2, // the words of server/exchange, each of them a key
}

// params make what a detail speaks of.
var params = []string{"Number", "Code", "Sent", "WordOf", "Names", "Because"}

// TestDetails walks the source for the details of refusals: each has a text in every
// language, which speaks of what the detail has and of nothing else.
func TestDetails(t *testing.T) {
	texts := allTexts(t)
	all := details(t)
	if len(all) < 100 {
		t.Errorf("%d details found: is this test still right?", len(all))
	}
	for _, s := range all {
		c := textsAt(texts, s.at)
		if !c.Has("wrong." + s.key) {
			t.Errorf("%s: no text wrong.%s", s.at, s.key)
			continue
		}
		for _, lang := range c.Languages() {
			asks, needs := c.Asks("wrong."+s.key, lang)
			for _, p := range s.params {
				if !slices.Contains(asks, p) {
					t.Errorf("%s: wrong.%s in %s does not speak of %s", s.at, s.key, lang, p)
				}
			}
			for _, p := range needs {
				if !slices.Contains(s.params, p) {
					t.Errorf("%s: wrong.%s in %s lacks %s", s.at, s.key, lang, p)
				}
			}
		}
	}
}

// TestDetailTexts looks from the other side: no text without a detail, and what one
// language speaks of the others speak of too.
func TestDetailTexts(t *testing.T) {
	used := map[string]bool{}
	spoken := map[string][]string{}
	for _, s := range details(t) {
		used[s.key] = true
		spoken[s.key] = append(spoken[s.key], s.params...)
	}
	for _, word := range serverWords(t) {
		used[word] = true
	}
	for _, c := range allTexts(t) {
		for _, key := range c.Keys() {
			what, ok := strings.CutPrefix(key, "wrong.")
			if !ok {
				continue
			}
			kind, _, dotted := strings.Cut(what, ".")
			shape := dotted && kind != "pattern" // one of protovalidate's rules
			if !used[what] && !shape {
				t.Errorf("nothing says %s", key)
			}
			en, _ := c.Asks(key, "en")
			ja, _ := c.Asks(key, "ja")
			if !slices.Equal(en, ja) {
				t.Errorf("%s speaks of %v in English, of %v in Japanese", key, en, ja)
			}
			if all := spoken[what]; all != nil && !shape {
				for _, name := range en {
					if !slices.Contains(all, name) && !slices.Contains(serverValues, name) {
						t.Errorf("%s speaks of %s, which no detail has", key, name)
					}
				}
			}
		}
	}
}

// serverValues are what the gateway says of a field in the same texts.
var serverValues = []string{"value"}

// TestDetailsAreTold: a reason that is given with a detail has a text that tells it.
func TestDetailsAreTold(t *testing.T) {
	c := textsAt(allTexts(t), "")
	tells := func(at, reason string) {
		for _, lang := range c.Languages() {
			if asks, _ := c.Asks("error."+reason, lang); !slices.Contains(asks, "detail") {
				t.Errorf("%s: error.%s in %s does not tell the detail", at, reason, lang)
			}
		}
	}
	for at, reason := range map[string]string{"host.invalid": "INVALID_FIELD", "host.notYours": "NOT_YOUR_SEAT", "host.tooLarge": "TOO_LARGE"} {
		tells(at, reason)
	}
	told := 0
	eachCall(t, func(at string, call *ast.CallExpr, _ *ast.File) {
		sel, ok := call.Fun.(*ast.SelectorExpr)
		if !ok || sel.Sel.Name != "Say" {
			return
		}
		made, ok := sel.X.(*ast.CallExpr)
		if !ok || name(made) != "Core" {
			return
		}
		told++
		reason := ""
		switch r := made.Args[0].(type) {
		case *ast.SelectorExpr:
			reason = strings.TrimPrefix(r.Sel.Name, "Reason_REASON_")
		case *ast.Ident:
			if r.Name == "invalidField" {
				reason = "INVALID_FIELD"
			}
		}
		tells(at, reason)
	})
	if told == 0 {
		t.Error("no refusal with a detail found: is this test still right?")
	}
}

// allTexts are the core's with those of a ruleset, for each ruleset that is there.
func allTexts(t *testing.T) map[string]*locale.Catalog {
	t.Helper()
	out := map[string]*locale.Catalog{}
	for _, r := range rulesets {
		dir := filepath.Join(r, "locale")
		if !exists(dir) {
			continue
		}
		c, err := locale.Load(locale.Core(), os.DirFS(dir))
		if err != nil {
			t.Fatal(err)
		}
		out[r] = c
	}
	return out
}

// textsAt are the texts that a detail at a place in the source is told with: its
// ruleset's, and for the core's own any.
func textsAt(all map[string]*locale.Catalog, at string) *locale.Catalog {
	if dir, _, ok := strings.Cut(at, "/"); ok && all[dir] != nil {
		return all[dir]
	}
	return all[rulesets[0]]
}

func exists(dir string) bool { _, err := os.Stat(dir); return err == nil }

// details are those of the engine and of the server.
func details(t *testing.T) []said {
	t.Helper()
	var all []said
	unknown := map[string]int{}
	eachCall(t, func(at string, call *ast.CallExpr, f *ast.File) {
		if !sayers[name(call)] || len(call.Args) == 0 {
			return
		}
		key, ok := literal(call.Args[0])
		if !ok {
			file, _, _ := strings.Cut(at, ":")
			unknown[file]++
			return
		}
		s := said{at: at, key: key}
		for _, arg := range call.Args[1:] {
			s.params = append(s.params, param(t, at, f, arg))
		}
		all = append(all, s)
	})
	for file, n := range unknown {
		if n != notLiteral[file] {
			t.Errorf("%s has %d details whose key is no literal, want %d", file, n, notLiteral[file])
		}
	}
	return all
}

// param is the name of a parameter, which may stand in a variable of the file.
func param(t *testing.T, at string, f *ast.File, e ast.Expr) string {
	t.Helper()
	switch e := e.(type) {
	case *ast.CallExpr:
		if slices.Contains(params, name(e)) {
			if s, ok := literal(e.Args[0]); ok {
				return s
			}
		}
	case *ast.Ident:
		found := ""
		ast.Inspect(f, func(n ast.Node) bool {
			a, ok := n.(*ast.AssignStmt)
			if !ok || len(a.Lhs) != len(a.Rhs) {
				return true
			}
			for i, l := range a.Lhs {
				if l, ok := l.(*ast.Ident); ok && l.Name == e.Name {
					if call, ok := a.Rhs[i].(*ast.CallExpr); ok && slices.Contains(params, name(call)) {
						found, _ = literal(call.Args[0])
					}
				}
			}
			return true
		})
		if found != "" {
			return found
		}
	}
	t.Errorf("%s: what a parameter is called does not stand there", at)
	return ""
}

// eachCall goes through the calls in the source of the engine and of the server.
func eachCall(t *testing.T, visit func(at string, call *ast.CallExpr, f *ast.File)) {
	t.Helper()
	fset := token.NewFileSet()
	for _, root := range []string{".", filepath.Join("..", "server")} {
		for _, file := range below(t, root) {
			f, err := parser.ParseFile(fset, file, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(f, func(n ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok {
					p := fset.Position(call.Pos())
					visit(filepath.ToSlash(file)+":"+strconv.Itoa(p.Line), call, f)
				}
				return true
			})
		}
	}
}

// below are the Go files of a folder and of those in it, without tests.
func below(t *testing.T, root string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			out = append(out, goFiles(t, path)...)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// serverWords are the texts that stand in the source of the server: its own refusals
// have their keys there.
func serverWords(t *testing.T) []string {
	t.Helper()
	var out []string
	for _, file := range below(t, filepath.Join("..", "server")) {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if e, ok := n.(ast.Expr); ok {
				if s, ok := literal(e); ok {
					out = append(out, s)
				}
			}
			return true
		})
	}
	return out
}

// name is what a call calls, without what it belongs to.
func name(call *ast.CallExpr) string {
	f := call.Fun
	if i, ok := f.(*ast.IndexExpr); ok {
		f = i.X
	}
	switch f := f.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}

func literal(e ast.Expr) (string, bool) {
	b, ok := e.(*ast.BasicLit)
	if !ok || b.Kind != token.STRING {
		return "", false
	}
	s, err := strconv.Unquote(b.Value)
	return s, err == nil
}
