package dice

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// wrong is a text that a parser refuses.
type wrong struct {
	text   string
	column int
	err    error
}

// check compares what a parser said with what it should have said.
func (w wrong) check(t *testing.T, got error) {
	t.Helper()
	var parse *ParseError
	if !errors.As(got, &parse) {
		t.Fatalf("%q: got %v, want a *ParseError", w.text, got)
	}
	want := &ParseError{Text: w.text, Column: w.column, Err: w.err}
	if !reflect.DeepEqual(parse, want) {
		t.Errorf("%q:\n got %v\nwant %v", w.text, parse, want)
	}
}

func expected(what, found string) error { return &SyntaxError{Expected: what, Found: found} }

func outside(what string, got int64, low, high int32) error {
	return &RangeError{What: what, Got: got, Min: low, Max: high}
}

var anyDice = rapid.Custom(func(t *rapid.T) Dice {
	return Dice{
		Count: rapid.Int32Range(1, MaxCount).Draw(t, "count"),
		Sides: rapid.Int32Range(1, MaxSides).Draw(t, "sides"),
	}
})

func TestParse(t *testing.T) {
	for _, c := range []struct {
		text   string
		want   Dice
		canon  string
		lo, hi int32
	}{
		{"1D100", Dice{1, 100}, "1D100", 1, 100},
		{"3d6", Dice{3, 6}, "3D6", 3, 18},
		{"1D1", Dice{1, 1}, "1D1", 1, 1},
		{"007D010", Dice{7, 10}, "7D10", 7, 70},
		{"100D1000", Dice{MaxCount, MaxSides}, "100D1000", 100, 100_000},
	} {
		got, err := Parse(c.text)
		if err != nil || got != c.want {
			t.Errorf("%q: got %v, %v", c.text, got, err)
			continue
		}
		if got.String() != c.canon || got.Min() != c.lo || got.Max() != c.hi {
			t.Errorf("%q: got %v from %d to %d", c.text, got, got.Min(), got.Max())
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, w := range []wrong{
		{"", 1, expected("the count", "")},
		{"D6", 1, expected("the count", "D")},
		{"-1D6", 1, expected("the count", "-")},
		{" 1D6", 1, expected("the count", " ")},
		{"3", 2, expected(`"D"`, "")},
		{"3W6", 2, expected(`"D"`, "W")},
		{"3D", 3, expected("the sides", "")},
		{"3D%", 3, expected("the sides", "%")},
		{"3D6 ", 4, expected("nothing after the sides", " ")},
		{"3D6\x00", 4, expected("nothing after the sides", "\x00")},
		{"1D6+1", 4, expected("nothing after the sides", "+")},
		{"３D6", 1, expected("the count", "３")},
		{"3Ｄ6", 2, expected(`"D"`, "Ｄ")},
		{"3D6\xff", 4, expected("nothing after the sides", "\xff")},
		{"0D6", 1, outside("count", 0, 1, 100)},
		{"101D6", 1, outside("count", 101, 1, 100)},
		{"1D0", 3, outside("sides", 0, 1, 1000)},
		{"1D1001", 3, outside("sides", 1001, 1, 1000)},
		{"1D4294967297", 3, outside("sides", 4294967297, 1, 1000)},
		{"1D9223372036854775807", 3, outside("sides", math.MaxInt64, 1, 1000)},
		{"1D18446744073709551622", 3, outside("sides", math.MaxInt64, 1, 1000)},
	} {
		_, err := Parse(w.text)
		w.check(t, err)
	}
}

func TestErrorText(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"3D", `dice: column 3 of "3D": expected the sides, found the end`},
		{"3x6", `dice: column 2 of "3x6": expected "D", found "x"`},
		{"３D6", `dice: column 1 of "３D6": expected the count, found "３", which is not ASCII`},
		{"1D9999", `dice: column 3 of "1D9999": sides is 9999, must be 1 to 1000`},
		{strings.Repeat("9", 200) + "D6", `dice: column 1 of "` + strings.Repeat("9", 80) +
			`"...: count is 9223372036854775807, must be 1 to 100`},
	} {
		if _, err := Parse(c.text); err == nil || err.Error() != c.want {
			t.Errorf("got  %v\nwant %s", err, c.want)
		}
	}
}

func TestParseRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := anyDice.Draw(t, "dice")
		for _, text := range []string{d.String(), strings.ToLower(d.String())} {
			if got, err := Parse(text); err != nil || got != d {
				t.Fatalf("%q: got %v, %v", text, got, err)
			}
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"1D100", "3d6", "100D1000", "0D6", "1D", "D6", "３Ｄ６", "1D99999999999999999999"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, err := Parse(text)
		if err != nil {
			checkPlace(t, text, err)
			return
		}
		if err := d.check(); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if again, err := Parse(d.String()); err != nil || again != d {
			t.Fatalf("%q: %v came back as %v, %v", text, d, again, err)
		}
	})
}

// checkPlace looks that an error names a place in the text, or its end.
func checkPlace(t *testing.T, text string, err error) {
	t.Helper()
	var parse *ParseError
	if !errors.As(err, &parse) {
		t.Fatalf("%q: got %v, want a *ParseError", text, err)
	}
	if parse.Text != text || parse.Column < 1 || parse.Column > len(text)+1 || parse.Err == nil {
		t.Fatalf("%q: got %#v", text, parse)
	}
}
