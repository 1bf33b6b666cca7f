package interceptor

import "github.com/hantei/hantei/server/language"

// wrong is what is wrong with a field: a text's key, and what it speaks of.
type wrong struct {
	what   string
	values map[string]string
}

// in says it in a language.
func (w wrong) in(lang string) string { return language.Texts().Wrong(w.what, lang, w.values) }

// wrongField is a field and what is wrong with it.
type wrongField struct {
	field string
	wrong wrong
}
