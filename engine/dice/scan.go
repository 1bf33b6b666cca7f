package dice

import (
	"math"
	"unicode/utf8"
)

// scanner reads one text from left to right; the three notations share it.
type scanner struct {
	text string
	pos  int
}

// blanks skips spaces.
func (s *scanner) blanks() {
	for s.next() == ' ' {
		s.pos++
	}
}

// next is the byte that comes, 0 at the end.
func (s *scanner) next() byte {
	if s.pos == len(s.text) {
		return 0
	}
	return s.text[s.pos]
}

// take skips c, if it comes.
func (s *scanner) take(c byte) bool {
	if s.pos < len(s.text) && s.text[s.pos] == c {
		s.pos++
		return true
	}
	return false
}

// takeD skips the D between count and sides, if it comes.
func (s *scanner) takeD() bool { return s.take('D') || s.take('d') }

// end refuses what comes after the end; expected says what could have come still.
func (s *scanner) end(expected string) error {
	if s.pos < len(s.text) {
		return s.expected(expected)
	}
	return nil
}

// digits reads a number without judging how high it is.
func (s *scanner) digits(expected string) (int64, error) {
	if !isDigit(s.next()) {
		return 0, s.expected(expected)
	}
	var n int64
	for ; isDigit(s.next()); s.pos++ {
		d := int64(s.next() - '0')
		if n > (math.MaxInt64-d)/10 {
			n = math.MaxInt64
			continue
		}
		n = n*10 + d
	}
	return n, nil
}

// number reads a number from low to high.
func (s *scanner) number(what string, low, high int32) (int32, error) {
	start := s.pos
	n, err := s.digits("the " + what)
	if err != nil {
		return 0, err
	}
	if err := inRange(what, n, low, high); err != nil {
		return 0, s.failAt(start, err)
	}
	return int32(n), nil
}

// dice reads "3D6".
func (s *scanner) dice() (Dice, error) {
	count, err := s.number("count", 1, MaxCount)
	if err != nil {
		return Dice{}, err
	}
	if !s.takeD() {
		return Dice{}, s.expected(`"D"`)
	}
	sides, err := s.number("sides", 1, MaxSides)
	if err != nil {
		return Dice{}, err
	}
	return Dice{Count: count, Sides: sides}, nil
}

// expected refuses what comes.
func (s *scanner) expected(what string) error {
	_, size := utf8.DecodeRuneInString(s.text[s.pos:])
	return s.failAt(s.pos, &SyntaxError{Expected: what, Found: s.text[s.pos : s.pos+size]})
}

// failAt puts a place to what is wrong.
func (s *scanner) failAt(pos int, err error) error {
	return &ParseError{Text: s.text, Column: pos + 1, Err: err}
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isLetter(c byte) bool { return 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z' }
