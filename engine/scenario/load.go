package scenario

import (
	"cmp"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// Load reads a scenario file. The error joins an [*Error] for everything that is
// wrong in it.
func Load(fsys fs.FS, name string) (*File, error) {
	text, err := fs.ReadFile(fsys, name)
	if err != nil {
		return nil, &Error{File: name, Text: err.Error()}
	}
	return Parse(name, text)
}

// LoadDir reads every *.yaml of a file system, sorted by name. It returns what
// could be read even where the error is not nil. Two files of one example are an
// error: it would count twice.
func LoadDir(fsys fs.FS) ([]*File, error) {
	var files []*File
	var wrong []error
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) != ".yaml" {
			return err
		}
		f, err := Load(fsys, name)
		if err != nil {
			wrong = append(wrong, err)
			return nil
		}
		if i := slices.IndexFunc(files, func(o *File) bool { return o.ID == f.ID }); i >= 0 {
			wrong = append(wrong, &Error{File: name, Line: 1, Text: f.ID + " is the example of " + files[i].Name + " already"})
			return nil
		}
		files = append(files, f)
		return nil
	})
	if err != nil {
		wrong = append(wrong, err)
	}
	return files, errors.Join(wrong...)
}

// Parse reads the text of a scenario file.
func Parse(name string, text []byte) (*File, error) {
	l := &loader{problems: problems{file: name}}
	n := parse(text, &l.problems)
	if n == nil {
		return nil, l.err()
	}
	f := l.load(n)
	if err := l.err(); err != nil {
		return nil, err
	}
	return f, nil
}

// loader turns the nodes of one file into a File.
type loader struct {
	problems
	ruleset string
	vocabulary
	characters []string // ids in the case at hand
}

func (l *loader) load(n *node) *File {
	f := &File{Name: l.file}
	var cases, untold *node
	options := &node{kind: mapNode}
	var inside parts
	ok := l.fields(n, "the file", []field{
		needed("id", l.into(&f.ID, "id")),
		needed("rule", func(n *node, _ int) { f.rules = l.named(n, "rule") }),
		needed("ruleset", l.into(&f.Ruleset, "ruleset")),
		optional("options", func(n *node, _ int) { options = n }),
		optional("untold", keep(&untold)),
		optional("given", keep(&inside.given)),
		optional("play", keep(&inside.play)),
		optional("views", keep(&inside.views)),
		optional("cases", keep(&cases)),
	})
	for _, r := range f.rules {
		f.Rules = append(f.Rules, r.name)
	}
	if !ok {
		return f
	}
	if !slices.Contains(rulesets(), f.Ruleset) {
		if r := n.get("ruleset"); r != nil {
			l.unknown(r.line, "ruleset", f.Ruleset, rulesets())
		}
		return f
	}
	l.ruleset, l.vocabulary = f.Ruleset, *vocabularyOf(f.Ruleset)
	if untold != nil {
		for _, e := range l.named(untold, "untold") {
			l.declared(e.line, "event", e.name, l.events)
			f.Untold = append(f.Untold, e.name)
		}
	}
	common := l.options(options, nil)
	switch {
	case cases == nil && inside.play == nil:
		l.add(n.line, "the file has neither play nor cases")
	case cases == nil:
		c := &Case{Line: n.line, Options: common}
		l.caseOf(c, inside)
		f.Cases = append(f.Cases, c)
	case inside != parts{}:
		l.add(n.line, "a file with cases has given, play and views inside them")
	default:
		l.list(cases, "cases", func(n *node) { f.Cases = append(f.Cases, l.oneCase(n, f, common)) })
		if len(f.Cases) == 0 {
			l.add(cases.line, "no cases")
		}
	}
	return f
}

// oneCase reads one of several cases. Its options come on top of the file's.
func (l *loader) oneCase(n *node, f *File, common []*tablev1.Option) *Case {
	c := &Case{Line: n.line, Options: common}
	var inside parts
	l.fields(n, "a case", []field{
		needed("name", l.into(&c.Name, "name")),
		optional("options", func(n *node, _ int) { c.Options = l.options(n, common) }),
		optional("given", keep(&inside.given)),
		needed("play", keep(&inside.play)),
		optional("views", keep(&inside.views)),
	})
	if slices.ContainsFunc(f.Cases, func(o *Case) bool { return o.Name == c.Name }) {
		l.add(n.line, "there is a case %q already", c.Name)
	}
	if inside.play != nil {
		l.caseOf(c, inside)
	}
	return c
}

// parts are what a case is made of; nil where it does not have one.
type parts struct{ given, play, views *node }

// keep returns a function that keeps a node for later.
func keep(to **node) func(*node, int) {
	return func(n *node, _ int) { *to = n }
}

func (l *loader) caseOf(c *Case, p parts) {
	c.given.line = c.Line
	l.characters = nil
	if p.given != nil {
		l.given(&c.given, p.given)
	}
	l.list(p.play, "play", func(n *node) { c.Play = append(c.Play, l.entry(n)) })
	if p.play.kind == listNode && len(p.play.items) == 0 {
		l.add(p.play.line, "play is empty")
	}
	if p.views != nil {
		c.views = l.looks(p.views)
	}
}

// options reads table switches on top of others. The ruleset checks them at the run.
func (l *loader) options(n *node, under []*tablev1.Option) []*tablev1.Option {
	out := slices.Clone(under)
	if n.kind != mapNode {
		l.add(n.line, "options is a mapping, not %s", n.word())
		return out
	}
	for _, kv := range n.pairs {
		o := &tablev1.Option{Key: kv.key, Value: l.text(kv.value, kv.key)}
		i, found := slices.BinarySearchFunc(out, o, func(a, b *tablev1.Option) int { return strings.Compare(a.Key, b.Key) })
		if found {
			out[i] = o
		} else {
			out = slices.Insert(out, i, o)
		}
	}
	return out
}

// known checks the id of a character.
func (l *loader) known(line int, id string) {
	if id != "" && !slices.Contains(l.characters, id) {
		l.unknown(line, "character", id, l.characters)
	}
}

// who reads a character or the GM, who is nobody.
func (l *loader) who(to *string, key string) func(*node, int) {
	return func(n *node, _ int) {
		id := l.text(n, key)
		if id == GM {
			id = ""
		}
		l.known(n.line, id)
		*to = id
	}
}

// seat reads a seat: the GM's, or that of a character's player.
func (l *loader) seat(to *string) func(*node, int) {
	return func(n *node, _ int) {
		*to = l.text(n, "seat")
		if *to != GM {
			l.known(n.line, *to)
		}
	}
}

// sortedBy keeps rows of a sheet in the order of their keys.
func sortedBy[R any](rows []R, key func(R) string) {
	slices.SortStableFunc(rows, func(a, b R) int { return cmp.Compare(key(a), key(b)) })
}
