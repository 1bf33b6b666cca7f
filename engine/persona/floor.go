package persona

import (
	"github.com/hantei/hantei/engine/rule"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

// roundLimit is the round limit of a floor: half of its squares and what the weather
// adds, at least 1, unless the floor has its own (PER-DUN-07). The GM alone knows it
// until somebody comes there.
func (g *game) roundLimit(weather personav1.Weather, f *personav1.Floor) *personav1.RoundLimit {
	return &personav1.RoundLimit{Floor: f.Number, Limit: g.dungeons.RoundLimit(f, weather), Audience: rule.GM}
}

// limitOf is the round limit of a floor.
func limitOf(s *tablev1.State, floor int32) *personav1.RoundLimit {
	for _, l := range tableDetails(s).GetLimits() {
		if l.Floor == floor {
			return l
		}
	}
	return &personav1.RoundLimit{Floor: floor, Audience: rule.GM}
}

// spent are the rounds spent on a floor.
func spent(s *tablev1.State, floor int32) int32 {
	for _, f := range tableDetails(s).GetFloors() {
		if f.Floor == floor {
			return f.RoundsSpent
		}
	}
	return 0
}

// setSpent writes the rounds spent on a floor.
func setSpent(floor, rounds int32) *tablev1.Change {
	after := &personav1.FloorClock{Floor: floor, RoundsSpent: rounds}
	return piece("", &personav1.Part{Part: &personav1.Part_Floors{Floors: after}})
}

// limitAudience is who may know the limit of a floor on which somebody was.
func limitAudience(v *rule.View) typev1.Audience {
	if v.Flag("show_round_limit") {
		return rule.Public
	}
	return rule.GM
}

// showLimit has those who may know the limit of a floor know it; nil if they do.
func showLimit(v *rule.View, floor int32) *tablev1.Change {
	limit, a := limitOf(v.State, floor), limitAudience(v)
	if limit.Audience == a {
		return nil
	}
	after := &personav1.RoundLimit{Floor: floor, Limit: limit.Limit, Audience: a}
	return piece("", &personav1.Part{Part: &personav1.Part_Limits{Limits: after}})
}

// occupied are the floors that hold PCs who can act, from the lowest on.
func occupied(v *rule.View) []int32 {
	var out []int32
	for _, f := range v.State.GetDungeon().GetFloors() {
		for _, id := range explorers(v) {
			if c := v.Character(id); ablePC(c) && floorNow(c) == f.Number {
				out = append(out, f.Number)
				break
			}
		}
	}
	return out
}
