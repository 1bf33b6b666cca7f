package odds

import (
	"math/big"
	"math/bits"
)

// weight is a probability of a leaf: a fraction of small numbers, or where these
// would be too large one of big ones.
type weight struct {
	num, den uint64
	large    *big.Rat // nil for a small one
}

var certain = weight{num: 1, den: 1}

// times multiplies by n out of all.
func (w weight) times(n, all uint64) weight {
	if w.large == nil {
		over, num := bits.Mul64(w.num, n)
		overDen, den := bits.Mul64(w.den, all)
		if over == 0 && overDen == 0 {
			return weight{num: num, den: den}
		}
	}
	return weight{large: new(big.Rat).Mul(w.rat(), fraction(n, all))}
}

func (w weight) timesRat(r *big.Rat) weight {
	return weight{large: new(big.Rat).Mul(w.rat(), r)}
}

func (w weight) rat() *big.Rat {
	if w.large != nil {
		return w.large
	}
	return fraction(w.num, w.den)
}

func fraction(num, den uint64) *big.Rat {
	return new(big.Rat).SetFrac(new(big.Int).SetUint64(num), new(big.Int).SetUint64(den))
}

// negligible reports whether it is less than 1e-9.
func (w weight) negligible() bool {
	return w.rat().Cmp(big.NewRat(1, 1_000_000_000)) < 0
}

// tally adds up the probabilities of leaves. Those of one step are added by their
// denominators, of which there are few; settle multiplies them by the probability
// with which the step was reached.
type tally struct {
	small []weight
	step  *big.Rat // what of the step is not small; nil for nothing
	all   *big.Rat // of the steps before; nil for nothing
}

// open reports whether something was added since it was settled.
func (t *tally) open() bool { return len(t.small) > 0 || t.step != nil }

func (t *tally) add(w weight) {
	if w.large != nil {
		t.addStep(w.large)
		return
	}
	for i := range t.small {
		s := &t.small[i]
		if s.den != w.den {
			continue
		}
		if sum, carry := bits.Add64(s.num, w.num, 0); carry == 0 {
			s.num = sum
			return
		}
		t.addStep(w.rat())
		return
	}
	t.small = append(t.small, w)
}

func (t *tally) addStep(r *big.Rat) {
	if t.step == nil {
		t.step = new(big.Rat)
	}
	t.step.Add(t.step, r)
}

func (t *tally) settle(reached *big.Rat) {
	for _, s := range t.small {
		t.addStep(s.rat())
	}
	t.small = t.small[:0]
	if t.step == nil {
		return
	}
	if t.all == nil {
		t.all = new(big.Rat)
	}
	t.all.Add(t.all, t.step.Mul(t.step, reached))
	t.step = nil
}

// rat is the sum of what was settled.
func (t *tally) rat() *big.Rat {
	if t.all == nil {
		return new(big.Rat)
	}
	return t.all
}
