package scenario

import (
	"encoding/json"
	"slices"

	"github.com/hantei/hantei/engine/prompt"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// given reads how the table stands before play.
func (l *loader) given(g *given, n *node) {
	g.line = n.line
	var encounter, positions, dungeon *node
	l.fields(n, "given", []field{
		optional("characters", func(n *node, _ int) {
			l.list(n, "characters", func(n *node) { l.character(g, n) })
		}),
		optional("encounter", func(n *node, _ int) { encounter = n }),
		optional("positions", func(n *node, _ int) { positions = n }),
		optional("dungeon", keep(&dungeon)),
		optional("table", func(n *node, _ int) {
			l.fields(n, "the table", []field{needed("details", keep(&g.table))})
		}),
		optional("pack", func(n *node, _ int) { g.pack = l.pack(n) }),
	})
	// After the characters, wherever they stand: these name them.
	if encounter != nil {
		g.encounter = l.encounter(encounter)
	}
	if positions != nil {
		l.positions(g, positions)
	}
	if dungeon != nil {
		g.dungeon = l.dungeon(dungeon)
	}
	if g.table != nil {
		l.merge(g.table, details(&tablev1.Details{}, l.ruleset)) // for what is wrong in it
	}
}

func (l *loader) character(g *given, n *node) {
	c := character{line: n.line}
	l.fields(n, "a character", []field{
		optional("sample", l.into(&c.sample, "sample")),
		optional("draft", func(n *node, _ int) { c.draft = l.flag(n, "draft") }),
		optional("id", l.into(&c.id, "id")),
		optional("side", l.into(&c.side, "side")),
		optional("review", func(n *node, _ int) {
			if v, ok := enumNumber(c.review.Descriptor(), l.text(n, "review")); ok {
				c.review = tablev1.Review(v)
			} else {
				l.unknown(n.line, "review", n.text, enumWords(c.review.Descriptor()))
			}
		}),
		optional("patch", func(n *node, _ int) { c.patch = n }),
	})
	if c.id == "" {
		c.id = c.sample
	}
	switch {
	case c.draft == (c.sample != ""):
		l.add(n.line, "a character has a sample, or is a draft")
	case c.id == "":
		l.add(n.line, "a draft has an id")
	case c.id == GM, c.id == Observer, c.id == Table:
		l.add(n.line, "no character can have the id %q", c.id)
	case slices.Contains(l.characters, c.id):
		l.add(n.line, "there is a character %q already: give it an id", c.id)
	}
	if c.patch != nil {
		l.patch(c.patch, &tablev1.Character{}, l.ruleset, nil) // for what is wrong in it whatever the sheet
	}
	l.characters = append(l.characters, c.id)
	g.characters = append(g.characters, c)
}

// turnSteps are the steps of a fight in which somebody has the turn: in the
// others the default is nobody, since no rule leads there with a turn.
var turnSteps = []string{"actions", "shooting"}

// encounter reads the running conflict. The sequence of steps is the ruleset's.
func (l *loader) encounter(n *node) *tablev1.Encounter {
	e := &tablev1.Encounter{Step: "actions"}
	var roster, turn *node
	l.fields(n, "the encounter", []field{
		needed("order", func(n *node, _ int) { e.Order = l.ids(n, "order") }),
		needed("round", func(n *node, _ int) { e.Round = l.whole(n, "round") }),
		optional("roster", func(n *node, _ int) { roster = n }),
		optional("step", l.into(&e.Step, "step")),
		optional("turn", func(n *node, _ int) { turn = n }),
		optional("notes", l.into(&e.Notes, "notes")),
	})
	e.Roster = slices.Clone(e.Order)
	if roster != nil {
		e.Roster = l.ids(roster, "roster")
	}
	switch {
	case turn != nil && turn.kind != nullNode:
		e.Turn = l.ids(turn, "turn")
	case turn == nil && len(e.Order) > 0 && slices.Contains(turnSteps, e.Step):
		e.Turn = e.Order[:1:1]
	}
	for _, id := range e.Turn {
		i := slices.Index(e.Order, id)
		if i < 0 {
			l.add(n.line, "%q has the turn, and is not in the order", id)
		}
		e.Pointer = max(e.Pointer, int32(i+1))
	}
	return e
}

func (l *loader) ids(n *node, key string) []string {
	ids := l.texts(n, key)
	for _, id := range ids {
		l.known(n.line, id)
	}
	return ids
}

func (l *loader) positions(g *given, n *node) {
	if n.kind != mapNode {
		l.add(n.line, "positions is a mapping, not %s", n.word())
		return
	}
	for _, kv := range n.pairs {
		i := slices.IndexFunc(g.characters, func(c character) bool { return c.id == kv.key })
		if i < 0 {
			l.known(kv.line, kv.key)
			continue
		}
		s, ok := prompt.Square(kv.value.text)
		if !ok {
			l.add(kv.line, `%s is no square: write "x,y"`, kv.value.word())
		}
		g.characters[i].position = s
	}
}

// pack writes the rows for the ruleset's tables as JSON, which is YAML too: the
// ruleset reads them with the loader of its packs.
func (l *loader) pack(n *node) []byte {
	if n.kind != mapNode {
		l.add(n.line, "pack is a mapping of tables, not %s", n.word())
		return nil
	}
	return appendJSON(nil, n)
}

func appendJSON(b []byte, n *node) []byte {
	switch n.kind {
	case scalarNode:
		if n.plain {
			return append(b, n.text...)
		}
		return appendText(b, n.text)
	case listNode:
		b = append(b, '[')
		for i, item := range n.items {
			if i > 0 {
				b = append(b, ", "...)
			}
			b = appendJSON(b, item)
		}
		return append(b, ']')
	case mapNode:
		b = append(b, '{')
		for i, kv := range n.pairs {
			if i > 0 {
				b = append(b, ", "...)
			}
			b = append(appendText(b, kv.key), ": "...)
			b = appendJSON(b, kv.value)
		}
		return append(b, '}')
	}
	return append(b, "null"...)
}

func appendText(b []byte, text string) []byte {
	quoted, _ := json.Marshal(text) // a string can always be written
	return append(b, quoted...)
}

// details returns the ruleset's own message inside a Details, made if need be.
func details(d *tablev1.Details, ruleset string) protoreflect.Message {
	m := d.ProtoReflect()
	f := m.Descriptor().Fields().ByName(protoreflect.Name(ruleset))
	if f == nil {
		return nil
	}
	return m.Mutable(f).Message()
}
