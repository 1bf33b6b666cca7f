package grid

import "math"

// Steps is the number of steps between two cells where nothing is in the way, of
// which none is diagonal.
func (c Cell) Steps(to Cell) int32 {
	d := int64(apart(c.X, to.X)) + int64(apart(c.Y, to.Y))
	return int32(min(d, math.MaxInt32))
}

// Edge is a step that leads elsewhere than to a neighbour, one way.
type Edge struct{ From, To Cell }

// Walk is how far the cells of a map are from one of them.
type Walk struct {
	m     Map
	steps []int32 // -1 where nothing leads
}

// Distances walks a map from a cell over passages, and over further edges, each of
// which is one step. From a wall nothing leads anywhere.
func (m Map) Distances(from Cell, extra ...Edge) Walk {
	w := Walk{m: m, steps: make([]int32, int(m.width)*int(m.height))}
	for i := range w.steps {
		w.steps[i] = -1
	}
	if !m.Passage(from) {
		return w
	}
	w.steps[m.index(from)] = 0
	for open := []Cell{from}; len(open) > 0; open = open[1:] {
		at := open[0]
		for _, next := range m.Exits(at, extra...) {
			if w.steps[m.index(next)] < 0 {
				w.steps[m.index(next)] = w.steps[m.index(at)] + 1
				open = append(open, next)
			}
		}
	}
	return w
}

// Exits are the passages to which one step leads from a cell: its neighbours in
// their order, then where the further edges lead, in theirs.
func (m Map) Exits(from Cell, extra ...Edge) []Cell {
	var out []Cell
	for _, n := range from.Neighbours() {
		if m.Passage(n) {
			out = append(out, n)
		}
	}
	for _, e := range extra {
		if e.From == from && m.Passage(e.To) {
			out = append(out, e.To)
		}
	}
	return out
}

// To is the number of steps to a cell, and whether any way leads there.
func (w Walk) To(c Cell) (int32, bool) {
	if !w.m.Holds(c) || w.steps[w.m.index(c)] < 0 {
		return 0, false
	}
	return w.steps[w.m.index(c)], true
}
