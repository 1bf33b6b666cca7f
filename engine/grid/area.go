package grid

// Areas are the sets of passages that hang together by their sides. They are
// numbered by their first cell, row after row, and so are the cells of each.
func (m Map) Areas() [][]Cell {
	all := m.Passages()
	number := make([]int, int(m.width)*int(m.height)) // from 1
	areas := 0
	for _, first := range all {
		if number[m.index(first)] != 0 {
			continue
		}
		areas++
		m.fill(first, areas, number)
	}
	out := make([][]Cell, areas)
	for _, c := range all {
		n := number[m.index(c)] - 1
		out[n] = append(out[n], c)
	}
	return out
}

// fill gives an area its number.
func (m Map) fill(first Cell, area int, number []int) {
	number[m.index(first)] = area
	for open := []Cell{first}; len(open) > 0; {
		c := open[len(open)-1]
		open = open[:len(open)-1]
		for _, n := range c.Neighbours() {
			if m.Passage(n) && number[m.index(n)] == 0 {
				number[m.index(n)] = area
				open = append(open, n)
			}
		}
	}
}

// Within are the cells of the map at most so many columns and rows from a cell, the
// cell itself included, row after row. Walls do not block.
func (m Map) Within(centre Cell, steps int32) []Cell {
	return m.cells(func(c Cell) bool {
		return max(apart(c.X, centre.X), apart(c.Y, centre.Y)) <= steps
	})
}

// WithinSteps are the cells of the map at most so many steps from a cell, of which
// none is diagonal, the cell itself included, row after row. Walls do not block.
func (m Map) WithinSteps(centre Cell, steps int32) []Cell {
	return m.cells(func(c Cell) bool { return c.Steps(centre) <= steps })
}

func (m Map) cells(in func(Cell) bool) []Cell {
	var out []Cell
	for c := range m.Cells() {
		if in(c) {
			out = append(out, c)
		}
	}
	return out
}
