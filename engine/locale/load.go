package locale

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	yamlparser "github.com/goccy/go-yaml/parser"
)

//go:embed text/*.yaml
var texts embed.FS

// Core has the texts of the core: ja.yaml and en.yaml.
func Core() fs.FS {
	core, err := fs.Sub(texts, "text")
	if err != nil {
		panic(err) // the name above is a valid path
	}
	return core
}

// Load reads the catalog files at the root of each source, one for each language,
// for example ja.yaml, and merges them. The first one is mostly Core. Keys may be
// nested: `event: {attack_hit: ...}` is the key event.attack_hit.
//
// The error lists everything that is wrong: files that cannot be read, texts
// that cannot be parsed, keys that stand twice, and keys that a language lacks.
func Load(sources ...fs.FS) (*Catalog, error) {
	l := loader{}
	for _, source := range sources {
		l.source(source)
	}
	c := l.catalog()
	if err := errors.Join(l.wrong...); err != nil {
		return nil, err
	}
	return c, nil
}

// loader gathers texts in the order in which they stand.
type loader struct {
	texts []text
	wrong []error
}

type text struct {
	lang, key string
	where     string
	template  template
}

func (l *loader) fail(format string, args ...any) {
	l.wrong = append(l.wrong, fmt.Errorf(format, args...))
}

func (l *loader) source(source fs.FS) {
	files, err := fs.Glob(source, "*.yaml")
	if err != nil || len(files) == 0 {
		l.fail("locale: no *.yaml in a source (%v)", err)
		return
	}
	slices.Sort(files)
	for _, file := range files {
		content, err := fs.ReadFile(source, file)
		if err != nil {
			l.fail("locale: %w", err)
			continue
		}
		doc, err := yamlparser.ParseBytes(content, 0)
		if err != nil {
			l.fail("locale: %s: %w", file, err)
			continue
		}
		for _, d := range doc.Docs {
			if d.Body != nil {
				l.walk(file, "", d.Body)
			}
		}
	}
}

// walk takes the texts below a node of a file.
func (l *loader) walk(file, prefix string, node ast.Node) {
	where := fmt.Sprintf("%s:%d", file, node.GetToken().Position.Line)
	switch node := node.(type) {
	case *ast.MappingNode:
		for _, v := range node.Values {
			key := prefix + v.Key.GetToken().Value
			if v.Value.Type() == ast.MappingType || v.Value.Type() == ast.MappingValueType {
				key += "."
			}
			l.walk(file, key, v.Value)
		}
	case ast.ScalarNode, *ast.LiteralNode:
		var value string
		if err := yaml.NodeToValue(node, &value); err != nil {
			l.fail("locale: %s: %s: %w", where, prefix, err)
			return
		}
		t, err := parse(value)
		if err != nil {
			l.fail("locale: %s: %s: %w", where, prefix, err)
		}
		lang := strings.TrimSuffix(path.Base(file), ".yaml")
		l.texts = append(l.texts, text{lang, prefix, where, t})
	default:
		l.fail("locale: %s: %s is neither a text nor texts", where, prefix)
	}
}

// catalog merges what was gathered.
func (l *loader) catalog() *Catalog {
	c := &Catalog{}
	for _, t := range l.texts {
		c.languages = append(c.languages, t.lang)
		c.keys = append(c.keys, t.key)
	}
	slices.Sort(c.languages)
	slices.Sort(c.keys)
	c.languages, c.keys = slices.Compact(c.languages), slices.Compact(c.keys)
	c.texts = make([]map[string]template, len(c.languages))
	for i, lang := range c.languages {
		c.texts[i] = make(map[string]template, len(c.keys))
		for _, t := range l.texts {
			if t.lang != lang {
				continue
			}
			if _, ok := c.texts[i][t.key]; ok {
				l.fail("locale: %s: %s stands twice", t.where, t.key)
			}
			c.texts[i][t.key] = t.template
		}
		for _, key := range c.keys {
			if _, ok := c.texts[i][key]; !ok {
				l.fail("locale: %s lacks %s", lang, key)
			}
		}
	}
	return c
}
