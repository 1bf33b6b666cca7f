package dice

import "strconv"

// Limits of one throw. The highest total, 100,000, is far inside an int32.
const (
	// MaxCount is the most dice in one throw.
	MaxCount = 100
	// MaxSides is the most sides of a die.
	MaxSides = 1000
)

// Dice are a number of equal dice, thrown together: NdS.
type Dice struct {
	// Count is how many, 1 to MaxCount.
	Count int32
	// Sides is how many faces each has, 1 to MaxSides; they are numbered from 1.
	Sides int32
}

// Parse reads "3D6" or "3d6", with nothing around it. The count is never left
// out. Errors: *ParseError.
func Parse(text string) (Dice, error) {
	s := scanner{text: text}
	d, err := s.dice()
	if err != nil {
		return Dice{}, err
	}
	if err := s.end("nothing after the sides"); err != nil {
		return Dice{}, err
	}
	return d, nil
}

// String gives "3D6".
func (d Dice) String() string { return string(d.append(nil)) }

func (d Dice) append(b []byte) []byte {
	b = strconv.AppendInt(b, int64(d.Count), 10)
	b = append(b, 'D')
	return strconv.AppendInt(b, int64(d.Sides), 10)
}

// Min is the lowest total.
func (d Dice) Min() int32 { return d.Count }

// Max is the highest total.
func (d Dice) Max() int32 { return d.Count * d.Sides }

// check returns a *RangeError if the dice are outside the limits: dice need not
// come from Parse.
func (d Dice) check() error {
	if err := inRange("count", int64(d.Count), 1, MaxCount); err != nil {
		return err
	}
	return inRange("sides", int64(d.Sides), 1, MaxSides)
}
