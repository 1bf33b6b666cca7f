package locale

import (
	"fmt"
	"strconv"
	"strings"
)

// template is a parsed text:
//
//	{actor} hits {target}[ with {weapon}][ for {final} points].
//	[{actor} gains|Gained are] {+delta} points.
//
// A placeholder in braces stands for a value; {+delta} writes a number above 0
// with its plus. What is in square brackets is left out if a placeholder in it
// has no value. Of several parts between | the first that lacks no value stands;
// the last may have no placeholders, and stands when all others fall away.
// \{ \} \[ \] \| \\ are the signs themselves.
type template []piece

// piece is a part of a template: words, a placeholder, or optional parts.
type piece struct {
	words  string
	value  string
	signed bool
	maybe  []template
}

// parse reads a template. Errors say what is wrong and at which character.
func parse(text string) (template, error) {
	p := parser{text: []rune(text)}
	t, err := p.pieces(outside)
	if err != nil {
		return nil, err
	}
	return t, nil
}

type parser struct {
	text []rune
	at   int
}

// outside of any bracket.
const outside = -1

// pieces reads up to the end or, inside of the bracket that stands at open, up to
// and with the next | or ].
func (p *parser) pieces(open int) (template, error) {
	var t template
	var words strings.Builder
	flush := func() {
		if words.Len() > 0 {
			t = append(t, piece{words: words.String()})
			words.Reset()
		}
	}
	for p.at < len(p.text) {
		r := p.text[p.at]
		p.at++
		switch {
		case r == '\\':
			if p.at == len(p.text) || !strings.ContainsRune(`{}[]|\`, p.text[p.at]) {
				return nil, p.wrong(p.at-1, `\ is followed by none of { } [ ] | \`)
			}
			words.WriteRune(p.text[p.at])
			p.at++
		case r == '{':
			flush()
			value, err := p.placeholder()
			if err != nil {
				return nil, err
			}
			t = append(t, value)
		case r == '[':
			if open != outside {
				return nil, p.wrong(p.at-1, "[ inside of [ ]")
			}
			flush()
			maybe, err := p.maybe()
			if err != nil {
				return nil, err
			}
			t = append(t, piece{maybe: maybe})
		case open != outside && (r == '|' || r == ']'):
			flush()
			return t, nil
		case r == ']':
			return nil, p.wrong(p.at-1, "] without [")
		case r == '}':
			return nil, p.wrong(p.at-1, "} without {")
		default: // a | too, which means nothing out here
			words.WriteRune(r)
		}
	}
	if open != outside {
		return nil, p.wrong(open, "[ without ]")
	}
	flush()
	return t, nil
}

// maybe reads the parts between brackets; the first bracket has been read.
func (p *parser) maybe() ([]template, error) {
	var parts []template
	for open := p.at - 1; ; {
		part, err := p.pieces(open)
		if err != nil {
			return nil, err
		}
		last := p.text[p.at-1] == ']'
		if !part.placeholders() && (!last || len(parts) == 0) {
			return nil, p.wrong(open, "[ ] without a placeholder, so that it always stands")
		}
		parts = append(parts, part)
		if last {
			return parts, nil
		}
	}
}

// placeholder reads a placeholder's name and the brace that closes it.
func (p *parser) placeholder() (piece, error) {
	brace := p.at - 1
	signed := p.at < len(p.text) && p.text[p.at] == '+'
	if signed {
		p.at++
	}
	for start := p.at; p.at < len(p.text); p.at++ {
		r := p.text[p.at]
		if r == '}' && p.at > start {
			p.at++
			return piece{value: string(p.text[start : p.at-1]), signed: signed}, nil
		}
		if !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '_' || r == '.') {
			break
		}
	}
	return piece{}, p.wrong(brace, "{ is not followed by a name and }")
}

func (p *parser) wrong(at int, what string) error {
	return fmt.Errorf("character %d: %s", at+1, what)
}

// placeholders reports whether there are any, outside of optional parts.
func (t template) placeholders() bool {
	for _, p := range t {
		if p.value != "" {
			return true
		}
	}
	return false
}

// has reports whether the template asks for the value anywhere.
func (t template) has(name string) bool {
	for _, p := range t {
		if p.value == name {
			return true
		}
		for _, part := range p.maybe {
			if part.has(name) {
				return true
			}
		}
	}
	return false
}

// render fills the values in. A value that is absent leaves out the optional
// part around it, or nothing where there is none.
func (t template) render(values Values) string {
	var b strings.Builder
	b.Grow(sentence)
	t.write(&b, values)
	return b.String()
}

// sentence is how many bytes most sentences have at most.
const sentence = 96

func (t template) write(b *strings.Builder, values Values) {
	for _, p := range t {
		if p.value != "" {
			b.WriteString(p.filling(values))
			continue
		}
		b.WriteString(p.words)
		for _, part := range p.maybe {
			if part.filled(values) {
				part.write(b, values)
				break
			}
		}
	}
}

func (t template) filled(values Values) bool {
	for _, p := range t {
		if _, ok := p.find(values); p.value != "" && !ok {
			return false
		}
	}
	return true
}

// filling is what stands for a placeholder.
func (p piece) filling(values Values) string {
	v, _ := p.find(values)
	if !p.signed {
		return v
	}
	if n, err := strconv.Atoi(v); err == nil && n > 0 {
		return "+" + v
	}
	return v
}

func (p piece) find(values Values) (string, bool) {
	if values == nil {
		return "", false
	}
	return values(p.value)
}
