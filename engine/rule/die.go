package rule

import (
	"cmp"

	"github.com/hantei/hantei/engine/dice"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

// Die is one die that was thrown. Rules compare it with what they look for. In play
// that is its face; odds look no closer than the rules do, and so go through a few
// cases instead of a hundred faces. The zero Die is none: nobody threw.
type Die struct {
	face int32 // 0 for none, and for an open one
	open OpenDie
}

// OpenDie is a die of which only that is settled what was asked of it.
type OpenDie interface {
	// AtMost settles whether it shows n or less.
	AtMost(n int32) bool
	// Face settles what it shows.
	Face() int32
	// Below settles whether it shows less than another one.
	Below(other OpenDie) bool
}

// Showing is a die that shows a face.
func Showing(face int32) Die { return Die{face: face} }

// Thrown reports whether there is a die.
func (d Die) Thrown() bool { return d.face != 0 || d.open != nil }

// AtMost reports whether it shows n or less; 0 for no die.
func (d Die) AtMost(n int32) bool {
	if d.open != nil {
		return d.open.AtMost(n)
	}
	return d.face <= n
}

// Shows reports whether it shows n.
func (d Die) Shows(n int32) bool { return d.AtMost(n) && !d.AtMost(n-1) }

// Below reports whether it shows less than another one.
func (d Die) Below(other Die) bool {
	if d.open != nil && other.open != nil {
		return d.open.Below(other.open)
	}
	return !other.AtMost(d.Face())
}

// Face is what it shows; 0 for no die. Where a rule can do with a comparison it
// asks for one: the odds of a face are those of each face.
func (d Die) Face() int32 {
	if d.open != nil {
		return d.open.Face()
	}
	return d.face
}

// Throw throws a die that rules compare.
func (c *Ctx) Throw(label, of string, sides int32) Die {
	return c.ThrowFor(Dice, label, of, sides)
}

// ThrowFor is Throw for a die whose face tells a value, as RollFor.
func (c *Ctx) ThrowFor(a typev1.Audience, label, of string, sides int32) Die {
	if c.oracle != nil {
		return Die{open: c.oracle.Open(label, of, sides)}
	}
	return Die{face: c.RollFor(a, label, of, dice.Dice{Count: 1, Sides: sides})[0]}
}

// Summand is a throw whose total is added to others.
type Summand struct {
	// Label of the throw, as for Roll; summands may share one.
	Label string
	// Dice that are thrown.
	Dice dice.Dice
	// Sign is 1, or -1 for what is taken off.
	Sign int32
	// Halved is true if only half of it counts, cut toward 0.
	Halved bool
	// Audience is for whom the faces are where they tell a value, as for RollFor;
	// unspecified for those who may see dice.
	Audience typev1.Audience
}

// Of is what a summand adds where its dice come to a total.
func (s Summand) Of(total int32) int32 {
	if s.Halved {
		total /= 2
	}
	return s.Sign * total
}

// Sum throws the dice of a sum, in order, and returns what each summand adds. What
// comes of it must depend on their sum alone: the single ones are there to be told.
// Odds go through the sums, and show for each one way in which it comes about.
func (c *Ctx) Sum(of string, summands ...Summand) []int32 {
	if c.oracle != nil {
		return c.oracle.Sum(of, summands)
	}
	out := make([]int32, len(summands))
	for i, s := range summands {
		for _, face := range c.RollFor(cmp.Or(s.Audience, Dice), s.Label, of, s.Dice) {
			out[i] += face
		}
		out[i] = s.Of(out[i])
	}
	return out
}

// Reads says that what follows depends on a value of somebody, "" for the table, and who
// may see it. Odds for a seat that may not end there. Of whoever throws or is asked it
// goes without saying, for the audience VALUES. The label is that of the throw that
// follows, or a word for what does.
func (c *Ctx) Reads(label, of string, a typev1.Audience) {
	if c.oracle != nil {
		c.oracle.Reads(label, of, a)
	}
}

// Oracle is a runtime that goes through what can come of dice instead of throwing
// them; package odds has it. Events are bare under it: they have who and whom, the
// words that everybody may read, and the changes.
type Oracle interface {
	Runtime
	// Bare is room for bare events.
	Bare() *Bare
	Open(label, of string, sides int32) OpenDie
	Sum(of string, summands []Summand) []int32
	Reads(label, of string, a typev1.Audience)
	// AsksLater is Ctx.AsksLater.
	AsksLater() bool
}
