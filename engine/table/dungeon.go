package table

import (
	"cmp"
	"slices"

	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
)

// explored is the dungeon, begun if there is none.
func (t *Table) explored() *tablev1.Dungeon {
	if t.state.Dungeon == nil {
		set(t, &t.state.Dungeon, &tablev1.Dungeon{})
	}
	return t.state.Dungeon
}

// dungeon writes the dungeon as a whole. It is cloned, as a sheet is: later changes
// write into it, and the event must not change with it.
func (t *Table) dungeon(k *tablev1.DungeonChange) {
	if k.Removed {
		set(t, &t.state.Dungeon, nil)
		return
	}
	set(t, &t.state.Dungeon, proto.Clone(k.After).(*tablev1.Dungeon))
}

// place replaces, inserts or removes a row where compare sorts it.
func place[R any](t *Table, rows *[]R, row R, removed bool, compare func(a, b R) int) {
	i, found := slices.BinarySearchFunc(*rows, row, compare)
	switch {
	case found && removed:
		set(t, rows, slices.Delete(slices.Clone(*rows), i, i+1))
	case found:
		old := (*rows)[i]
		(*rows)[i] = row
		t.undo = append(t.undo, func() { (*rows)[i] = old })
	case !removed:
		set(t, rows, slices.Insert(slices.Clone(*rows), i, row))
	}
}

// CompareSquares sorts squares that are known by whose knowledge it is, then by
// floor, row and column.
func CompareSquares(a, b *tablev1.DungeonSquare) int {
	return cmp.Or(cmp.Compare(a.Of, b.Of), compareSquare(a.Square, b.Square))
}

// CompareMarks sorts marks by whose knowledge it is, then by number.
func CompareMarks(a, b *tablev1.DungeonMark) int {
	return cmp.Or(cmp.Compare(a.Of, b.Of), cmp.Compare(a.Number, b.Number))
}

// CompareFeatures sorts what lies in a dungeon by id.
func CompareFeatures(a, b *tablev1.DungeonFeature) int { return cmp.Compare(a.Id, b.Id) }

func compareSquare(a, b *typev1.Square) int {
	return cmp.Or(cmp.Compare(a.GetFloor(), b.GetFloor()), cmp.Compare(a.GetY(), b.GetY()), cmp.Compare(a.GetX(), b.GetX()))
}

// DungeonFloor returns the floor with a number as it is, or nil.
func DungeonFloor(s *tablev1.State, number int32) *tablev1.DungeonFloor {
	for _, f := range s.GetDungeon().GetFloors() {
		if f.Number == number {
			return f
		}
	}
	return nil
}

// DungeonSquare returns what somebody knows of a square, or nil.
func DungeonSquare(s *tablev1.State, of string, at *typev1.Square) *tablev1.DungeonSquare {
	rows := s.GetDungeon().GetSquares()
	i, ok := slices.BinarySearchFunc(rows, &tablev1.DungeonSquare{Of: of, Square: at}, CompareSquares)
	if !ok {
		return nil
	}
	return rows[i]
}

// DungeonMark returns the mark that somebody knows under a number, or nil.
func DungeonMark(s *tablev1.State, of string, number int32) *tablev1.DungeonMark {
	rows := s.GetDungeon().GetMarks()
	i, ok := slices.BinarySearchFunc(rows, &tablev1.DungeonMark{Of: of, Number: number}, CompareMarks)
	if !ok {
		return nil
	}
	return rows[i]
}

// DungeonFeature returns what lies in the dungeon under an id, or nil.
func DungeonFeature(s *tablev1.State, id int32) *tablev1.DungeonFeature {
	rows := s.GetDungeon().GetFeatures()
	i, ok := slices.BinarySearchFunc(rows, &tablev1.DungeonFeature{Id: id}, CompareFeatures)
	if !ok {
		return nil
	}
	return rows[i]
}
