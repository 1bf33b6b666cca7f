package odds_test

import (
	"errors"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/hantei/hantei/engine/dice"
	"github.com/hantei/hantei/engine/odds"
)

// What a formula comes to is counted throw by throw, and adds up to 1.
func TestFormula(t *testing.T) {
	for _, c := range []struct{ formula, want string }{
		{"1D6", "1:1/6 2:1/6 3:1/6 4:1/6 5:1/6 6:1/6"},
		{"2D4+3", "5:1/16 6:1/8 7:3/16 8:1/4 9:3/16 10:1/8 11:1/16"},
		{"1D3-1D2", "-1:1/6 0:1/3 1:1/3 2:1/6"},
		{"2D2+1D3-2", "1:1/12 2:1/4 3:1/3 4:1/4 5:1/12"},
		{"7", "7:1"},
		{"1D1", "1:1"},
	} {
		f, err := dice.ParseFormula(c.formula)
		if err != nil {
			t.Fatal(err)
		}
		all, err := odds.Formula(f)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, x := range all {
			got = append(got, fmt.Sprint(x.Total, ":", x.P.RatString()))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v, want %s", c.formula, got, c.want)
		}
	}
}

// Many dice: their ways are more than fit into a word, and still add up to exactly 1.
func TestFormulaLarge(t *testing.T) {
	for _, text := range []string{"50D100", "100D20", "16D6-16D6+1"} {
		f, err := dice.ParseFormula(text)
		if err != nil {
			t.Fatal(err)
		}
		all, err := odds.Formula(f)
		if err != nil {
			t.Fatal(err)
		}
		sum := new(big.Rat)
		for _, x := range all {
			sum.Add(sum, x.P)
		}
		if sum.RatString() != "1" || int32(len(all)) != f.Max()-f.Min()+1 {
			t.Errorf("%s: %d totals come to %s", text, len(all), sum)
		}
	}
}

func TestFormulaRefused(t *testing.T) {
	for text, want := range map[string]error{"1D6+DB": odds.ErrNames, "100D100": odds.ErrWide, "60D60+60D60": odds.ErrWide} {
		f, err := dice.ParseFormula(text)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := odds.Formula(f); !errors.Is(err, want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
