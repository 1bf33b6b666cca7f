package persona

import (
	"slices"

	"github.com/hantei/hantei/engine/rule"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

// sight has the Reapers' places be known, as far as they are detected now, and no longer
// where they are not, by a rule (PER-RPR-09). What is known already is not told again.
func (g *game) sight(c *rule.Ctx, id string) {
	for _, r := range slices.Clone(tableDetails(c.State).GetReapers()) {
		seers := g.seers(&c.View, r)
		ks := knowers(&c.View, explorers(&c.View))
		for _, k := range ks {
			g.sightFor(c, k, r, seenFor(k, seers), id)
		}
		for _, m := range reaperMarks(c.State, r.Floor) {
			if k := (knower{m.Of, m.Audience}); !slices.Contains(ks, k) { // from before knowledge_scope was changed
				g.sightFor(c, k, r, nil, id)
			}
		}
	}
}

// seenFor are those whose senses somebody knows by: all, or his own alone.
func seenFor(k knower, seers []string) []string {
	return slices.DeleteFunc(slices.Clone(seers), func(id string) bool { return k.of != "" && id != k.of })
}

// sightFor is sight for one knower, with those who detect the Reaper for him.
func (g *game) sightFor(c *rule.Ctx, k knower, r *personav1.Reaper, by []string, id string) {
	m := reaperMark(c.State, k, r.Floor)
	switch {
	case len(by) == 0 && m != nil:
		c.Emit(c.Event(reaperLost, id, k.of).For(k.audience).
			Squares(fSquare, "", k.audience, m.Square).
			Change(rule.EndMark(m)))
	case len(by) > 0 && (m == nil || !sameSquare(m.Square, r.Square)):
		g.revealSquare(c, k, r.Square, id)
		c.Emit(c.Event(reaperSighted, id, k.of).For(k.audience).
			Squares(fSquare, "", k.audience, r.Square).
			Characters(fSeenBy, "", k.audience, by...).
			Change(detected(c.State, k, r)...))
	}
}

// detected is what a Reaper's place becoming known writes: its mark. It keeps the number
// that it had before, so that none is given twice (PER-HID-01).
func detected(s *tablev1.State, k knower, r *personav1.Reaper) []*tablev1.Change {
	m := &tablev1.DungeonMark{Of: k.of, Square: r.Square, Kind: kindReaper, Detail: presence, Audience: k.audience}
	for _, n := range reaper(s, r.Floor).GetNumbers() {
		if n.Of == k.of {
			m.Number = n.Number
		}
	}
	if m.Number > 0 {
		return []*tablev1.Change{rule.SetMark(m)}
	}
	m.Number = nextNumber(s, k)
	return []*tablev1.Change{rule.SetMark(m), setReaper(s, r.Floor, func(r *personav1.Reaper) {
		r.Numbers = append(r.Numbers, &personav1.ReaperNumber{Of: k.of, Number: m.Number})
	})}
}

// reaperMark is the mark of a floor's Reaper, while it is known where it stands; or nil.
func reaperMark(s *tablev1.State, k knower, floor int32) *tablev1.DungeonMark {
	for _, m := range reaperMarks(s, floor) {
		if m.Of == k.of {
			return m
		}
	}
	return nil
}

// reaperMarks are the marks of a floor's Reaper, whosever they are.
func reaperMarks(s *tablev1.State, floor int32) []*tablev1.DungeonMark {
	var out []*tablev1.DungeonMark
	for _, m := range s.GetDungeon().GetMarks() {
		if m.Kind == kindReaper && m.Square.GetFloor() == floor {
			out = append(out, m)
		}
	}
	return out
}

// seers are the PCs who detect a Reaper, by their order in the party: who stands beside
// it or on its square, and in whose search area it is, of those who analyze and of those
// who receive Connect Away from them (PER-RPR-09).
func (g *game) seers(v *rule.View, r *personav1.Reaper) []string {
	var out []string
	for _, id := range explorers(v) {
		c := v.Character(id)
		if r.Square == nil || !isPC(c) || has(c, stDead) || place(c) == nil || floorNow(c) != r.Floor {
			continue
		}
		if cell(place(c)).Steps(cell(r.Square)) <= 1 || g.senses(v, c, r.Square) {
			out = append(out, id)
		}
	}
	return out
}

// senses reports whether a square is in the search area of somebody who analyzes,
// himself or by Connect Away.
func (g *game) senses(v *rule.View, c *tablev1.Character, at *typev1.Square) bool {
	for _, id := range explorers(v) {
		by := v.Character(id)
		if !ablePC(by) || !analyzes(by) || by.Id != c.Id && !connects(by, c) {
			continue
		}
		area := searchArea(v, place(c), g.searchRadius(v, by).Total())
		if slices.ContainsFunc(area, func(s *typev1.Square) bool { return sameSquare(s, at) }) {
			return true
		}
	}
	return false
}
