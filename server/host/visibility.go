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

// withGone is a visibility with those who were there before and are gone.
func withGone(now, before *tablev1.Visibility) *tablev1.Visibility {
	here := make(map[string]bool, len(now.Owners))
	for _, o := range now.Owners {
		here[o.Character] = true
	}
	var gone []*tablev1.Ownership
	for _, o := range before.Owners {
		if !here[o.Character] {
			gone = append(gone, o)
		}
	}
	if gone == nil {
		return now
	}
	return &tablev1.Visibility{
		Owners:      slices.Concat(now.Owners, gone),
		PartySheets: now.PartySheets, NpcHp: now.NpcHp, NpcValues: now.NpcValues, NpcDice: now.NpcDice,
	}
}
