package host

import (
	"slices"

	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/view"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// stamp is the visibility of a table as it is now.
func stamp(options *rule.Options, s *tablev1.State, seats []*tablev1.Seat) *tablev1.Visibility {
	return view.Stamp(options.InForce(s.Options), s, seats)
}

// restamps reports whether an event changes who may see what, or names.
func restamps(e *tablev1.Event) bool {
	for _, c := range e.Changes {
		switch c.Change.(type) {
		case *tablev1.Change_Character, *tablev1.Change_Identity, *tablev1.Change_Option:
			return true
		}
	}
	return false
}

// removes reports whether an event takes a character from the table.
func removes(e *tablev1.Event) bool {
	return slices.ContainsFunc(e.Changes, func(c *tablev1.Change) bool { return c.GetCharacter().GetRemoved() })
}
