package rule

import (
	"slices"
	"strconv"
	"strings"
)

// Detail is what was expected and what came, for a refusal: the key of a text of the
// catalogues, below "wrong.", with what it speaks of. Say alone makes one, so that
// none says something in one language only. The zero Detail says nothing.
//
// It goes to whoever is refused: it speaks of what he sent and of what he may know,
// and of nothing else.
type Detail struct {
	key    string
	params []Param
}

// Say makes a detail: the key of its text, below "wrong.", and what the text asks for.
func Say(key string, params ...Param) Detail { return Detail{key: key, params: params} }

// Key is the key of the text, below "wrong."; empty for a detail that says nothing.
func (d Detail) Key() string { return d.key }

// Params are what the text speaks of.
func (d Detail) Params() []Param { return slices.Clone(d.params) }

// Param finds what the text calls by a name.
func (d Detail) Param(name string) (Param, bool) {
	for _, p := range d.params {
		if p.Name == name {
			return p, true
		}
	}
	return Param{}, false
}

// String is the key with what it speaks of as it is, for logs.
func (d Detail) String() string {
	var b strings.Builder
	b.WriteString(d.key)
	for _, p := range d.params {
		b.WriteString(" " + p.Name + "=")
		if p.Kind == ParamDetail {
			b.WriteString("(" + p.Detail.String() + ")")
			continue
		}
		b.WriteString(Quote(strings.Join(p.Values, ",")))
	}
	return b.String()
}

// ParamKind says how people read a parameter.
type ParamKind int

const (
	// ParamCode is read as it is: numbers, dice, names of fields.
	ParamCode ParamKind = iota
	// ParamSent is what somebody sent: as it is, but shortened and on one line.
	ParamSent
	// ParamWord is a word of the rules, read as the catalogue calls it.
	ParamWord
	// ParamNames are the words that could have been sent: as the catalogue calls
	// them, with the word itself.
	ParamNames
	// ParamDetail is another detail.
	ParamDetail
)

// Param is what a detail's text speaks of.
type Param struct {
	// Name is what the text calls it.
	Name string
	// Kind says how it is read.
	Kind ParamKind
	// Values are the values themselves, for programs too; none for a detail.
	Values []string
	// Detail is that of a ParamDetail.
	Detail Detail
}

// Number is a number that a detail speaks of.
func Number[N ~int | ~int32 | ~int64](name string, n N) Param {
	return Code(name, strconv.FormatInt(int64(n), 10))
}

// Code is what is written alike in all languages: dice, names of fields.
func Code(name string, values ...string) Param {
	return Param{Name: name, Kind: ParamCode, Values: values}
}

// Sent is what somebody sent; the text puts it into quotes.
func Sent(name, text string) Param {
	return Param{Name: name, Kind: ParamSent, Values: []string{legible(text)}}
}

// WordOf is a word of the rules that a detail speaks of.
func WordOf(name, word string) Param {
	return Param{Name: name, Kind: ParamWord, Values: []string{word}}
}

// Names are the words that could have been sent.
func Names(name string, words ...string) Param {
	return Param{Name: name, Kind: ParamNames, Values: words}
}

// Because is another detail within one.
func Because(name string, d Detail) Param {
	return Param{Name: name, Kind: ParamDetail, Detail: d}
}
