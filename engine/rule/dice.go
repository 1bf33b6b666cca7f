package rule

import (
	"errors"

	"github.com/hantei/hantei/engine/dice"
)

// DiceDetail says what is wrong with dice that somebody wrote: the errors of
// dice.ParseGiven, dice.ParseFormula and dice.Given.Resolve. Of another error it says
// nothing.
func DiceDetail(err error) Detail {
	var syntax *dice.SyntaxError
	var bounds *dice.RangeError
	var faces *dice.FacesError
	var sum *dice.SumError
	switch {
	case errors.As(err, &syntax):
		return Say("dice_syntax", Number("column", column(err)), Sent("found", syntax.Found))
	case errors.As(err, &bounds):
		return outOfBounds(bounds)
	case errors.As(err, &faces):
		return Say("dice_faces", Code("dice", faces.Dice.String()), Number("need", faces.Dice.Count), Number("got", faces.Got))
	case errors.As(err, &sum):
		return Say("dice_sum", Number("sum", sum.Sum), Number("total", sum.Total))
	}
	return Detail{}
}

// column is the character at which a text is wrong, from 1.
func column(err error) int {
	var at *dice.ParseError
	errors.As(err, &at)
	return at.Column
}

func outOfBounds(e *dice.RangeError) Detail {
	got, low, high := Number("got", e.Got), Number("min", e.Min), Number("max", e.Max)
	switch e.What {
	case "count":
		return Say("dice_count", got, low, high)
	case "sides":
		return Say("dice_sides", got, low, high)
	case "total":
		return Say("dice_total", got, low, high)
	case "face":
		return Say("dice_face", got, low, high)
	case "constant":
		return Say("dice_constant", got, low, high)
	case "number of terms":
		return Say("dice_terms", got, low, high)
	}
	return Say("dice_name", got, low, high)
}
