// Package picture draws the explored dungeon as one seat sees it: as SVG, and as
// text for a terminal. It is given what the seat was sent and nothing else, so it
// can tell no more. It knows no ruleset.
package picture

import (
	"cmp"
	"slices"

	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

// Plan is one floor, ready to be drawn.
type Plan struct {
	// Floor is its number.
	Floor int32
	// Left and Top are the first column and row that are drawn; Width and Height how
	// many. Who does not know how large a floor is sees as much as is known.
	Left, Top, Width, Height int32
	// cells row after row.
	cells []cell
	// notes are what lies on the floor, in the order of their letters.
	notes []note
	// tokens are who stands on it.
	tokens []token
	// unexplored is true if the players know nothing of the dungeon yet.
	unexplored bool
}

// ground is what is known of a square.
type ground int

const (
	unknown ground = iota
	wall
	passage
)

type cell struct {
	ground ground
	// told is true if it is known to the players; what only the GM knows is drawn paler.
	told bool
}

// note is something that lies on a square.
type note struct {
	x, y   int32
	letter string
	icon   string
	text   string
	told   bool
	hidden bool
}

// token is a character.
type token struct {
	x, y int32
	name string
	side string
}

// Floors are the numbers of the floors of which the seat knows anything, sorted.
func Floors(d *tablev1.DungeonView) []int32 {
	var out []int32
	for _, f := range d.GetFloors() {
		out = append(out, f.Number)
	}
	for _, s := range d.GetSquares() {
		out = append(out, s.Square.Floor)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Draw makes the plan of a floor of what a seat sees, with those who stand on it; nil if
// it knows nothing of the floor. icon is the word of the icon of a kind of mark, as the ruleset names it.
func Draw(d *tablev1.DungeonView, who []*tablev1.CharacterView, floor int32, icon func(kind string) string) *Plan {
	p := &Plan{Floor: floor}
	if !p.bounds(d) {
		return nil
	}
	p.cells = make([]cell, p.Width*p.Height)
	// Of a dungeon that nobody has entered there is nothing to be told apart.
	p.unexplored = len(d.Squares) == 0
	for _, f := range d.Floors {
		if f.Number == floor {
			p.rows(f.Rows)
		}
	}
	for _, s := range d.Squares {
		if c := p.cell(s.Square); c != nil {
			c.told = true
			switch s.Terrain {
			case tablev1.Terrain_TERRAIN_WALL:
				c.ground = wall
			case tablev1.Terrain_TERRAIN_PASSAGE:
				c.ground = passage
			}
		}
	}
	p.marks(d, icon)
	for _, c := range who {
		if p.cell(c.Position) != nil {
			p.tokens = append(p.tokens, token{c.Position.X, c.Position.Y, c.Name, c.Side})
		}
	}
	return p
}

// bounds finds out how much is to be drawn; false if nothing is.
func (p *Plan) bounds(d *tablev1.DungeonView) bool {
	var right, bottom int32
	any := false
	take := func(x, y int32) {
		if !any {
			p.Left, p.Top, right, bottom, any = x, y, x, y, true
			return
		}
		p.Left, right = min(p.Left, x), max(right, x)
		p.Top, bottom = min(p.Top, y), max(bottom, y)
	}
	for _, f := range d.GetFloors() {
		if f.Number == p.Floor {
			for y, row := range f.Rows {
				take(0, int32(y))
				take(max(0, int32(len(row))-1), int32(y))
			}
		}
	}
	for _, s := range d.GetSquares() {
		if s.Square.GetFloor() == p.Floor {
			take(s.Square.X, s.Square.Y)
		}
	}
	p.Width, p.Height = right-p.Left+1, bottom-p.Top+1
	return any
}

func (p *Plan) rows(rows []string) {
	for y, row := range rows {
		for x, sign := range row {
			c := p.cell(&typev1.Square{X: int32(x), Y: int32(y), Floor: p.Floor})
			c.ground, c.told = wall, p.unexplored
			if sign == '.' {
				c.ground = passage
			}
		}
	}
}

// cell is that of a square; nil if it is not drawn.
func (p *Plan) cell(s *typev1.Square) *cell {
	x, y := s.GetX()-p.Left, s.GetY()-p.Top
	if s == nil || s.Floor != p.Floor || x < 0 || y < 0 || x >= p.Width || y >= p.Height {
		return nil
	}
	return &p.cells[y*p.Width+x]
}

// marks are what lies on the floor: as it is for the GM, as it is known for others.
func (p *Plan) marks(d *tablev1.DungeonView, icon func(string) string) {
	for _, f := range d.Features {
		if f.Feature.Gone || p.cell(f.Feature.Square) == nil {
			continue
		}
		p.notes = append(p.notes, note{
			x: f.Feature.Square.X, y: f.Feature.Square.Y, icon: icon(f.Feature.Kind), text: f.GetText().GetText(),
			told: p.unexplored || len(f.Feature.Known) > 0, hidden: f.Feature.Hidden,
		})
	}
	for _, m := range d.Marks {
		s := m.Mark.Square
		if p.cell(s) == nil || len(d.Features) > 0 && p.drawn(d, m.Mark) {
			continue
		}
		p.notes = append(p.notes, note{x: s.X, y: s.Y, icon: icon(m.Mark.Kind), text: m.GetText().GetText(), told: true})
	}
	slices.SortStableFunc(p.notes, func(a, b note) int { return cmp.Or(cmp.Compare(a.y, b.y), cmp.Compare(a.x, b.x)) })
	for i := range p.notes {
		p.notes[i].letter = letter(i)
	}
}

// drawn reports whether a mark is one of a feature that the GM sees anyway.
func (p *Plan) drawn(d *tablev1.DungeonView, m *tablev1.DungeonMark) bool {
	return slices.ContainsFunc(d.Features, func(f *tablev1.FeatureView) bool {
		return slices.ContainsFunc(f.Feature.Known, func(k *tablev1.KnownAs) bool { return k.Of == m.Of && k.Number == m.Number })
	})
}

// letter is the name of the n-th note: a to z, then a1, b1 and so on.
func letter(n int) string {
	s := string(rune('a' + n%26))
	if n >= 26 {
		s += string(rune('0' + n/26%10))
	}
	return s
}

// at are the notes on a square.
func (p *Plan) at(x, y int32) []note {
	var out []note
	for _, n := range p.notes {
		if n.x == x && n.y == y {
			out = append(out, n)
		}
	}
	return out
}

// standing are the tokens on a square.
func (p *Plan) standing(x, y int32) []token {
	var out []token
	for _, t := range p.tokens {
		if t.x == x && t.y == y {
			out = append(out, t)
		}
	}
	return out
}
