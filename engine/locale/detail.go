package locale

import (
	"slices"
	"strings"

	"github.com/hantei/hantei/engine/rule"
)

// Detail renders the detail of a refusal, to stand in its text; "" of one that says
// nothing.
func (c *Catalog) Detail(d rule.Detail, lang string) string {
	if d.Key() == "" {
		return ""
	}
	return c.Text("wrong."+d.Key(), lang, func(name string) (string, bool) {
		p, _ := d.Param(name)
		v := c.param(p, lang)
		return v, v != ""
	})
}

func (c *Catalog) param(p rule.Param, lang string) string {
	switch p.Kind {
	case rule.ParamDetail:
		return c.Detail(p.Detail, lang)
	case rule.ParamWord:
		return c.each(p.Values, lang, c.called)
	case rule.ParamNames:
		return c.each(p.Values, lang, c.suggested)
	}
	return c.Join(p.Values, lang)
}

func (c *Catalog) each(words []string, lang string, say func(word, lang string) string) string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = say(w, lang)
	}
	return c.Join(out, lang)
}

// called is a word of the rules as people call it; one without a text in quotes.
func (c *Catalog) called(word, lang string) string {
	if t, ok := c.label(word, lang); ok {
		return t
	}
	return c.quoted(word, lang)
}

// suggested is a word that could have been sent: as people call it, with the word
// itself where that is another; one without a text in quotes.
func (c *Catalog) suggested(word, lang string) string {
	if t, ok := c.label(word, lang); ok {
		return c.both(t, word, lang)
	}
	return c.quoted(word, lang)
}

// Nearest is what may have been meant by a wrong name: as people call it, with the name
// that can be sent where that is another. "" if there is none.
func (c *Catalog) Nearest(r *rule.Refusal, lang string) string {
	if r.Called != "" {
		return c.both(r.Called, r.Nearest, lang)
	}
	if t, ok := c.label(r.Nearest, lang); ok {
		return c.both(t, r.Nearest, lang)
	}
	return r.Nearest
}

func (c *Catalog) both(text, word, lang string) string {
	switch {
	case text == word:
		return text
	case c.Language(lang) == "ja":
		return text + "（" + word + "）"
	}
	return text + " (" + word + ")"
}

// label is the text of a word, of an input, or of a choice such as "parry.knife".
func (c *Catalog) label(word, lang string) (string, bool) {
	if t, ok := c.word(word, lang); ok {
		return t, true
	}
	if t, ok := c.find("input."+word, lang); ok {
		return t.render(nil), true
	}
	if first, _, more := strings.Cut(word, "."); more && c.Has("choice."+first) {
		return c.Choice(word, lang, nil), true
	}
	return "", false
}

func (c *Catalog) quoted(word, lang string) string {
	if c.Language(lang) == "ja" {
		return "「" + word + "」"
	}
	return "“" + word + "”"
}

// Asks are the values that the text of a key speaks of, sorted, and those of them
// that it is no text without.
func (c *Catalog) Asks(key, lang string) (all, needed []string) {
	t, _ := c.find(key, lang)
	all, needed = t.values(), t.needed()
	slices.Sort(all)
	slices.Sort(needed)
	return slices.Compact(all), slices.Compact(needed)
}

func (t template) values() []string {
	out := t.needed()
	for _, p := range t {
		for _, part := range p.maybe {
			out = append(out, part.values()...)
		}
	}
	return out
}

// needed are the placeholders outside of optional parts.
func (t template) needed() []string {
	var out []string
	for _, p := range t {
		if p.value != "" {
			out = append(out, p.value)
		}
	}
	return out
}
