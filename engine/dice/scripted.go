package dice

import "fmt"

// Scripted is a source that gives throws from a list, in order, each only for the
// very dice that it is of.
type Scripted struct {
	left []Given
}

// NewScripted makes a source that gives these throws.
func NewScripted(throws ...Given) *Scripted { return &Scripted{left: throws} }

// Throw gives the next throw of the list. Errors: *MissingError if none is left,
// *MismatchError if the next is of other dice, those of Given.Resolve if it is
// impossible.
func (s *Scripted) Throw(label, of string, d Dice) (Throw, error) {
	if len(s.left) == 0 {
		return Throw{}, &MissingError{Label: label, Of: of, Asked: d}
	}
	next := s.left[0]
	if next.Dice != d {
		return Throw{}, &MismatchError{Label: label, Of: of, Asked: d, Next: next}
	}
	faces, err := next.Resolve()
	if err != nil {
		return Throw{}, fmt.Errorf("dice: %v is impossible: %w", next, err)
	}
	s.left = s.left[1:]
	return Throw{Dice: d, Faces: faces, Total: next.Total}, nil
}

// Left are the throws that nobody asked for, in order. The slice is the source's.
func (s *Scripted) Left() []Given { return s.left }
