package scenario

import (
	"slices"
	"strconv"
	"strings"

	"github.com/hantei/hantei/engine/prompt"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

// Value is a value as a scenario file writes it: null, a word (numbers and truth
// values too), or a list of words. The zero Value is null.
type Value struct {
	// Words are the words: one of them if it is no list.
	Words []string
	// List is true for a list, also of one word.
	List bool
}

// Word makes a value of one word.
func Word(word string) Value { return Value{Words: []string{word}} }

// Words makes a list.
func Words(words ...string) Value { return Value{Words: words, List: true} }

// Number makes a number.
func Number(n int32) Value { return Word(strconv.Itoa(int(n))) }

// Null reports whether it is null.
func (v Value) Null() bool { return !v.List && len(v.Words) == 0 }

// zero reports whether it is what a field has that was never set.
func (v Value) zero() bool {
	if v.List || v.Null() {
		return len(v.Words) == 0
	}
	return v.Words[0] == "" || v.Words[0] == "0" || v.Words[0] == "false"
}

// Is reports whether a value is the one that a file expects. A list of one word
// may be written as the word.
func (v Value) Is(expected Value) bool {
	if v.List && !expected.List && len(v.Words) != 1 {
		return false
	}
	if !v.List && expected.List {
		return false
	}
	return slices.Equal(v.Words, expected.Words)
}

// String gives it as a file would have it: 7, [officer, thug], null.
func (v Value) String() string {
	switch {
	case v.Null():
		return "null"
	case v.List:
		return "[" + strings.Join(v.Words, ", ") + "]"
	case v.Words[0] == "":
		return `""`
	}
	return v.Words[0]
}

// factValue is what a fact tells.
func factValue(f *typev1.Fact) Value {
	switch {
	case f.Number != nil:
		return Number(*f.Number)
	case f.Text != nil:
		return Word(*f.Text)
	case len(f.Squares) > 0:
		v := Words()
		for _, s := range f.Squares {
			v.Words = append(v.Words, prompt.SquareText(s))
		}
		return v
	case len(f.Characters) > 0:
		return Words(f.Characters...)
	}
	return Words(f.Words...)
}
