// Package locale holds the texts that people read, in each language: what
// happened, what is asked, why something is refused. Texts are made of a key and
// of values that the caller hands in, so they tell only what the caller tells.
package locale

import (
	"slices"
	"strconv"
	"strings"
)

// Fallback is the language of those whose own is not there.
const Fallback = "en"

// Catalog has the texts of all languages. It is not changed after it was loaded.
type Catalog struct {
	languages []string // sorted
	texts     []map[string]template
	keys      []string // sorted; the same in all languages
}

// Languages are those that there are texts in, sorted.
func (c *Catalog) Languages() []string { return slices.Clone(c.languages) }

// Keys are all keys, sorted.
func (c *Catalog) Keys() []string { return slices.Clone(c.keys) }

// Has reports whether there is a text for the key.
func (c *Catalog) Has(key string) bool {
	_, ok := slices.BinarySearch(c.keys, key)
	return ok
}

// Values finds the value of a placeholder; false if there is none, or none that
// the reader may see.
type Values func(name string) (string, bool)

// Text renders the text of a key; the key itself if there is none.
func (c *Catalog) Text(key, lang string, values Values) string {
	t, ok := c.find(key, lang)
	if !ok {
		return key
	}
	return t.render(values)
}

// Texts are the texts of a key in all languages; none if there is no text.
func (c *Catalog) Texts(key string) []string {
	var out []string
	for _, lang := range c.languages {
		if t, ok := c.find(key, lang); ok {
			out = append(out, t.render(nil))
		}
	}
	return out
}

// Error renders why something is refused. Params are the details by name.
func (c *Catalog) Error(reason, lang string, params map[string]string) string {
	return c.Text("error."+reason, lang, given(params))
}

// Wrong renders what is wrong with a field or a body, to stand in an error as its
// detail. Params are what the text speaks of, by name.
func (c *Catalog) Wrong(what, lang string, params map[string]string) string {
	return c.Text("wrong."+what, lang, given(params))
}

// Imported renders what became of something on another tool's sheet, by the word of
// the outcome. Params are what the text speaks of, by name.
func (c *Catalog) Imported(outcome, lang string, params map[string]string) string {
	return c.Text("import."+outcome, lang, given(params))
}

// given are values from a map, where an empty one is none.
func given(params map[string]string) Values {
	return func(name string) (string, bool) {
		v, ok := params[name]
		return v, ok && v != ""
	}
}

// wordKeys are where a word of the rules is looked up, in this order.
var wordKeys = []string{"word.", "stat.", "status.", "choice.", "action.", "name.", "option."}

// Word is a word of the rules in the language; the word itself if it is not
// there, so that a person's own text passes unchanged.
func (c *Catalog) Word(word, lang string) string {
	if t, ok := c.word(word, lang); ok {
		return t
	}
	return word
}

// AllWords are the words that Word knows, sorted.
func (c *Catalog) AllWords() []string {
	var out []string
	for _, key := range c.keys {
		for _, prefix := range wordKeys {
			if word, ok := strings.CutPrefix(key, prefix); ok {
				out = append(out, word)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func (c *Catalog) word(word, lang string) (string, bool) {
	for _, prefix := range wordKeys {
		if t, ok := c.find(prefix+word, lang); ok {
			return t.render(nil), true
		}
	}
	return "", false
}

// Words are words of the rules in the language, as a list. Those that are no
// words of the rules are characters, if name knows them; name may be nil.
func (c *Catalog) Words(words []string, lang string, name func(id string) string) string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = c.wordOrName(w, lang, name)
	}
	return c.Join(out, lang)
}

func (c *Catalog) wordOrName(word, lang string, name func(id string) string) string {
	if name != nil {
		if n := name(word); n != "" {
			return n
		}
	}
	if t, ok := c.word(word, lang); ok {
		return t
	}
	return word
}

// Join makes a list of finished words.
func (c *Catalog) Join(words []string, lang string) string {
	if c.Language(lang) == "ja" {
		return strings.Join(words, "、")
	}
	return strings.Join(words, ", ")
}

// Label renders the words of a button: a key, then what it is about, which the
// text calls {what}, or {what.1}, {what.2} and so on one by one. A text that does
// not ask for it gets it in brackets behind.
func (c *Catalog) Label(label []string, lang string, name func(id string) string) string {
	if len(label) == 0 {
		return ""
	}
	t, ok := c.find(label[0], lang)
	if !ok {
		return c.Words(label, lang, name)
	}
	about := label[1:]
	what := c.Words(about, lang, name)
	text := t.render(func(value string) (string, bool) {
		number, one := strings.CutPrefix(value, "what.")
		if !one {
			return what, value == "what" && what != ""
		}
		i, err := strconv.Atoi(number)
		if err != nil || i < 1 || i > len(about) {
			return "", false
		}
		return c.wordOrName(about[i-1], lang, name), true
	})
	if what == "" || t.has("what") || t.has("what.1") {
		return text
	}
	if c.Language(lang) == "ja" {
		return text + "（" + what + "）"
	}
	return text + " (" + what + ")"
}

// Choice renders a choice of a prompt by its id: "dodge", or "parry.knife", whose
// second part is what it is about.
func (c *Catalog) Choice(id, lang string, name func(id string) string) string {
	parts := strings.Split(id, ".")
	if !c.Has("choice." + parts[0]) {
		return c.Words(parts, lang, name)
	}
	parts[0] = "choice." + parts[0]
	return c.Label(parts, lang, name)
}

// Chosen renders a choice of a prompt with what it is called: its id, and the words that
// stand in its place if there are some.
func (c *Catalog) Chosen(choice []string, lang string, name func(id string) string) string {
	if len(choice) == 1 {
		return c.Choice(choice[0], lang, name)
	}
	return c.Words(choice[1:], lang, nil)
}

// Language is the best of the catalog's languages for what a client asked for,
// for example "ja" for "ja-JP".
func (c *Catalog) Language(lang string) string {
	base, _, _ := strings.Cut(strings.ToLower(lang), "-")
	if _, ok := slices.BinarySearch(c.languages, base); ok {
		return base
	}
	return Fallback
}

func (c *Catalog) find(key, lang string) (template, bool) {
	i, ok := slices.BinarySearch(c.languages, c.Language(lang))
	if !ok {
		return nil, false
	}
	t, ok := c.texts[i][key]
	return t, ok
}
