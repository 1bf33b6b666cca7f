package odds

import (
	"github.com/hantei/hantei/engine/dice"
	"github.com/hantei/hantei/engine/rule"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

// open is a die of which it is settled that it shows low to high, and perhaps how it
// compares with another one.
type open struct {
	w         *walk
	low, high int32
	sides     int32
	pair      *pair
}

// pair is that one die is known to show less than another, or not less.
type pair struct {
	a, b  *open
	below bool
}

// ways are how many faces of the two are left.
func (p *pair) ways() uint64 {
	n := int32(0)
	for face := p.a.low; face <= p.a.high; face++ {
		if p.below {
			n += max(0, p.b.high-max(p.b.low, face+1)+1)
		} else {
			n += max(0, min(p.b.high, face)-p.b.low+1)
		}
	}
	return uint64(n)
}

// possible reports whether it can show low to high.
func (d *open) possible(low, high int32) bool {
	if low > high {
		return false
	}
	if d.pair == nil {
		return true
	}
	was, wasHigh := d.low, d.high
	d.low, d.high = low, high
	ways := d.pair.ways()
	d.low, d.high = was, wasHigh
	return ways > 0
}

// AtMost implements rule.OpenDie.
func (d *open) AtMost(n int32) bool {
	yes, no := d.possible(d.low, min(n, d.high)), d.possible(max(n+1, d.low), d.high)
	if yes && no {
		yes = d.w.branch(2) == 0
	}
	if yes {
		d.high = min(n, d.high)
	} else {
		d.low = max(n+1, d.low)
	}
	return yes
}

// Face implements rule.OpenDie.
func (d *open) Face() int32 {
	if d.low == d.high {
		return d.low
	}
	if d.pair == nil {
		d.low += int32(d.w.branch(int(d.high - d.low + 1)))
		d.high = d.low
		return d.low
	}
	var faces []int32
	for face := d.low; face <= d.high; face++ {
		if d.possible(face, face) {
			faces = append(faces, face)
		}
	}
	d.low = faces[d.w.branch(len(faces))]
	d.high = d.low
	return d.low
}

// Below implements rule.OpenDie. Of two dice that nothing else binds it is one
// question; else the face settles it.
func (d *open) Below(other rule.OpenDie) bool {
	o := other.(*open)
	switch {
	case d.high < o.low:
		return true
	case d.low >= o.high:
		return false
	case d.low == d.high:
		return !o.AtMost(d.low)
	case o.low == o.high:
		return d.AtMost(o.low - 1)
	case d.pair != nil || o.pair != nil:
		return !o.AtMost(d.Face())
	}
	below := d.w.branch(2) == 0
	d.pair = &pair{a: d, b: o, below: below}
	o.pair = d.pair
	return below
}

// shown are faces that the dice can have shown: of a pair, two that fit together.
func (d *open) shown() int32 {
	if d.pair != nil {
		a, b := d.pair.a, d.pair.b
		for a.low < a.high {
			half := (a.low + a.high) / 2
			if a.possible(a.low, half) {
				a.high = half
			} else {
				a.low = half + 1
			}
		}
		if d.pair.below {
			b.low = max(b.low, a.low+1)
		}
		b.high = b.low
	}
	return d.low
}

// throw is what was thrown at once, to tell leaves by.
type throw struct {
	dice  dice.Dice
	faces []*open // of the run; or
	total int32
	was   *dice.Given // of an earlier step
}

func (t throw) given() dice.Given {
	if t.was != nil {
		return *t.was
	}
	g := dice.Given{Dice: t.dice, Total: t.total}
	for _, d := range t.faces {
		face := d.shown()
		g.Faces = append(g.Faces, face)
		g.Total += face
	}
	return g
}

// Open implements rule.Oracle.
func (w *walk) Open(label, of string, sides int32) rule.OpenDie {
	w.values(label, of)
	if faces := w.shownBefore(label); faces != nil {
		return &open{w: w, low: faces[0], high: faces[0], sides: sides} // which is no chance any more
	}
	d := w.die(sides)
	w.note(throw{dice: dice.Dice{Count: 1, Sides: sides}, faces: []*open{d}})
	return d
}

func (w *walk) die(sides int32) *open {
	w.takes(1)
	if len(w.dice) == len(w.pool) {
		w.pool = append(w.pool, &open{})
	}
	d := w.pool[len(w.dice)]
	*d = open{w: w, low: 1, high: sides, sides: sides}
	w.dice = append(w.dice, d)
	switch {
	case w.random != nil:
		d.low = w.random.Int32N(sides) + 1
		d.high = d.low
	case w.q.Faces:
		d.Face()
	}
	return d
}

// Throw implements rule.Runtime: a rule that reads faces goes through each of them.
func (w *walk) Throw(label, of string, d dice.Dice, _ typev1.Audience) []int32 {
	w.values(label, of)
	if faces := w.shownBefore(label); faces != nil {
		return faces
	}
	t := throw{dice: d}
	faces := make([]int32, d.Count)
	for i := range faces {
		one := w.die(d.Sides)
		faces[i] = one.Face()
		t.faces = append(t.faces, one)
	}
	w.note(t)
	return faces
}

// Sum implements rule.Oracle.
func (w *walk) Sum(of string, summands []rule.Summand) []int32 {
	if len(summands) == 0 {
		return nil
	}
	w.values(summands[0].Label, of)
	if faces := w.shownBefore(summands[0].Label); faces != nil {
		return append([]int32{summands[0].Of(total(faces))}, w.Sum(of, summands[1:])...)
	}
	if w.random != nil || w.q.Faces {
		out := make([]int32, len(summands))
		for i, s := range summands {
			out[i] = s.Of(total(w.Throw(s.Label, of, s.Dice, rule.Dice)))
		}
		return out
	}
	for _, s := range summands {
		w.takes(s.Dice.Count)
	}
	all := w.sumsOf(summands)
	i := w.branch(len(all.cases))
	w.sums = append(w.sums, drawn{all, i})
	for j, s := range summands {
		w.note(throw{dice: s.Dice, total: all.cases[i].totals[j]})
	}
	return all.cases[i].parts
}

func total(faces []int32) int32 {
	n := int32(0)
	for _, face := range faces {
		n += face
	}
	return n
}

// drawn is a sum that a run has.
type drawn struct {
	of *sums
	i  int
}

func (w *walk) sumsOf(summands []rule.Summand) *sums {
	w.key = sumsKey(w.key[:0], summands)
	s := w.known[string(w.key)]
	if s == nil {
		s = sumsOf(summands)
		w.known[string(w.key)] = s
	}
	return s
}

func (w *walk) note(t throw) {
	if w.q.Leaf != nil {
		w.thrown = append(w.thrown, t)
	}
}

// endless is from how many throws on in one step what is not probable any more is cut
// off: rules that throw again and again come to no end by themselves.
const endless = 16

func (w *walk) takes(n int32) {
	if w.used += n; w.used > maxDice {
		panic(failed{&tooMuch{"dice in one step"}})
	}
	if w.random == nil && len(w.dice)+len(w.sums) >= endless && w.weight().negligible() {
		panic(cut{})
	}
}

// weight is the probability of the run so far, from the begin of its step.
func (w *walk) weight() weight {
	out := certain
	for _, d := range w.dice {
		switch {
		case d.pair == nil:
			out = out.times(uint64(d.high-d.low+1), uint64(d.sides))
		case d.pair.a == d:
			out = out.times(d.pair.ways(), uint64(d.sides))
		default:
			out = out.times(1, uint64(d.sides))
		}
	}
	for _, s := range w.sums {
		if n, all, small := s.of.part(s.i); small {
			out = out.times(n, all)
		} else {
			out = out.timesRat(s.of.p(s.i))
		}
	}
	return out
}
