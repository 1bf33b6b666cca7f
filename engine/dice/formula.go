package dice

import (
	"iter"
	"strconv"
)

// Limits of a formula. With them no sum of its dice and constants leaves an int32.
const (
	// MaxTerms is the most terms in a formula.
	MaxTerms = 16
	// MaxConstant is the highest constant in a formula, without its sign.
	MaxConstant = 1_000_000
	// MaxName is the most characters of a name in a formula.
	MaxName = 24
)

// Formula is a sum of dice, constants and named terms, as packs write damage:
// "1D6+DB", "2D6+3", "-1D6". What a name stands for is the ruleset's to say. The
// zero Formula is "0".
type Formula struct {
	// In the order written: it is the order in which the dice are thrown.
	terms []term
}

// term is one summand of a formula: dice, a named term or a constant.
type term struct {
	sign     int32  // 1 or -1
	dice     Dice   // zero if it has none
	name     string // as it was written, empty if it has none
	constant int32  // 0 to MaxConstant
}

// ParseFormula reads a formula. Spaces may stand around terms and signs. A name
// is a letter, then letters, digits and underscores, case counts; a name like
// "D6" is refused, because it is more likely a die without its count. Errors:
// *ParseError.
func ParseFormula(text string) (Formula, error) {
	s := scanner{text: text}
	var f Formula
	for {
		s.blanks()
		sign, signed := int32(1), true
		switch {
		case s.take('-'):
			sign = -1
		case s.take('+'):
		default:
			signed = false
		}
		if !signed && len(f.terms) > 0 {
			if err := s.end(`"+" or "-"`); err != nil {
				return Formula{}, err
			}
			return f, nil
		}
		s.blanks()
		if err := inRange("number of terms", int64(len(f.terms))+1, 1, MaxTerms); err != nil {
			return Formula{}, s.failAt(s.pos, err)
		}
		t, err := s.term()
		if err != nil {
			return Formula{}, err
		}
		t.sign = sign
		f.terms = append(f.terms, t)
	}
}

// term reads one term, without its sign.
func (s *scanner) term() (term, error) {
	start := s.pos
	switch {
	case isLetter(s.next()):
		name, err := s.name()
		return term{name: name}, err
	case isDigit(s.next()):
		// A number is a count or a constant: the D behind it decides.
		for isDigit(s.next()) {
			s.pos++
		}
		isDice := s.takeD()
		s.pos = start
		if isDice {
			d, err := s.dice()
			return term{dice: d}, err
		}
		n, err := s.number("constant", 0, MaxConstant)
		return term{constant: n}, err
	default:
		return term{}, s.expected("dice, a number or a name")
	}
}

// name reads a name; a letter comes.
func (s *scanner) name() (string, error) {
	start := s.pos
	onlyDigits := true
	for s.pos++; isLetter(s.next()) || isDigit(s.next()) || s.next() == '_'; s.pos++ {
		onlyDigits = onlyDigits && isDigit(s.next())
	}
	name := s.text[start:s.pos]
	if len(name) > MaxName {
		return "", s.failAt(start, &RangeError{What: "length of the name", Got: int64(len(name)), Min: 1, Max: MaxName})
	}
	if len(name) > 1 && onlyDigits && (name[0] == 'D' || name[0] == 'd') {
		return "", s.failAt(start, &SyntaxError{Expected: "a count before the dice", Found: name[:1]})
	}
	return name, nil
}

// String gives the formula without spaces, with the D of dice as a capital.
func (f Formula) String() string {
	if len(f.terms) == 0 {
		return "0"
	}
	var b []byte
	for i, t := range f.terms {
		switch {
		case t.sign < 0:
			b = append(b, '-')
		case i > 0:
			b = append(b, '+')
		}
		switch {
		case t.name != "":
			b = append(b, t.name...)
		case t.dice != Dice{}:
			b = t.dice.append(b)
		default:
			b = strconv.AppendInt(b, int64(t.constant), 10)
		}
	}
	return string(b)
}

// Dice goes through the dice terms as written, each with its sign, 1 or -1.
func (f Formula) Dice() iter.Seq2[int32, Dice] {
	return func(yield func(int32, Dice) bool) {
		for _, t := range f.terms {
			if t.dice != (Dice{}) && !yield(t.sign, t.dice) {
				return
			}
		}
	}
}

// Names goes through the named terms as written, each with its sign, 1 or -1.
func (f Formula) Names() iter.Seq2[int32, string] {
	return func(yield func(int32, string) bool) {
		for _, t := range f.terms {
			if t.name != "" && !yield(t.sign, t.name) {
				return
			}
		}
	}
}

// Constant is the sum of the constants.
func (f Formula) Constant() int32 {
	var sum int32
	for _, t := range f.terms {
		sum += t.sign * t.constant
	}
	return sum
}

// Min is the lowest sum of the dice terms alone, constants and names left out.
func (f Formula) Min() int32 {
	var sum int32
	for sign, d := range f.Dice() {
		if sign < 0 {
			sum -= d.Max()
		} else {
			sum += d.Min()
		}
	}
	return sum
}

// Max is the highest sum of the dice terms alone, constants and names left out.
func (f Formula) Max() int32 {
	var sum int32
	for sign, d := range f.Dice() {
		if sign < 0 {
			sum -= d.Min()
		} else {
			sum += d.Max()
		}
	}
	return sum
}
