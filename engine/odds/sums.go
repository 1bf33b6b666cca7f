package odds

import (
	"errors"
	"math/big"
	"strconv"

	"github.com/hantei/hantei/engine/dice"
	"github.com/hantei/hantei/engine/rule"
)

// sums are the sums that several throws can come to.
type sums struct {
	cases []sum
	all   *big.Int // ways in which the dice can fall
}

// sum is one of them.
type sum struct {
	// ways are how many throws come to it.
	ways *big.Int
	// totals are those of the dice of each summand in one of these throws, and parts
	// what they add.
	totals, parts []int32
}

// part is how probable it is.
func (s *sums) part(i int) (n, all uint64, small bool) {
	w := s.cases[i].ways
	return w.Uint64(), s.all.Uint64(), w.IsUint64() && s.all.IsUint64()
}

// counted is what dice come to in how many ways.
type counted struct {
	total int32
	ways  *big.Int
}

// totals are the totals of equal dice, the lowest first.
func totals(d dice.Dice) []counted {
	ways := []*big.Int{big.NewInt(1)} // by the total, from 0
	for range d.Count {
		next := make([]*big.Int, len(ways)+int(d.Sides))
		window := new(big.Int) // of the Sides totals before
		for i := range next {
			if j := i - 1; j >= 0 && j < len(ways) {
				window.Add(window, ways[j])
			}
			if j := i - 1 - int(d.Sides); j >= 0 && j < len(ways) {
				window.Sub(window, ways[j])
			}
			next[i] = new(big.Int).Set(window)
		}
		ways = next
	}
	var out []counted
	for i, w := range ways {
		if w.Sign() > 0 {
			out = append(out, counted{int32(i), w})
		}
	}
	return out
}

// sumsOf goes through the sums of throws, the lowest first.
func sumsOf(summands []rule.Summand) *sums {
	out := &sums{all: big.NewInt(1), cases: []sum{{ways: big.NewInt(1)}}}
	for _, s := range summands {
		each := totals(s.Dice)
		least, most := s.Of(each[0].total), s.Of(each[len(each)-1].total)
		if least > most {
			least, most = most, least
		}
		next := make([]sum, len(out.cases)+int(most-least))
		for i, c := range out.cases {
			if c.ways == nil {
				continue
			}
			for _, t := range each {
				n := s.Of(t.total)
				at := &next[int32(i)+n-least]
				ways := new(big.Int).Mul(c.ways, t.ways)
				if at.ways != nil {
					at.ways.Add(at.ways, ways)
					continue
				}
				*at = sum{
					ways:   ways,
					totals: append(append(make([]int32, 0, len(summands)), c.totals...), t.total),
					parts:  append(append(make([]int32, 0, len(summands)), c.parts...), n),
				}
			}
		}
		out.cases = next
		for range s.Dice.Count {
			out.all.Mul(out.all, big.NewInt(int64(s.Dice.Sides)))
		}
	}
	there := out.cases[:0]
	for _, c := range out.cases {
		if c.ways != nil {
			there = append(there, c)
		}
	}
	out.cases = there
	return out
}

// sumsKey tells throws apart by what they come to.
func sumsKey(b []byte, summands []rule.Summand) []byte {
	for _, s := range summands {
		b = strconv.AppendInt(b, int64(s.Sign), 10)
		b = strconv.AppendInt(append(b, '*'), int64(s.Dice.Count), 10)
		b = strconv.AppendInt(append(b, 'D'), int64(s.Dice.Sides), 10)
		b = append(strconv.AppendBool(append(b, '/'), s.Halved), ' ')
	}
	return b
}

// Total is one sum of a formula, with its probability.
type Total struct {
	Total int32
	P     *big.Rat
}

// MaxWidth is how far the lowest and the highest total of a formula may be apart.
const MaxWidth = 5000

// ErrNames and ErrWide say why a formula has no odds: it has names, which stand for
// something else in each game, or too many totals.
var (
	ErrNames = errors.New("odds: a formula with names")
	ErrWide  = errors.New("odds: too many totals")
)

// Formula goes through what a formula can come to, the lowest first. Errors: ErrNames,
// ErrWide.
func Formula(f dice.Formula) ([]Total, error) {
	for range f.Names() {
		return nil, ErrNames
	}
	if f.Max()-f.Min() > MaxWidth {
		return nil, ErrWide
	}
	var summands []rule.Summand
	for sign, d := range f.Dice() {
		summands = append(summands, rule.Summand{Dice: d, Sign: sign})
	}
	s := sumsOf(summands)
	out := make([]Total, len(s.cases))
	for i, c := range s.cases {
		total := f.Constant()
		for _, n := range c.parts {
			total += n
		}
		out[i] = Total{total, s.p(i)}
	}
	return out, nil
}

func (s *sums) p(i int) *big.Rat { return new(big.Rat).SetFrac(s.cases[i].ways, s.all) }
