package table_test

import (
	"testing"

	"github.com/hantei/hantei/engine/table"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// Every change is of a cell of its own: an undo tells a write to those who were told of
// a write of the same cell.
func TestCellOf(t *testing.T) {
	seen := make(map[table.Cell]string)
	members := (&tablev1.Change{}).ProtoReflect().Descriptor().Oneofs().ByName("change").Fields()
	for i := range members.Len() {
		f := members.Get(i)
		c := &tablev1.Change{}
		if f.Name() == "part" {
			c = part("nurse", &cocv1.Part{Part: &cocv1.Part_Wounds{Wounds: &cocv1.Wound{Id: 2}}}, false)
		} else {
			c.ProtoReflect().Set(f, c.ProtoReflect().NewField(f))
		}
		cell := table.CellOf(c)
		if other, ok := seen[cell]; ok {
			t.Errorf("%s and %s are of the cell %v", f.Name(), other, cell)
		}
		seen[cell] = string(f.Name())
	}
	if seen[table.Cell{Character: "nurse", What: "part.wounds.2"}] != "part" {
		t.Errorf("%v", seen)
	}
	combat := part("nurse", &cocv1.Part{Part: &cocv1.Part_Combat{Combat: &cocv1.Combat{}}}, false)
	if cell := table.CellOf(combat); cell.What != "part.combat" {
		t.Errorf("%v", cell)
	}
}
