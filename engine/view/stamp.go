package view

import (
	"slices"

	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// Stamp is the visibility of a table as it is now: for every character the seats
// that control it, and the options that decide on audiences. The options are those
// in force: of one that is not among them the least is shown.
func Stamp(options []*tablev1.Option, s *tablev1.State, seats []*tablev1.Seat) *tablev1.Visibility {
	v := &tablev1.Visibility{}
	shown(v, func(key string) string {
		for _, o := range options {
			if o.Key == key {
				return o.Value
			}
		}
		return ""
	})
	for _, c := range s.Characters {
		v.Owners = append(v.Owners, &tablev1.Ownership{
			Character: c.Id, Kind: c.Kind, Seats: controllers(seats, c.Id), Audience: c.Audience,
		})
	}
	return v
}

// shown sets what the options decide. value gives the value of an option, "" for
// one that is not among them.
func shown(v *tablev1.Visibility, value func(key string) string) {
	v.PartySheets = value("party_sheets") == "shown"
	v.NpcValues = value("npc_values") == "shown"
	v.NpcDice = value("npc_dice") == "shown"
	switch value("npc_hp") {
	case "exact":
		v.NpcHp = tablev1.NpcHp_NPC_HP_EXACT
	case "band":
		v.NpcHp = tablev1.NpcHp_NPC_HP_BAND
	default:
		v.NpcHp = tablev1.NpcHp_NPC_HP_NONE
	}
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
