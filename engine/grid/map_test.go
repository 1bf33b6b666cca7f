package grid_test

import (
	"slices"
	"testing"

	"github.com/hantei/hantei/engine/grid"
	"pgregory.net/rapid"
)

var twoAreas = grid.NewMap([]string{
	"..#..",
	".....",
	"#...#",
	"..##.",
	".#...",
})

func TestMap(t *testing.T) {
	m := grid.NewMap([]string{"#.", "...", ""})
	if w, h := m.Size(); w != 3 || h != 3 {
		t.Errorf("%d x %d", w, h)
	}
	for _, c := range []struct {
		at   grid.Cell
		want bool
	}{
		{grid.Cell{0, 0}, false},
		{grid.Cell{1, 0}, true},
		{grid.Cell{2, 0}, false}, // the row ends before
		{grid.Cell{2, 1}, true},
		{grid.Cell{1, 2}, false},
		{grid.Cell{-1, 1}, false},
		{grid.Cell{1, -1}, false},
		{grid.Cell{3, 1}, false},
		{grid.Cell{1, 3}, false},
	} {
		if got := m.Passage(c.at); got != c.want {
			t.Errorf("%v: %v", c.at, got)
		}
	}
	if got, want := m.Passages(), []grid.Cell{{1, 0}, {0, 1}, {1, 1}, {2, 1}}; !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
}

// Neighbours come up, right, down, left.
func TestNeighbours(t *testing.T) {
	c := grid.Cell{2, 3}
	if got, want := c.Neighbours(), [4]grid.Cell{{2, 2}, {3, 3}, {2, 4}, {1, 3}}; got != want {
		t.Errorf("%v", got)
	}
	for d, n := range c.Neighbours() {
		if got, ok := c.Beside(n); !ok || got != grid.Direction(d) {
			t.Errorf("%v: %v, %v", n, got, ok)
		}
	}
	for _, n := range []grid.Cell{c, {3, 4}, {2, 5}} {
		if _, ok := c.Beside(n); ok {
			t.Errorf("%v is beside %v", n, c)
		}
	}
}

func TestAreas(t *testing.T) {
	areas := twoAreas.Areas()
	if len(areas) != 2 || len(areas[0]) != 15 {
		t.Fatalf("%v", areas)
	}
	if areas[0][0] != (grid.Cell{0, 0}) || !slices.Equal(areas[1], []grid.Cell{{4, 3}, {2, 4}, {3, 4}, {4, 4}}) {
		t.Errorf("%v", areas)
	}
}

func TestDistances(t *testing.T) {
	m := grid.NewMap([]string{
		"..#.",
		".##.",
		"....",
	})
	warp := grid.Edge{From: grid.Cell{1, 0}, To: grid.Cell{3, 0}}
	for _, c := range []struct {
		name  string
		extra []grid.Edge
		to    grid.Cell
		want  int32
		ok    bool
	}{
		{"itself", nil, grid.Cell{0, 0}, 0, true},
		{"round the wall", nil, grid.Cell{3, 0}, 7, true},
		{"a further edge is one step", []grid.Edge{warp}, grid.Cell{3, 0}, 2, true},
		{"it leads one way", []grid.Edge{{From: warp.To, To: warp.From}}, grid.Cell{3, 0}, 7, true},
		{"an edge into a wall leads nowhere", []grid.Edge{{From: grid.Cell{0, 0}, To: grid.Cell{2, 0}}}, grid.Cell{2, 0}, 0, false},
		{"off the map", nil, grid.Cell{4, 0}, 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, ok := m.Distances(grid.Cell{0, 0}, c.extra...).To(c.to); got != c.want || ok != c.ok {
				t.Errorf("%d, %v", got, ok)
			}
		})
	}
	if _, ok := m.Distances(grid.Cell{2, 0}).To(grid.Cell{3, 0}); ok {
		t.Error("a way out of a wall")
	}
}

func TestWithin(t *testing.T) {
	m := grid.NewMap([]string{".....", "#####", ".....", ".....", "....."})
	for _, c := range []struct {
		got  []grid.Cell
		want int
	}{
		{m.Within(grid.Cell{1, 1}, 2), 16},
		{m.Within(grid.Cell{1, 1}, 3), 25},
		{m.WithinSteps(grid.Cell{1, 1}, 2), 11},
		{m.Within(grid.Cell{2, 2}, 0), 1},
	} {
		if len(c.got) != c.want {
			t.Errorf("%d cells, want %d: %v", len(c.got), c.want, c.got)
		}
	}
}

// An area is what can be reached from any of its cells.
func TestAnAreaIsWhatCanBeReached(t *testing.T) {
	row := rapid.StringMatching(`[#.]{1,7}`)
	rapid.Check(t, func(t *rapid.T) {
		m := grid.NewMap(rapid.SliceOfN(row, 1, 7).Draw(t, "rows"))
		areas := m.Areas()
		for i, area := range areas {
			walk := m.Distances(area[0])
			for j, other := range areas {
				for _, c := range other {
					if _, ok := walk.To(c); ok != (i == j) {
						t.Fatalf("from area %d to %v of area %d: %v", i, c, j, ok)
					}
				}
			}
		}
	})
}
