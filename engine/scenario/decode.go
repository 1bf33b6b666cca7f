package scenario

import (
	"slices"

	"github.com/hantei/hantei/engine/dice"
)

// fields goes through a mapping's keys, each with the function that reads it. It
// refuses other keys, and reports which ones are missing. It is false if there is
// no mapping at all.
func (p *problems) fields(n *node, what string, known []field) bool {
	if n.kind != mapNode {
		p.add(n.line, "%s is a mapping, not %s", what, n.word())
		return false
	}
	for _, kv := range n.pairs {
		i := slices.IndexFunc(known, func(f field) bool { return f.key == kv.key })
		if i < 0 {
			names := make([]string, len(known))
			for j, f := range known {
				names[j] = f.key
			}
			p.unknown(kv.line, "key of "+what, kv.key, names)
			continue
		}
		known[i].read(kv.value, kv.line)
	}
	for _, f := range known {
		if f.needed && n.get(f.key) == nil {
			p.add(n.line, "%s lacks %s", what, f.key)
		}
	}
	return true
}

// field is a key of a mapping: what reads its value, and whether it must be there.
type field struct {
	key    string
	read   func(n *node, line int)
	needed bool
}

func optional(key string, read func(n *node, line int)) field { return field{key: key, read: read} }

func needed(key string, read func(n *node, line int)) field {
	return field{key: key, read: read, needed: true}
}

// text reads one word.
func (p *problems) text(n *node, key string) string {
	if n.kind != scalarNode || n.text == "" {
		p.add(n.line, "%s is a word, not %s", key, n.word())
		return ""
	}
	return n.text
}

// into returns a function that reads a word into a variable.
func (p *problems) into(to *string, key string) func(*node, int) {
	return func(n *node, _ int) { *to = p.text(n, key) }
}

// texts reads a list of words; one word stands for a list of it.
func (p *problems) texts(n *node, key string) []string {
	switch n.kind {
	case scalarNode:
		return []string{n.text}
	case listNode:
		out := make([]string, 0, len(n.items))
		for _, item := range n.items {
			out = append(out, p.text(item, key))
		}
		return out
	}
	p.add(n.line, "%s is a list of words, not %s", key, n.word())
	return nil
}

// named reads a list of words with their lines; one word stands for a list of it.
func (p *problems) named(n *node, key string) []named {
	items := n.items
	if n.kind != listNode {
		items = []*node{n}
	}
	out := make([]named, len(items))
	for i, item := range items {
		out[i] = named{item.line, p.text(item, key)}
	}
	return out
}

// flag reads true or false.
func (p *problems) flag(n *node, key string) bool {
	if n.kind != scalarNode || !n.plain || n.text != "true" && n.text != "false" {
		p.add(n.line, "%s is true or false, not %s", key, n.word())
		return false
	}
	return n.text == "true"
}

// list goes through a list of mappings.
func (p *problems) list(n *node, key string, read func(*node)) {
	if n.kind != listNode {
		p.add(n.line, "%s is a list, not %s", key, n.word())
		return
	}
	for _, item := range n.items {
		read(item)
	}
}

// value reads a value that is expected.
func (p *problems) value(n *node, key string) Value {
	switch n.kind {
	case nullNode:
		return Value{}
	case scalarNode:
		return Word(n.text)
	case listNode:
		return Words(p.texts(n, key)...)
	}
	p.add(n.line, "%s is a value or a list of values, not a mapping: write paths with dots", key)
	return Value{}
}

// wants reads paths or keys with the values that they have to have.
func (p *problems) wants(n *node, key string) []want {
	if n.kind != mapNode {
		p.add(n.line, "%s is a mapping, not %s", key, n.word())
		return nil
	}
	out := make([]want, 0, len(n.pairs))
	for _, kv := range n.pairs {
		out = append(out, want{line: kv.line, path: kv.key, value: p.value(kv.value, kv.key)})
	}
	return out
}

// throws reads dice in scenario notation.
func (p *problems) throws(n *node) []dice.Given {
	var out []dice.Given
	if n.kind != listNode {
		p.add(n.line, "dice is a list, not %s", n.word())
		return nil
	}
	for _, item := range n.items {
		g, err := dice.ParseGiven(item.text)
		if err != nil {
			p.add(item.line, "%v", err)
			continue
		}
		out = append(out, g)
	}
	return out
}

// declared checks a name against those that the ruleset and the core declare.
func (p *problems) declared(line int, what, name string, valid []string) {
	if name != "" && !slices.Contains(valid, name) {
		p.unknown(line, what, name, valid)
	}
}
