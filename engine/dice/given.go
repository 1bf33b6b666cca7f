package dice

import (
	"slices"
	"strconv"
)

// Given is a throw that somebody wrote down, in a scenario file or a command:
// "1D100=44", "3D6=11(4,4,3)", or "3D6=11" where the faces do not matter.
type Given struct {
	Dice
	// Faces are the faces in the order thrown, each 1 to Sides; empty if they
	// are left open.
	Faces []int32
	// Total is the sum of the faces.
	Total int32
}

// ParseGiven reads a throw. Spaces may stand around "=", brackets, commas and
// faces, and outside the whole. A single die's face is its total, with or without
// brackets. Errors: *ParseError.
func ParseGiven(text string) (Given, error) {
	s := scanner{text: text}
	s.blanks()
	d, err := s.dice()
	if err != nil {
		return Given{}, err
	}
	s.blanks()
	if !s.take('=') {
		return Given{}, s.expected(`"="`)
	}
	s.blanks()
	g := Given{Dice: d}
	if g.Total, err = s.number("total", d.Min(), d.Max()); err != nil {
		return Given{}, err
	}
	s.blanks()
	start, more := s.pos, `"(" or nothing`
	if s.take('(') {
		if g.Faces, err = s.faces(d); err != nil {
			return Given{}, err
		}
		s.blanks()
		more = `nothing after ")"`
	} else if d.Count == 1 {
		g.Faces = []int32{g.Total}
	}
	if err := s.end(more); err != nil {
		return Given{}, err
	}
	if err := g.check(); err != nil {
		return Given{}, s.failAt(start, err)
	}
	return g, nil
}

// faces reads "4,4,3)"; the opening bracket has been read.
func (s *scanner) faces(d Dice) ([]int32, error) {
	var faces []int32
	for {
		s.blanks()
		face, err := s.number("face", 1, d.Sides)
		if err != nil {
			return nil, err
		}
		faces = append(faces, face)
		s.blanks()
		if s.take(')') {
			return faces, nil
		}
		if !s.take(',') {
			return nil, s.expected(`"," or ")"`)
		}
	}
}

// String gives "3D6=11(4,4,3)", or "3D6=11" for open faces and "1D6=5" for a
// single die.
func (g Given) String() string {
	b := g.Dice.append(nil)
	b = append(b, '=')
	b = strconv.AppendInt(b, int64(g.Total), 10)
	if g.Count == 1 || len(g.Faces) == 0 {
		return string(b)
	}
	for i, face := range g.Faces {
		if i == 0 {
			b = append(b, '(')
		} else {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, int64(face), 10)
	}
	return string(append(b, ')'))
}

// Resolve gives the faces, in a slice of its own. Open ones are spread as evenly
// as the total allows, higher ones first: 11 on 3D6 is 4, 4, 3. A Given that was
// not parsed may be impossible; errors: *RangeError, *FacesError, *SumError.
func (g Given) Resolve() ([]int32, error) {
	if err := g.check(); err != nil {
		return nil, err
	}
	if len(g.Faces) > 0 {
		return slices.Clone(g.Faces), nil
	}
	faces := make([]int32, g.Count)
	even, rest := g.Total/g.Count, g.Total%g.Count
	for i := range faces {
		faces[i] = even
		if int32(i) < rest {
			faces[i]++
		}
	}
	return faces, nil
}

// check finds out whether dice can fall like this.
func (g Given) check() error {
	if err := g.Dice.check(); err != nil {
		return err
	}
	if err := inRange("total", int64(g.Total), g.Min(), g.Max()); err != nil {
		return err
	}
	if len(g.Faces) == 0 {
		return nil
	}
	if len(g.Faces) != int(g.Count) {
		return &FacesError{Dice: g.Dice, Got: len(g.Faces)}
	}
	var sum int32
	for _, face := range g.Faces {
		if err := inRange("face", int64(face), 1, g.Sides); err != nil {
			return err
		}
		sum += face
	}
	if sum != g.Total {
		return &SumError{Sum: sum, Total: g.Total}
	}
	return nil
}
