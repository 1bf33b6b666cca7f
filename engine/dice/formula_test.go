package dice

import (
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// signed is a part of a formula with its sign.
type signed[T any] struct {
	sign int32
	of   T
}

func TestParseFormula(t *testing.T) {
	for _, c := range []struct {
		text, canon string
		dice        []signed[Dice]
		names       []signed[string]
		constant    int32
		lo, hi      int32
	}{
		{text: "1D6+DB", canon: "1D6+DB", dice: []signed[Dice]{{1, Dice{1, 6}}}, names: []signed[string]{{1, "DB"}}, lo: 1, hi: 6},
		{text: "2D6+3", canon: "2D6+3", dice: []signed[Dice]{{1, Dice{2, 6}}}, constant: 3, lo: 2, hi: 12},
		{text: "1D8+1D4-1", canon: "1D8+1D4-1", dice: []signed[Dice]{{1, Dice{1, 8}}, {1, Dice{1, 4}}}, constant: -1, lo: 2, hi: 12},
		{text: "-1D6", canon: "-1D6", dice: []signed[Dice]{{-1, Dice{1, 6}}}, lo: -6, hi: -1},
		{text: "+2d6", canon: "2D6", dice: []signed[Dice]{{1, Dice{2, 6}}}, lo: 2, hi: 12},
		{text: "2D6-1D4", canon: "2D6-1D4", dice: []signed[Dice]{{1, Dice{2, 6}}, {-1, Dice{1, 4}}}, lo: -2, hi: 11},
		{text: " 1D6 + half_DB - 2 ", canon: "1D6+half_DB-2", dice: []signed[Dice]{{1, Dice{1, 6}}}, names: []signed[string]{{1, "half_DB"}}, constant: -2, lo: 1, hi: 6},
		{text: "- DB-d+D6x", canon: "-DB-d+D6x", names: []signed[string]{{-1, "DB"}, {-1, "d"}, {1, "D6x"}}},
		{text: "0", canon: "0"},
		{text: "-0", canon: "-0"},
		{text: "007-1000000", canon: "7-1000000", constant: -999_993},
	} {
		f, err := ParseFormula(c.text)
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		if got := f.String(); got != c.canon {
			t.Errorf("%q: text %q, want %q", c.text, got, c.canon)
		}
		if got := diceOf(f); !reflect.DeepEqual(got, c.dice) {
			t.Errorf("%q: dice %v, want %v", c.text, got, c.dice)
		}
		if got := namesOf(f); !reflect.DeepEqual(got, c.names) {
			t.Errorf("%q: names %v, want %v", c.text, got, c.names)
		}
		if f.Constant() != c.constant || f.Min() != c.lo || f.Max() != c.hi {
			t.Errorf("%q: constant %d, dice %d to %d", c.text, f.Constant(), f.Min(), f.Max())
		}
	}
}

func diceOf(f Formula) (list []signed[Dice]) {
	for sign, d := range f.Dice() {
		list = append(list, signed[Dice]{sign, d})
	}
	return list
}

func namesOf(f Formula) (list []signed[string]) {
	for sign, name := range f.Names() {
		list = append(list, signed[string]{sign, name})
	}
	return list
}

func TestZeroFormula(t *testing.T) {
	var f Formula
	if f.String() != "0" || f.Constant() != 0 || f.Min() != 0 || f.Max() != 0 || diceOf(f) != nil || namesOf(f) != nil {
		t.Errorf("got %v", f)
	}
}

func TestFormulaStopsEarly(t *testing.T) {
	f, err := ParseFormula("1D4+A+1D6+B")
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range f.Dice() {
		if d.Sides != 4 {
			t.Errorf("went on to %v", d)
		}
		break
	}
	for _, name := range f.Names() {
		if name != "A" {
			t.Errorf("went on to %v", name)
		}
		break
	}
}

func TestParseFormulaRefuses(t *testing.T) {
	const term = "dice, a number or a name"
	for _, w := range []wrong{
		{"", 1, expected(term, "")},
		{"  ", 3, expected(term, "")},
		{"+", 2, expected(term, "")},
		{"1D6+", 5, expected(term, "")},
		{"1D6+-1", 5, expected(term, "-")},
		{"1D6--1", 5, expected(term, "-")},
		{"(1D6)", 1, expected(term, "(")},
		{"１D6", 1, expected(term, "１")},
		{"−1D6", 1, expected(term, "−")},
		{"_x", 1, expected(term, "_")},
		{"1D6DB", 4, expected(`"+" or "-"`, "D")},
		{"1D6 DB", 5, expected(`"+" or "-"`, "D")},
		{"2x", 2, expected(`"+" or "-"`, "x")},
		{"1D6*2", 4, expected(`"+" or "-"`, "*")},
		{"DB/2", 3, expected(`"+" or "-"`, "/")},
		{"1D6+DBé", 7, expected(`"+" or "-"`, "é")},
		{"2DB", 3, expected("the sides", "B")},
		{"3+1D", 5, expected("the sides", "")},
		{"D6", 1, expected("a count before the dice", "D")},
		{"2+d100", 3, expected("a count before the dice", "d")},
		{"1+0D6", 3, outside("count", 0, 1, 100)},
		{"1D6+1D1001", 7, outside("sides", 1001, 1, 1000)},
		{"1000001", 1, outside("constant", 1_000_001, 0, MaxConstant)},
		{"1D6-99999999999", 5, outside("constant", 99_999_999_999, 0, MaxConstant)},
		{"1+" + strings.Repeat("a", MaxName+1), 3, outside("length of the name", MaxName+1, 1, MaxName)},
		{strings.Repeat("1+", MaxTerms) + "1", 2*MaxTerms + 1, outside("number of terms", MaxTerms+1, 1, MaxTerms)},
	} {
		f, err := ParseFormula(w.text)
		if !reflect.DeepEqual(f, Formula{}) {
			t.Errorf("%q: got %v beside the error", w.text, f)
		}
		w.check(t, err)
	}
}

var anyFormula = rapid.Custom(func(t *rapid.T) Formula {
	name := rapid.StringMatching(`[A-Za-z][A-Za-z_]{0,10}`)
	one := rapid.Custom(func(t *rapid.T) term {
		x := term{sign: rapid.SampledFrom([]int32{1, -1}).Draw(t, "sign")}
		switch rapid.IntRange(0, 2).Draw(t, "kind") {
		case 0:
			x.dice = anyDice.Draw(t, "dice")
		case 1:
			x.name = name.Draw(t, "name")
		default:
			x.constant = rapid.Int32Range(0, MaxConstant).Draw(t, "constant")
		}
		return x
	})
	return Formula{terms: rapid.SliceOfN(one, 1, MaxTerms).Draw(t, "terms")}
})

func TestFormulaRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := anyFormula.Draw(t, "formula")
		got, err := ParseFormula(f.String())
		if err != nil || !reflect.DeepEqual(got, f) {
			t.Fatalf("%q: got %v, %v", f, got, err)
		}
	})
}

