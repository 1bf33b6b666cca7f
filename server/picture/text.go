package picture

import (
	"fmt"
	"strings"

	"github.com/hantei/hantei/engine/transcript"
)

// Text draws a plan for a terminal: "██" is a wall, "·" a passage, nothing what is
// not known. What lies on a square has its letter, who stands there a digit; both
// are told below, with their squares.
func (p *Plan) Text(words Words) string {
	var b strings.Builder
	fmt.Fprintln(&b, words.Floor(p.Floor))
	b.WriteString("    ")
	for x := range p.Width {
		fmt.Fprintf(&b, "%3d ", p.Left+x)
	}
	b.WriteByte('\n')
	for y := range p.Height {
		fmt.Fprintf(&b, "%3d ", p.Top+y)
		for x := range p.Width {
			b.WriteString(p.sign(p.Left+x, p.Top+y))
		}
		b.WriteByte('\n')
	}
	for _, n := range p.notes {
		fmt.Fprintf(&b, "\n%-3s(%d,%d) %s", n.letter, n.x, n.y, n.text)
		if !n.told {
			fmt.Fprintf(&b, "  [%s]", words.Untold)
		}
	}
	for i, t := range p.tokens {
		fmt.Fprintf(&b, "\n%-3s(%d,%d) %s", digit(i), t.x, t.y, t.name)
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// sign is a square, four columns wide.
func (p *Plan) sign(x, y int32) string {
	c := p.cells[(y-p.Top)*p.Width+x-p.Left]
	switch c.ground {
	case unknown:
		return "    "
	case wall:
		if c.told {
			return "████"
		}
		return "▒▒▒▒"
	}
	var s string
	for i, t := range p.tokens {
		if t.x == x && t.y == y {
			s += digit(i)
		}
	}
	for _, n := range p.at(x, y) {
		s += n.letter
	}
	if s == "" {
		s = "·"
		if !c.told {
			s = " "
		}
	}
	if transcript.Width(s) > 3 {
		s = s[:2] + "+"
	}
	return " " + s + strings.Repeat(" ", 3-transcript.Width(s))
}

// digit stands for the n-th token.
func digit(n int) string {
	const digits = "123456789"
	if n < len(digits) {
		return digits[n : n+1]
	}
	return string(rune('A' + (n-len(digits))%26))
}

// Words are what a picture says by itself, in the reader's language.
type Words struct {
	// Floor names a floor.
	Floor func(number int32) string
	// Untold says of a mark that the players do not know of it.
	Untold string
}
