package locale

import (
	"fmt"
	"strings"
)

// template is a parsed text:
//
//	{actor} hits {target}[ with {weapon}][ for {final} points].
//
// A placeholder in braces stands for a value. What is in square brackets is left
// out if a placeholder in it has no value. \{ \} \[ \] \\ are the signs themselves.
type template []piece

// piece is a part of a template: words, a placeholder, or an optional part.
type piece struct {
	words string
	value string
	maybe template
}

// parse reads a template. Errors say what is wrong and at which character.
func parse(text string) (template, error) {
	p := parser{text: []rune(text)}
	t, err := p.pieces(false)
	if err != nil {
		return nil, err
	}
	return t, nil
}

type parser struct {
	text []rune
	at   int
}

func (p *parser) pieces(inside bool) (template, error) {
	var t template
	var words strings.Builder
	flush := func() {
		if words.Len() > 0 {
			t = append(t, piece{words: words.String()})
			words.Reset()
		}
	}
	open := p.at
	for p.at < len(p.text) {
		r := p.text[p.at]
		p.at++
		switch r {
		case '\\':
			if p.at == len(p.text) || !strings.ContainsRune(`{}[]\`, p.text[p.at]) {
				return nil, p.wrong(p.at-1, `\ is followed by none of { } [ ] \`)
			}
			words.WriteRune(p.text[p.at])
			p.at++
		case '{':
			flush()
			name, err := p.name()
			if err != nil {
				return nil, err
			}
			t = append(t, piece{value: name})
		case '[':
			if inside {
				return nil, p.wrong(p.at-1, "[ inside of [ ]")
			}
			flush()
			maybe, err := p.pieces(true)
			if err != nil {
				return nil, err
			}
			t = append(t, piece{maybe: maybe})
		case ']':
			if !inside {
				return nil, p.wrong(p.at-1, "] without [")
			}
			flush()
			if !t.placeholders() {
				return nil, p.wrong(open-1, "[ ] without a placeholder")
			}
			return t, nil
		case '}':
			return nil, p.wrong(p.at-1, "} without {")
		default:
			words.WriteRune(r)
		}
	}
	if inside {
		return nil, p.wrong(open-1, "[ without ]")
	}
	flush()
	return t, nil
}

// name reads a placeholder's name and the brace that closes it.
func (p *parser) name() (string, error) {
	start := p.at
	for ; p.at < len(p.text); p.at++ {
		r := p.text[p.at]
		if r == '}' && p.at > start {
			p.at++
			return string(p.text[start : p.at-1]), nil
		}
		if !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '_' || r == '.') {
			break
		}
	}
	return "", p.wrong(start-1, "{ is not followed by a name and }")
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
		if p.value == name || p.maybe.has(name) {
			return true
		}
	}
	return false
}

// render fills the values in. A value that is absent leaves out the optional
// part around it, or nothing where there is none.
func (t template) render(values Values) string {
	var b strings.Builder
	for _, p := range t {
		switch {
		case p.value != "":
			v, _ := p.find(values)
			b.WriteString(v)
		case p.maybe == nil:
			b.WriteString(p.words)
		case p.maybe.filled(values):
			b.WriteString(p.maybe.render(values))
		}
	}
	return b.String()
}

func (t template) filled(values Values) bool {
	for _, p := range t {
		if _, ok := p.find(values); p.value != "" && !ok {
			return false
		}
	}
	return true
}

func (p piece) find(values Values) (string, bool) {
	if values == nil {
		return "", false
	}
	return values(p.value)
}
