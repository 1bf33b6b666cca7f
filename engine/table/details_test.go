package table_test

import (
	"testing"

	"github.com/hantei/hantei/engine/table"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"google.golang.org/protobuf/proto"
)

// A piece without a character is the table's: it is folded and taken back like a
// sheet's, and stands in the hash.
func TestDetailsOfTheTable(t *testing.T) {
	tab := table.New()
	before := tab.Hash()
	points := func(n int32) *tablev1.Change {
		part := &cocv1.Part{Part: &cocv1.Part_Mind{Mind: &cocv1.Mind{RpPoints: proto.Int32(n)}}}
		return &tablev1.Change{Change: &tablev1.Change_Part{Part: &tablev1.PartChange{
			After: &tablev1.Part{Ruleset: &tablev1.Part_Coc{Coc: part}},
		}}}
	}
	tab.Apply(points(1))
	one := tab.Hash()
	mark := tab.Mark()
	tab.Apply(points(2))
	if got := tab.State().GetDetails().GetCoc().GetMind().GetRpPoints(); got != 2 {
		t.Errorf("%d", got)
	}
	if tab.Hash() == one || one == before {
		t.Error("the details are not in the hash")
	}
	tab.Rollback(mark)
	if tab.Hash() != one {
		t.Error("not taken back")
	}
	tab.Rollback(0)
	if tab.State().Details != nil || tab.Hash() != before {
		t.Errorf("not taken back: %v", tab.State())
	}
}
