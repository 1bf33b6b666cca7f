package table

import tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"

// TableChanges are the writes that make of the table's own details others, piece by
// piece. They share the pieces with the details after.
func TableChanges(before, after *tablev1.Details) []*tablev1.Change {
	var out []*tablev1.Change
	for _, p := range pieces(before, after) {
		out = append(out, &tablev1.Change{Change: &tablev1.Change_Part{Part: p}})
	}
	return out
}
