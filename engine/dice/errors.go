package dice

import (
	"errors"
	"fmt"
)

// ErrNoSeed says that a Live source has no seed. Without one, anybody could
// foresee its dice.
var ErrNoSeed = errors.New("dice: live source without a seed")

// ErrSpent says that an epoch has no numbers left: two thousand million dice.
var ErrSpent = errors.New("dice: the epoch has no numbers left")

// ParseError says where a text is wrong, and wraps what is wrong there: a
// *SyntaxError, *RangeError, *FacesError or *SumError.
type ParseError struct {
	// Text is the whole text.
	Text string
	// Column is the byte, counted from 1, at which the problem starts. Whatever
	// stands before it is ASCII, so it is the character too.
	Column int
	// Err is the problem.
	Err error
}

// longestQuote is how many bytes of a refused text an error repeats: enough for
// every sound formula, too little to fill a log with.
const longestQuote = 80

func (e *ParseError) Error() string {
	text, cut := e.Text, ""
	if len(text) > longestQuote {
		text, cut = text[:longestQuote], "..."
	}
	return fmt.Sprintf("dice: column %d of %q%s: %v", e.Column, text, cut, e.Err)
}

// Unwrap gives the problem.
func (e *ParseError) Unwrap() error { return e.Err }

// SyntaxError says that something else was expected.
type SyntaxError struct {
	// Expected describes what had to come.
	Expected string
	// Found is the character that stands there instead, empty at the end.
	Found string
}

func (e *SyntaxError) Error() string {
	switch {
	case e.Found == "":
		return "expected " + e.Expected + ", found the end"
	case e.Found[0] >= 0x80:
		return fmt.Sprintf("expected %s, found %q, which is not ASCII", e.Expected, e.Found)
	default:
		return fmt.Sprintf("expected %s, found %q", e.Expected, e.Found)
	}
}

// RangeError says that a number is too low or too high.
type RangeError struct {
	// What is the number: "count", "sides", "total", "face", "constant", "number of
	// terms" or "length of the name".
	What string
	// Got is the number. Beyond 64 bits it is the highest that they can hold.
	Got int64
	// Min and Max are the lowest and the highest that are possible.
	Min, Max int32
}

func (e *RangeError) Error() string {
	return fmt.Sprintf("%s is %d, must be %d to %d", e.What, e.Got, e.Min, e.Max)
}

// inRange returns a *RangeError if got is below low or above high.
func inRange(what string, got int64, low, high int32) error {
	if got < int64(low) || got > int64(high) {
		return &RangeError{What: what, Got: got, Min: low, Max: high}
	}
	return nil
}

// FacesError says that there are more or fewer faces than dice.
type FacesError struct {
	Dice Dice
	// Got is the number of faces.
	Got int
}

func (e *FacesError) Error() string {
	return fmt.Sprintf("%v needs %d faces, not %d", e.Dice, e.Dice.Count, e.Got)
}

// SumError says that the faces do not add up to the total.
type SumError struct {
	// Sum is what the faces add up to.
	Sum int32
	// Total is what they had to.
	Total int32
}

func (e *SumError) Error() string {
	return fmt.Sprintf("faces add up to %d, not to the total %d", e.Sum, e.Total)
}

// MissingError says that a Scripted source was asked for a throw and had none left.
type MissingError struct {
	// Label and Of are what the throw was for and whose it was.
	Label, Of string
	// Asked are the dice that were asked for.
	Asked Dice
}

func (e *MissingError) Error() string {
	return fmt.Sprintf("dice: %v asked for %s, no dice left", e.Asked, purpose(e.Label, e.Of))
}

// MismatchError says that the next throw of a Scripted source is not of the dice
// that it was asked for.
type MismatchError struct {
	// Label and Of are what the throw was for and whose it was.
	Label, Of string
	// Asked are the dice that were asked for.
	Asked Dice
	// Next is what lay there instead. It still does.
	Next Given
}

func (e *MismatchError) Error() string {
	return fmt.Sprintf("dice: %v asked for %s, next is %v", e.Asked, purpose(e.Label, e.Of), e.Next)
}

// purpose is "attack of officer", or "trap" for a throw of the table.
func purpose(label, of string) string {
	if of == "" {
		return label
	}
	return label + " of " + of
}
