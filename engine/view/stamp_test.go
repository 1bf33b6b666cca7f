package view

import (
	"testing"

	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

func TestStamp(t *testing.T) {
	s := read(t, &tablev1.State{}, `
		characters {id: "officer" kind: CHARACTER_KIND_PC audience: AUDIENCE_PUBLIC}
		characters {id: "thug" kind: CHARACTER_KIND_NPC audience: AUDIENCE_GM}`)
	seats := []*tablev1.Seat{
		{Id: "olga", Role: tablev1.SeatRole_SEAT_ROLE_OBSERVER, Characters: []string{"officer"}},
		{Id: "ben", Role: tablev1.SeatRole_SEAT_ROLE_PLAYER, Characters: []string{"officer", "thug"}},
		{Id: "ann", Role: tablev1.SeatRole_SEAT_ROLE_PLAYER, Characters: []string{"officer"}},
		{Id: "gm", Role: tablev1.SeatRole_SEAT_ROLE_GM},
	}
	const owners = `
		owners {character: "officer" kind: CHARACTER_KIND_PC seats: "ann" seats: "ben" audience: AUDIENCE_PUBLIC}
		owners {character: "thug" kind: CHARACTER_KIND_NPC seats: "ben" audience: AUDIENCE_GM}`
	for _, c := range []struct {
		name    string
		options []string // key, value, key, value ...
		want    string
	}{
		{"nothing said", nil, `npc_hp: NPC_HP_NONE`},
		{"all shown", []string{"npc_dice", "shown", "npc_hp", "exact", "npc_values", "shown", "party_sheets", "shown"},
			`npc_dice: true npc_hp: NPC_HP_EXACT npc_values: true party_sheets: true`},
		{"all hidden", []string{"npc_dice", "hidden", "npc_hp", "none", "npc_values", "hidden", "party_sheets", "hidden"}, `npc_hp: NPC_HP_NONE`},
		{"band", []string{"crit", "5", "npc_hp", "band"}, `npc_hp: NPC_HP_BAND`},
	} {
		t.Run(c.name, func(t *testing.T) {
			var options []*tablev1.Option
			for i := 0; i < len(c.options); i += 2 {
				options = append(options, &tablev1.Option{Key: c.options[i], Value: c.options[i+1]})
			}
			same(t, Stamp(options, s, seats), read(t, &tablev1.Visibility{}, c.want+owners))
		})
	}
}
