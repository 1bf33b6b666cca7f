package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"
)

// mutant is one small fault that the tests should find.
type mutant struct {
	// File and Line say where it is.
	File string
	Line int
	// Rule is the id of the rule whose code it is in, or "-".
	Rule string
	// Was and Now are the code and what it does instead.
	Was, Now string
	// Met is whether any test comes to a place where it does something else.
	Met bool
}

// String is the mutant's line of the report.
func (m mutant) String() string {
	unmet := ""
	if !m.Met {
		unmet = " (no test meets it)"
	}
	return fmt.Sprintf("%s:%d: %s as %s%s", m.File, m.Line, m.Was, m.Now, unmet)
}

// edit puts text in the place of a piece of a file. Edits at one place stand in the
// order of rank.
type edit struct {
	from, to int
	text     string
	rank     int
}

// file is a source file with the edits that make it one of many mutants: which, is
// decided when it runs (see switch.txt).
type file struct {
	name    string
	text    string
	edits   []edit
	mutants *[]mutant
	fset    *token.FileSet
	pkg     *types.Package
	info    *types.Info
	imports map[string]string // name in this file by path
	rules   []ruleAt
}

// ruleAt is a place in a file that names a rule.
type ruleAt struct {
	offset int
	id     string
}

// ids are those of the specifications: COC-ATK-01.
var ids = regexp.MustCompile(`\b[A-Z0-9]{3,}-[A-Z]{2,}-[0-9]{2}\b`)

// mutate finds the places of a file that can be other than they are.
func (f *file) mutate(tree *ast.File) {
	for _, at := range ids.FindAllStringIndex(f.text, -1) {
		f.rules = append(f.rules, ruleAt{at[0], f.text[at[0]:at[1]]})
	}
	f.imports = make(map[string]string)
	for _, spec := range tree.Imports {
		path := strings.Trim(spec.Path.Value, `"`)
		f.imports[path] = path[strings.LastIndex(path, "/")+1:]
		if spec.Name != nil {
			f.imports[path] = spec.Name.Name
		}
	}
	for _, d := range tree.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
			ast.Inspect(fn.Body, func(n ast.Node) bool { return f.node(fn, n) })
		}
	}
}

// node makes mutants of a node, and reports whether to look into it.
func (f *file) node(fn *ast.FuncDecl, n ast.Node) bool {
	switch n := n.(type) {
	case *ast.GenDecl:
		return n.Tok != token.CONST
	case *ast.ArrayType:
		return false // its length is a constant
	case *ast.IfStmt:
		f.condition(fn, n.Cond)
	case *ast.UnaryExpr:
		if n.Op == token.NOT {
			f.negate(fn, n)
		}
	case *ast.BinaryExpr:
		f.binary(fn, n)
	case *ast.CallExpr:
		f.extreme(fn, n)
	case *ast.BasicLit:
		f.number(fn, n)
	}
	return true
}

func (f *file) binary(fn *ast.FuncDecl, n *ast.BinaryExpr) {
	if f.info.Types[n].Value != nil {
		return // a constant is not computed when it runs
	}
	ints := f.basic(n.X, types.IsInteger) && f.basic(n.Y, types.IsInteger)
	switch n.Op {
	case token.LAND, token.LOR:
		other := map[token.Token]token.Token{token.LAND: token.LOR, token.LOR: token.LAND}[n.Op]
		id := f.add(fn, n, f.as(n, other))
		f.around(n, fmt.Sprintf("mutantLogic(%d, %q, ", id, n.Op), ") })")
		f.operator(n, ", func() bool { return (")
		f.condition(fn, n.X) // after what is around it
		f.condition(fn, n.Y)
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
		if !ints {
			return
		}
		edge := map[token.Token]token.Token{token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR}[n.Op]
		opposite := map[token.Token]token.Token{token.LSS: token.GEQ, token.LEQ: token.GTR, token.GTR: token.LEQ, token.GEQ: token.LSS}[n.Op]
		id := f.add(fn, n, f.as(n, edge), f.as(n, opposite))
		f.around(n, fmt.Sprintf("mutantCompare(%d, %q, ", id, n.Op), ")")
		f.operator(n, ", ")
	case token.EQL, token.NEQ:
		f.negate(fn, n)
	case token.ADD, token.SUB, token.MUL, token.QUO:
		if !ints {
			return
		}
		other := map[token.Token]token.Token{token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.QUO, token.QUO: token.MUL}[n.Op]
		id := f.add(fn, n, f.as(n, other))
		f.around(n, fmt.Sprintf("mutantArithmetic(%d, %q, ", id, n.Op), ")")
		f.operator(n, ", ")
	}
}

// condition negates a condition that no other mutant is made of.
func (f *file) condition(fn *ast.FuncDecl, n ast.Expr) {
	switch n.(type) {
	case *ast.CallExpr, *ast.Ident, *ast.SelectorExpr:
		f.negate(fn, n)
	}
}

