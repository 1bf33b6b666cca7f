package grid

import (
	"iter"
	"slices"
)

// Cell is a square of one floor: column and row, from the top left corner.
type Cell struct{ X, Y int32 }

// Step is the cell one step further in a direction.
func (c Cell) Step(d Direction) Cell {
	o := offsets[d]
	return Cell{c.X + o.X, c.Y + o.Y}
}

// Neighbours are the four cells beside one, in the order of the directions. They
// need not lie on a map.
func (c Cell) Neighbours() [4]Cell {
	var out [4]Cell
	for d := range offsets {
		out[d] = c.Step(Direction(d))
	}
	return out
}

// Beside reports whether two cells share a side, and in which direction b lies of c.
func (c Cell) Beside(b Cell) (Direction, bool) {
	for d := range offsets {
		if c.Step(Direction(d)) == b {
			return Direction(d), true
		}
	}
	return 0, false
}

// Direction is where a neighbour lies.
type Direction int

// The directions, in the order in which neighbours are taken.
const (
	Up Direction = iota
	Right
	Down
	Left
)

var offsets = [4]Cell{{0, -1}, {1, 0}, {0, 1}, {-1, 0}}

// Map is the walls and passages of one floor. What lies outside is wall. The zero
// Map has no squares.
type Map struct {
	rows          []string
	width, height int32
}

// Wall and Passage are the signs of a square in a row of a map.
const (
	Wall    = '#'
	Passage = '.'
)

// NewMap makes a map of rows of Wall and Passage from the top. Rows that are shorter
// than the longest end in walls; any sign but Passage is a wall.
func NewMap(rows []string) Map {
	m := Map{rows: slices.Clone(rows), height: int32(len(rows))}
	for _, r := range rows {
		m.width = max(m.width, int32(len(r)))
	}
	return m
}

// Size is the number of columns and rows.
func (m Map) Size() (width, height int32) { return m.width, m.height }

// Holds reports whether a cell lies on the map.
func (m Map) Holds(c Cell) bool {
	return c.X >= 0 && c.Y >= 0 && c.X < m.width && c.Y < m.height
}

// Passage reports whether one can stand on a cell.
func (m Map) Passage(c Cell) bool {
	return m.Holds(c) && int(c.X) < len(m.rows[c.Y]) && m.rows[c.Y][c.X] == Passage
}

// Cells are all cells of the map, row after row.
func (m Map) Cells() iter.Seq[Cell] {
	return func(yield func(Cell) bool) {
		for y := range m.height {
			for x := range m.width {
				if !yield(Cell{x, y}) {
					return
				}
			}
		}
	}
}

// Passages are the cells on which one can stand, row after row.
func (m Map) Passages() []Cell {
	var out []Cell
	for c := range m.Cells() {
		if m.Passage(c) {
			out = append(out, c)
		}
	}
	return out
}

// index is the place of a cell that lies on the map, row after row.
func (m Map) index(c Cell) int { return int(c.Y)*int(m.width) + int(c.X) }
