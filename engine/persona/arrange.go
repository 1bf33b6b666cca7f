package persona

import (
	"slices"

	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
)

// arrange is what a dungeon and an exploration bring with them that a scenario gives:
// what lies there in the core's words, the marks of what is known, what everybody knows
// of the square that he stands on and those beside it, the clocks and limits of floors,
// where Reapers are known to stand, and the hands of the turn.
func (g *game) arrange(v *rule.View) []*tablev1.Change {
	var out []*tablev1.Change
	if v.State.Dungeon != nil {
		out = append(out, g.arrangeFeatures(v)...)
		out = append(out, g.arrangeFloors(v)...)
		out = append(out, arrangeSquares(v)...)
		out = append(out, g.arrangeReapers(v)...)
	}
	return append(out, arrangeHands(v)...)
}

func (g *game) arrangeFeatures(v *rule.View) []*tablev1.Change {
	var out []*tablev1.Change
	for _, f := range tableDetails(v.State).GetFeatures() {
		known := table.DungeonFeature(v.State, f.Id).GetKnown()
		if len(known) > 0 && hidden(f) {
			f = proto.CloneOf(f)
			f.Discovered = true
			out = append(out, piece("", &personav1.Part{Part: &personav1.Part_Features{Features: f}}))
		}
		out = append(out, rule.SetFeature(g.row(v.State, f)))
		for _, k := range known {
			m := &tablev1.DungeonMark{Of: k.Of, Number: k.Number, Square: f.Square, Kind: kindOf(f), Detail: k.Detail, Audience: rule.Public}
			if k.Of != "" {
				m.Audience = rule.Owner
			}
			if k.Detail == data {
				m.Facts = g.data(v.State, f, m.Audience)
			}
			out = append(out, rule.SetMark(m))
		}
	}
	return out
}

// arrangeFloors gives floors the clocks and limits that are not given.
func (g *game) arrangeFloors(v *rule.View) []*tablev1.Change {
	var out []*tablev1.Change
	weather := tableDetails(v.State).GetConditions().GetWeather()
	if weather == personav1.Weather_WEATHER_UNSPECIFIED {
		weather = personav1.Weather_WEATHER_CLOUDY
	}
	visited := occupied(v)
	for _, f := range v.State.Dungeon.Floors {
		limit := g.roundLimit(weather, &personav1.Floor{Number: f.Number, Rows: f.Rows})
		if given := limitOf(v.State, f.Number); given.Limit != 0 {
			limit.Limit = given.Limit
		}
		if slices.Contains(visited, f.Number) {
			limit.Audience = limitAudience(v)
			if round := v.Encounter().GetRound(); spent(v.State, f.Number) == 0 && round > 0 {
				out = append(out, setSpent(f.Number, round))
			}
		}
		out = append(out, piece("", &personav1.Part{Part: &personav1.Part_Limits{Limits: limit}}))
	}
	return out
}

// arrangeSquares has everybody know his square and the four beside it (PER-MOVE-01).
func arrangeSquares(v *rule.View) []*tablev1.Change {
	var out []*tablev1.Change
	know := func(k knower, at *typev1.Square, is tablev1.Terrain) {
		if table.DungeonSquare(v.State, k.of, at) == nil {
			out = append(out, rule.SetSquare(&tablev1.DungeonSquare{Of: k.of, Square: at, Terrain: is, Audience: k.audience}))
		}
	}
	for _, c := range v.State.Characters {
		at := place(c)
		if at == nil {
			continue
		}
		for _, k := range knowers(v, []string{c.Id}) {
			know(k, at, tablev1.Terrain_TERRAIN_PASSAGE)
			for _, n := range cell(at).Neighbours() {
				beside := square(n, at.Floor)
				know(k, beside, terrain(v.State, beside))
			}
		}
	}
	return out
}

// arrangeReapers has everybody know that Reapers walk, and of their places who detects
// them (PER-RPR-01, PER-RPR-09).
func (g *game) arrangeReapers(v *rule.View) []*tablev1.Change {
	var out []*tablev1.Change
	for _, r := range tableDetails(v.State).GetReapers() {
		if r.Square == nil {
			continue
		}
		out = append(out, piece("", &personav1.Part{Part: &personav1.Part_Sightings{Sightings: &personav1.Sighting{Floor: r.Floor}}}))
		seers := g.seers(v, r)
		for _, k := range knowers(v, explorers(v)) {
			if len(seenFor(k, seers)) > 0 {
				out = append(out, detected(v.State, k, r)...)
			}
		}
	}
	return out
}

// arrangeHands gives both hands to those whose turn it is; those before them in the
// order have acted.
func arrangeHands(v *rule.View) []*tablev1.Change {
	e := v.Encounter()
	var out []*tablev1.Change
	for i, id := range e.GetOrder() {
		c := v.Character(id)
		switch {
		case hands(c) != nil:
		case slices.Contains(e.Turn, id):
			out = append(out, setHands(c, func(h *personav1.Hands) { h.Move, h.Main = true, true }))
		case int32(i) < e.Pointer:
			out = append(out, setHands(c, func(h *personav1.Hands) { h.Acted = true }))
		}
	}
	return out
}