// Whatever is thrown lies between Min and Max, and both can be reached.
func TestFormulaBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := anyFormula.Draw(t, "formula")
		var sum, low, high int32
		for sign, d := range f.Dice() {
			sum += sign * rapid.Int32Range(d.Min(), d.Max()).Draw(t, "total")
			low += min(sign*d.Min(), sign*d.Max())
			high += max(sign*d.Min(), sign*d.Max())
		}
		if f.Min() != low || f.Max() != high || sum < low || sum > high {
			t.Fatalf("%v: %d, from %d to %d", f, sum, f.Min(), f.Max())
		}
	})
}

func FuzzParseFormula(f *testing.F) {
	for _, seed := range []string{
		"1D6+DB", "2D6+3", "1D8+1D4-1", "-1D6", " + 1D6 - x_1 ", "0", "-0", "D6", "2DB", "1D6+", "−1", "1+1+1",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		x, err := ParseFormula(text)
		if err != nil {
			checkPlace(t, text, err)
			return
		}
		again, err := ParseFormula(x.String())
		if err != nil || !reflect.DeepEqual(again, x) {
			t.Fatalf("%q: %v came back as %v, %v", text, x, again, err)
		}
		if x.Min() > x.Max() {
			t.Fatalf("%q: from %d to %d", text, x.Min(), x.Max())
		}
	})
}

func BenchmarkFormulaDice(b *testing.B) {
	f, err := ParseFormula("1D8+1D4-1+DB")
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	var sum int32
	for b.Loop() {
		for sign, d := range f.Dice() {
			sum += sign * d.Max()
		}
	}
	_ = sum
}
