// Package encounter keeps the order of a conflict: whose turn it is, and whose is next.
package encounter

import (
	"slices"

	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"google.golang.org/protobuf/proto"
)

// With returns a copy of an encounter, changed by f. Encounters in the state are
// shared with events and never written in place.
func With(e *tablev1.Encounter, f func(*tablev1.Encounter)) *tablev1.Encounter {
	out := proto.Clone(e).(*tablev1.Encounter)
	f(out)
	return out
}

// In reports whether a character takes part.
func In(e *tablev1.Encounter, character string) bool {
	return e != nil && slices.Contains(e.Roster, character)
}

// Holds reports whether it is the character's turn in a step of the sequence.
func Holds(e *tablev1.Encounter, step, character string) bool {
	return e != nil && e.Step == step && slices.Contains(e.Turn, character)
}

// Next finds the next in the order, after those who have had their turn, for
// whom it can be. It returns "" if there is nobody left, and the pointer that
// belongs to it.
func Next(e *tablev1.Encounter, can func(character string) bool) (string, int32) {
	for i := e.Pointer; i < int32(len(e.Order)); i++ {
		if can(e.Order[i]) {
			return e.Order[i], i + 1
		}
	}
	return "", int32(len(e.Order))
}
