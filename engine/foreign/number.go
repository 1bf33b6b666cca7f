package foreign

import (
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// Number is a number as somebody wrote it. One that is missing, empty or no whole
// number is unknown, which is not 0.
type Number struct {
	// Value is the number, if it is known.
	Value int32
	// Known is true if there is one.
	Known bool
	// Written is what stands in the source, or is to be written instead of a number.
	Written string
}

// Of is a known number.
func Of(n int32) Number { return Number{n, true, strconv.FormatInt(int64(n), 10)} }

// Words is what stands where a number could, and is none.
func Words(text string) Number { return Number{Written: text} }

// longest is the most characters of a number: more digits are in none of ours.
const longest = 10

// Parse reads a number: digits, also full-width ones, with a sign or without. What
// is anything else is unknown.
func Parse(written string) Number {
	out := Number{Written: strings.TrimSpace(written)}
	text := strings.TrimSpace(norm.NFKC.String(out.Written))
	if len(text) > longest {
		return out
	}
	n, err := strconv.ParseInt(strings.Replace(text, "−", "-", 1), 10, 32)
	if err != nil {
		return out
	}
	out.Value, out.Known = int32(n), true
	return out
}

// String is what is written of it.
func (n Number) String() string { return n.Written }
