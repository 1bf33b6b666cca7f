package dungeon

import (
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
)

// Feature returns the feature with the id, or nil.
func Feature(d *personav1.Dungeon, id int32) *personav1.Feature {
	for _, f := range d.Features {
		if f.Id == id {
			return f
		}
	}
	return nil
}

// Floor returns the floor with the number, or nil.
func Floor(d *personav1.Dungeon, number int32) *personav1.Floor {
	for _, f := range d.Floors {
		if f.Number == number {
			return f
		}
	}
	return nil
}

// Arrival is where one arrives who takes stairs: the stairs that they lead to; of
// a floor, those with the lowest id that lead back, else those with the lowest id
// (PER-SQ-02). It is nil for stairs that lead outside, or nowhere.
func Arrival(d *personav1.Dungeon, f *personav1.Feature) *personav1.Feature {
	switch to := f.GetStairs().GetTo().(type) {
	case *personav1.Stairs_Stairs:
		if at := Feature(d, to.Stairs); at.GetStairs() != nil && at != f {
			return at
		}
	case *personav1.Stairs_Floor:
		var back, any *personav1.Feature
		for _, at := range d.Features {
			if at.GetStairs() == nil || at == f || at.Square.GetFloor() != to.Floor {
				continue
			}
			if any == nil || at.Id < any.Id {
				any = at
			}
			if leads(at, f) && (back == nil || at.Id < back.Id) {
				back = at
			}
		}
		if back != nil {
			return back
		}
		return any
	}
	return nil
}

// leads reports whether stairs lead to others, or to their floor.
func leads(f, to *personav1.Feature) bool {
	switch t := f.GetStairs().GetTo().(type) {
	case *personav1.Stairs_Stairs:
		return t.Stairs == to.Id
	case *personav1.Stairs_Floor:
		return t.Floor == to.Square.GetFloor()
	}
	return false
}

// Entrance is where an exploration begins unless the GM says otherwise: the stairs
// to the outside with the lowest id on the lowest floor that has some (PER-EXP-01);
// nil if there are none.
func Entrance(d *personav1.Dungeon) *personav1.Feature {
	var first *personav1.Feature
	for _, f := range d.Features {
		if !f.GetStairs().GetOutside() {
			continue
		}
		if first == nil || f.Square.GetFloor() < first.Square.GetFloor() ||
			f.Square.GetFloor() == first.Square.GetFloor() && f.Id < first.Id {
			first = f
		}
	}
	return first
}