func (f *file) negate(fn *ast.FuncDecl, n ast.Expr) {
	if t, ok := f.info.TypeOf(n).(*types.Basic); !ok || t.Info()&types.IsBoolean == 0 {
		return
	}
	id := f.add(fn, n, "not "+f.source(n))
	f.around(n, fmt.Sprintf("mutantNot(%d, ", id), ")")
}

// extreme takes the least for the most, and the other way round.
func (f *file) extreme(fn *ast.FuncDecl, n *ast.CallExpr) {
	name, ok := n.Fun.(*ast.Ident)
	if !ok || f.info.Types[n].Value != nil || !f.basic(n, types.IsInteger) {
		return
	}
	if _, builtin := f.info.Uses[name].(*types.Builtin); !builtin || (name.Name != "min" && name.Name != "max") {
		return
	}
	other := map[string]string{"min": "max", "max": "min"}[name.Name]
	id := f.add(fn, n, other+f.source(n)[3:])
	f.replace(name.Pos(), n.Lparen+1, fmt.Sprintf("mutantExtreme(%d, %q, ", id, name.Name))
}

// number is one more, or one less.
func (f *file) number(fn *ast.FuncDecl, n *ast.BasicLit) {
	if n.Kind != token.INT {
		return
	}
	name, ok := f.typeName(f.info.TypeOf(n))
	if !ok {
		return
	}
	id := f.add(fn, n, n.Value+"+1", n.Value+"-1")
	f.around(n, fmt.Sprintf("mutantNumber[%s](%d, ", name, id), ")")
}

// typeName is how a type of integers is written in this file.
func (f *file) typeName(t types.Type) (string, bool) {
	b, ok := t.Underlying().(*types.Basic)
	if !ok || b.Info()&types.IsInteger == 0 || b.Info()&types.IsUntyped != 0 {
		return "", false
	}
	known := true
	name := types.TypeString(t, func(p *types.Package) string {
		if p == f.pkg {
			return ""
		}
		if f.imports[p.Path()] == "" {
			known = false
		}
		return f.imports[p.Path()]
	})
	return name, known
}

func (f *file) basic(n ast.Expr, is types.BasicInfo) bool {
	b, ok := f.info.TypeOf(n).Underlying().(*types.Basic)
	return ok && b.Info()&is != 0
}

// add lists mutants of a place, and returns the number of the first.
func (f *file) add(fn *ast.FuncDecl, n ast.Node, now ...string) int {
	id := len(*f.mutants)
	for _, text := range now {
		*f.mutants = append(*f.mutants, mutant{
			File: f.name, Line: f.fset.Position(n.Pos()).Line, Rule: f.rule(fn, n), Was: f.source(n), Now: text,
		})
	}
	return id
}

// rule is the rule that is named last before a place in its function or above it,
// else first after it.
func (f *file) rule(fn *ast.FuncDecl, n ast.Node) string {
	from, here, to := f.offset(fn.Pos()), f.offset(n.End()), f.offset(fn.End())
	if fn.Doc != nil {
		from = f.offset(fn.Doc.Pos())
	}
	found := "-"
	for _, r := range f.rules {
		if r.offset < from || r.offset >= to || (r.offset > here && found != "-") {
			continue
		}
		found = r.id
	}
	return found
}

func (f *file) source(n ast.Node) string {
	return strings.Join(strings.Fields(f.text[f.offset(n.Pos()):f.offset(n.End())]), " ")
}

// as is a binary expression with another operator.
func (f *file) as(n *ast.BinaryExpr, op token.Token) string {
	return f.source(n.X) + " " + op.String() + " " + f.source(n.Y)
}

func (f *file) offset(p token.Pos) int { return f.fset.Position(p).Offset }

func (f *file) around(n ast.Node, before, after string) {
	rank := len(f.edits) + 1
	f.edits = append(f.edits,
		edit{f.offset(n.Pos()), f.offset(n.Pos()), before, rank},
		edit{f.offset(n.End()), f.offset(n.End()), after, -rank}) // what is inside ends before
}

func (f *file) operator(n *ast.BinaryExpr, text string) {
	f.replace(n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), text)
}

func (f *file) replace(from, to token.Pos, text string) {
	f.edits = append(f.edits, edit{f.offset(from), f.offset(to), text, len(f.edits) + 1})
}

// edited is the file with its edits.
func (f *file) edited() string {
	slices.SortStableFunc(f.edits, func(a, b edit) int {
		if a.from != b.from {
			return a.from - b.from
		}
		return a.rank - b.rank
	})
	var b strings.Builder
	at := 0
	for _, e := range f.edits {
		b.WriteString(f.text[at:e.from])
		b.WriteString(e.text)
		at = e.to
	}
	b.WriteString(f.text[at:])
	return b.String()
}
