package scenario

import (
	"errors"
	"fmt"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// Limits of a file, far beyond what anybody writes by hand. They keep the
// parser, which recurses, from being led astray by a file from elsewhere.
const (
	maxBytes   = 1 << 18
	maxNesting = 32
)

// nodeKind is what stands at a place of a file.
type nodeKind int8

const (
	nullNode nodeKind = iota
	scalarNode
	listNode
	mapNode
)

// node is a piece of a file with its line: YAML without what scenario files have
// no use for (tags, anchors, floating point numbers, keys that are no words).
type node struct {
	kind  nodeKind
	line  int
	text  string // of a scalar
	plain bool   // a scalar that is a number or true or false: it was not quoted
	items []*node
	pairs []pair // in the order written
}

type pair struct {
	key   string
	line  int
	value *node
}

// word names the kind in messages.
func (n *node) word() string {
	switch n.kind {
	case scalarNode:
		return fmt.Sprintf("%q", n.text)
	case listNode:
		return "a list"
	case mapNode:
		return "a mapping"
	}
	return "nothing"
}

// get returns the value of a key, or nil.
func (n *node) get(key string) *node {
	for _, p := range n.pairs {
		if p.key == key {
			return p.value
		}
	}
	return nil
}

// parse reads the one document of a file; nil after a problem.
func parse(text []byte, p *problems) *node {
	if len(text) > maxBytes {
		p.add(0, "more than %d bytes", maxBytes)
		return nil
	}
	if line := tooDeep(text); line > 0 {
		p.add(line, "nested more than %d deep", maxNesting)
		return nil
	}
	file := parseYAML(text, p)
	if file == nil {
		return nil
	}
	var body ast.Node
	for _, d := range file.Docs {
		if d.Body == nil {
			continue
		}
		if body != nil {
			p.add(lineOf(d.Body), "a second document")
			return nil
		}
		body = d.Body
	}
	if body == nil {
		p.add(0, "nothing in it")
		return nil
	}
	n := p.node(body, 0)
	if len(p.found) > 0 {
		return nil
	}
	return n
}

// parseYAML calls the YAML library, which is known to panic on some broken files.
func parseYAML(text []byte, p *problems) (file *ast.File) {
	defer func() {
		if v := recover(); v != nil {
			p.add(0, "no YAML: %v", v)
			file = nil
		}
	}()
	file, err := parser.ParseBytes(text, 0)
	if err == nil {
		return file
	}
	var at yaml.Error
	if errors.As(err, &at) && at.GetToken() != nil && at.GetToken().Position != nil {
		p.add(at.GetToken().Position.Line, "%s", at.GetMessage())
	} else {
		p.add(0, "%v", err)
	}
	return nil
}

// tooDeep returns the line at which brackets, or dashes and question marks of one
// line, nest too deep, or 0. It does not look for quotes: no sound file comes near.
func tooDeep(text []byte) int {
	line, depth, marks := 1, 0, 0
	for i, c := range text {
		switch c {
		case '\n':
			line++
			marks = 0
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		case '-', '?', ':':
			if i+1 < len(text) && (text[i+1] == ' ' || text[i+1] == '\t') {
				marks++
			}
		}
		if depth > maxNesting || marks > 8*maxNesting {
			return line
		}
	}
	return 0
}

func lineOf(n ast.Node) int {
	if n == nil || n.GetToken() == nil || n.GetToken().Position == nil {
		return 0
	}
	return n.GetToken().Position.Line
}

// node converts a node of the library. A problem leaves an empty one behind.
func (p *problems) node(n ast.Node, depth int) *node {
	out := &node{line: lineOf(n)}
	if depth > maxNesting {
		p.add(out.line, "nested more than %d deep", maxNesting)
		return out
	}
	switch n := n.(type) {
	case nil, *ast.NullNode:
	case *ast.StringNode:
		out.kind, out.text = scalarNode, n.Value
	case *ast.LiteralNode:
		out.kind, out.text = scalarNode, n.Value.Value
	case *ast.IntegerNode, *ast.BoolNode:
		out.kind, out.text, out.plain = scalarNode, n.GetToken().Value, true
	case *ast.SequenceNode:
		out.kind = listNode
		for _, v := range n.Values {
			out.items = append(out.items, p.node(v, depth+1))
		}
	case *ast.MappingNode:
		out.kind = mapNode
		for _, v := range n.Values {
			p.pair(out, v, depth)
		}
	case *ast.MappingValueNode:
		out.kind = mapNode
		p.pair(out, n, depth)
	default:
		p.add(out.line, "%s has no place in a scenario file", n.Type())
	}
	return out
}

func (p *problems) pair(out *node, v *ast.MappingValueNode, depth int) {
	line := lineOf(v.Key)
	switch v.Key.(type) {
	case *ast.StringNode, *ast.IntegerNode, *ast.BoolNode:
	default:
		p.add(line, "a key that is no word")
		return
	}
	key := v.Key.GetToken().Value
	if len(out.pairs) == 0 {
		out.line = line
	}
	if out.get(key) != nil {
		p.add(line, "%q stands twice", key)
		return
	}
	out.pairs = append(out.pairs, pair{key: key, line: line, value: p.node(v.Value, depth+1)})
	if last := out.pairs[len(out.pairs)-1].value; last.line == 0 {
		last.line = line
	}
}
