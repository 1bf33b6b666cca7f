package odds

import (
	"github.com/hantei/hantei/engine/dice"
	"github.com/hantei/hantei/engine/rule"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

// open is a die of which it is settled that it shows low to high.
type open struct {
	w         *walk
	low, high int32
	sides     int32
}

// AtMost implements rule.OpenDie.
func (d *open) AtMost(n int32) bool {
	switch {
	case d.high <= n:
		return true
	case d.low > n:
		return false
	}
	if d.w.branch(2) == 0 {
		d.high = n
		return true
	}
	d.low = n + 1
	return false
}

// Face implements rule.OpenDie.
func (d *open) Face() int32 {
	if d.low < d.high {
		d.low += int32(d.w.branch(int(d.high - d.low + 1)))
		d.high = d.low
	}
	return d.low
}

// throw is what was thrown at once, to tell leaves by.
type throw struct {
	dice  dice.Dice
	faces []*open // or
	total int32
}

func (t throw) given() dice.Given {
	g := dice.Given{Dice: t.dice, Total: t.total}
	for _, d := range t.faces {
		g.Faces = append(g.Faces, d.low)
		g.Total += d.low
	}
	return g
}

// Open implements rule.Oracle.
func (w *walk) Open(label, of string, sides int32) rule.OpenDie {
	w.Reads(label, of, rule.Values)
	d := w.die(sides)
	w.note(throw{dice: dice.Dice{Count: 1, Sides: sides}, faces: []*open{d}})
	return d
}

func (w *walk) die(sides int32) *open {
	w.takes(1)
	d := &open{w: w, low: 1, high: sides, sides: sides}
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
	w.Reads(label, of, rule.Values)
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
	w.Reads(summands[0].Label, of, rule.Values)
	if w.random != nil || w.q.Faces {
		out := make([]int32, len(summands))
		for i, s := range summands {
			total := int32(0)
			for _, face := range w.Throw(s.Label, of, s.Dice, rule.Dice) {
				total += face
			}
			out[i] = s.Of(total)
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

// endless is from how many dice on in one step what is not probable any more is cut
// off: rules that throw again and again come to no end by themselves.
const endless = 16

func (w *walk) takes(n int32) {
	if w.used += n; w.used > maxDice {
		panic(failed{&tooMuch{"dice in one step"}})
	}
	if w.random == nil && len(w.dice) >= endless && w.weight().negligible() {
		panic(cut{})
	}
}

// weight is the probability of the run so far, from the begin of its step.
func (w *walk) weight() weight {
	out := certain
	for _, d := range w.dice {
		out = out.times(uint64(d.high-d.low+1), uint64(d.sides))
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
