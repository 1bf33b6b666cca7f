package host

import (
	"slices"

	"github.com/hantei/hantei/engine/rule"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// stamp is the visibility of a table as it is now: for every character the seats
// that control it, and the options that decide on audiences.
func stamp(options *rule.Options, s *tablev1.State, seats []*tablev1.Seat) *tablev1.Visibility {
	value := func(key string) string { return options.Value(s.Options, key) }
	v := &tablev1.Visibility{
		PartySheets: value("party_sheets") == "shown",
		NpcValues:   value("npc_values") == "shown",
		NpcDice:     value("npc_dice") == "shown",
	}
	switch value("npc_hp") {
	case "exact":
		v.NpcHp = tablev1.NpcHp_NPC_HP_EXACT
	case "band":
		v.NpcHp = tablev1.NpcHp_NPC_HP_BAND
	default:
		v.NpcHp = tablev1.NpcHp_NPC_HP_NONE
	}
	for _, c := range s.Characters {
		v.Owners = append(v.Owners, &tablev1.Ownership{
			Character: c.Id, Kind: c.Kind, Seats: controllers(seats, c.Id), Audience: c.Audience,
		})
	}
	return v
}

// controllers are the seats that control a character, sorted. The GM's hold on
// NPCs goes by role and does not stand here; who only looks on controls nobody.
func controllers(seats []*tablev1.Seat, character string) []string {
	var out []string
	for _, s := range seats {
		if s.Role != tablev1.SeatRole_SEAT_ROLE_OBSERVER && slices.Contains(s.Characters, character) {
			out = append(out, s.Id)
		}
	}
	slices.Sort(out)
	return out
}

// restamps reports whether an event changes who may see what, or names.
func restamps(e *tablev1.Event) bool {
	for _, c := range e.Changes {
		switch c.Change.(type) {
		case *tablev1.Change_Character, *tablev1.Change_Option:
			return true
		}
	}
	return false
}
