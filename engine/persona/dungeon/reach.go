package dungeon

import (
	"slices"

	"github.com/hantei/hantei/engine/grid"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

// area is passages of a floor that hang together, and the areas to which its
// stairs and warps lead: both lead one way, walking does both (PER-VAL-01).
type area struct {
	floor int32
	cells []grid.Cell
	exit  bool // stairs lead outside from it
	to    []int
	// alone is true if neither a warp nor stairs to another floor lie on it.
	alone bool
}

// start is where the exploration begins; nil if there is nowhere.
func (v *validator) start() *typev1.Square {
	if v.Start != nil {
		return v.Start
	}
	return Entrance(v.d).GetSquare()
}

// reach finds floors and areas to which nothing leads, and those from which
// nothing leads out (V06 to V09, V18).
func (v *validator) reach() {
	start := v.start()
	if !v.passage(start) {
		v.find("V08", "start_missing", isError).Square = start
		return
	}
	unreached := isError
	if v.Unlinked {
		unreached = warning
	}
	floors := v.floors(start.Floor)
	for _, f := range v.d.Floors {
		if !floors[f.Number] {
			v.find("V06", "floor_unreachable", unreached).Floor = f.Number
		}
	}
	areas := v.areas()
	first := v.areaAt(areas, start)
	reached := closure(areas, []int{first})
	var out []int // areas from which one gets out
	for i, a := range areas {
		if slices.ContainsFunc(closed(closure(areas, []int{i})), func(j int) bool { return areas[j].exit }) {
			out = append(out, i)
		}
		if !reached[i] {
			v.area(a, "V07", "area_unreachable", unreached)
		}
	}
	for i, a := range areas {
		if reached[i] && !slices.Contains(out, i) {
			v.area(a, "V09", "no_way_out", warning)
		}
	}
	if a := areas[first]; len(a.cells) == 1 && a.alone {
		v.find("V18", "start_isolated", warning).Square = start
	}
}

func (v *validator) area(a area, code, name string, s personav1.Severity) {
	f := v.find(code, name, s)
	f.Floor = a.floor
	f.Square = &typev1.Square{X: a.cells[0].X, Y: a.cells[0].Y, Floor: a.floor}
}

// floors are those to which stairs lead from a floor, itself included.
func (v *validator) floors(from int32) map[int32]bool {
	reached := map[int32]bool{from: true}
	for more := true; more; {
		more = false
		for _, f := range v.d.Features {
			if to := Arrival(v.d, f); to != nil && reached[f.Square.GetFloor()] && !reached[to.Square.GetFloor()] {
				reached[to.Square.GetFloor()], more = true, true
			}
		}
	}
	return reached
}

// areas are those of all floors, in the order of the floors and of their first squares.
func (v *validator) areas() []area {
	var out []area
	for _, f := range v.d.Floors {
		for _, cells := range v.maps[f.Number].Areas() {
			out = append(out, area{floor: f.Number, cells: cells, alone: true})
		}
	}
	for _, f := range v.d.Features {
		i := v.areaAt(out, f.Square)
		if i < 0 {
			continue
		}
		to := f.GetWarp().GetTo()
		if at := Arrival(v.d, f); at != nil {
			to = at.Square
		}
		if f.GetWarp() != nil || to != nil && to.Floor != out[i].floor {
			out[i].alone = false
		}
		if j := v.areaAt(out, to); j >= 0 {
			out[i].to = append(out[i].to, j)
		}
		out[i].exit = out[i].exit || f.GetStairs().GetOutside()
	}
	return out
}

// areaAt is the index of the area that a square lies in; -1 for none.
func (v *validator) areaAt(areas []area, s *typev1.Square) int {
	return slices.IndexFunc(areas, func(a area) bool {
		return s != nil && a.floor == s.Floor && slices.Contains(a.cells, grid.Cell{X: s.X, Y: s.Y})
	})
}

// closure is which areas can be reached from some.
func closure(areas []area, from []int) []bool {
	reached := make([]bool, len(areas))
	for open := from; len(open) > 0; open = open[1:] {
		if i := open[0]; !reached[i] {
			reached[i] = true
			open = append(open, areas[i].to...)
		}
	}
	return reached
}

// closed are the indices that are true.
func closed(reached []bool) []int {
	var out []int
	for i, r := range reached {
		if r {
			out = append(out, i)
		}
	}
	return out
}
