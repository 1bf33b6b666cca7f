package persona

import (
	"github.com/hantei/hantei/engine/grid"
	"github.com/hantei/hantei/engine/rule"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
)

// reaperStep has the Reapers take the steps that are left to them, after all hands of
// those whose initiative is 0 like theirs; then the round ends (PER-RPR-03).
func (g *game) reaperStep(c *rule.Ctx, _ string, _ *personav1.ReaperStep) {
	for _, floor := range haunted(c.State) {
		for walks(&c.View, reaper(c.State, floor)) {
			to := stride(&c.View, reaper(c.State, floor))
			if to == nil {
				break
			}
			g.reaperGoes(c, floor, to)
			g.sight(c, "PER-RPR-09")
			if g.contact(c, floor, false) {
				return
			}
		}
	}
	c.Then("", &personav1.RoundEnd{})
}

// walks reports whether a Reaper has a step left in the round; in that in which it
// appeared it has none.
func walks(v *rule.View, r *personav1.Reaper) bool {
	return r.GetSquare() != nil && r.Since < v.Encounter().Round && r.Steps < v.Number("reaper_steps")
}

// freshReapers give Reapers their steps for a new round.
func freshReapers(s *tablev1.State) []*tablev1.Change {
	var out []*tablev1.Change
	for _, r := range tableDetails(s).GetReapers() {
		if r.Steps > 0 {
			out = append(out, setReaper(s, r.Floor, func(r *personav1.Reaper) { r.Steps = 0 }))
		}
	}
	return out
}

// stride is where a Reaper's next step leads: nearer to the nearest PC who can act, over
// passages and warps of the floor, each of which is one step. Of PCs as near it is the
// first in the party's order, of ways as short the first of up, right, down, left, warp.
// It is nil where no way leads to anybody, and the Reaper's own square where one of them
// stands on it (PER-RPR-03).
func stride(v *rule.View, r *personav1.Reaper) *typev1.Square {
	m, edges, from := floorMap(v.State, r.Floor), warpEdges(v.State, r.Floor), cell(r.Square)
	var prey grid.Cell
	nearest := int32(-1)
	for _, id := range explorers(v) {
		c := v.Character(id)
		if !ablePC(c) || floorNow(c) != r.Floor {
			continue
		}
		if n, ok := m.Distances(from, edges...).To(cell(place(c))); ok && (nearest < 0 || n < nearest) {
			prey, nearest = cell(place(c)), n
		}
	}
	switch nearest {
	case -1:
		return nil
	case 0:
		return r.Square
	}
	for _, next := range m.Exits(from, edges...) {
		if n, ok := m.Distances(next, edges...).To(prey); ok && n == nearest-1 {
			return square(next, r.Floor)
		}
	}
	return nil
}

// warpEdges are the warps within a floor, by id. The Reaper of a floor stays on it.
func warpEdges(s *tablev1.State, floor int32) []grid.Edge {
	var out []grid.Edge
	for _, f := range tableDetails(s).GetFeatures() {
		if to := f.GetWarp().GetTo(); to != nil && f.Square.GetFloor() == floor && to.Floor == floor {
			out = append(out, grid.Edge{From: cell(f.Square), To: cell(to)})
		}
	}
	return out
}

// forcedOn is where a forced warp on a square takes the Reaper, or nil.
func forcedOn(s *tablev1.State, at *typev1.Square) *typev1.Square {
	for _, f := range featuresOn(s, at) {
		if w := f.GetWarp(); w.GetMode() == personav1.WarpMode_WARP_MODE_FORCED && w.To.GetFloor() == at.GetFloor() {
			return w.To
		}
	}
	return nil
}

// reaperGoes has a Reaper take a step. A forced warp where it has walked to takes it on
// at once, unless it has met somebody there (PER-RPR-03). The GM alone is told.
func (g *game) reaperGoes(c *rule.Ctx, floor int32, to *typev1.Square) {
	from := reaper(c.State, floor).Square
	path := []*typev1.Square{to}
	if _, beside := cell(from).Beside(cell(to)); beside && len(on(&c.View, to, ablePC)) == 0 {
		if on := forcedOn(c.State, to); on != nil {
			path = append(path, on)
		}
	}
	change := setReaper(c.State, floor, func(r *personav1.Reaper) { r.Square, r.Steps = path[len(path)-1], r.Steps+1 })
	if sameSquare(from, to) {
		c.Change(change)
		return
	}
	c.Emit(c.Event(reaperMoved, "PER-RPR-03", "").For(rule.GM).
		Number(fFloor, "", rule.GM, floor).
		Squares(fFrom, "", rule.GM, from).
		Squares(fTo, "", rule.GM, path...).
		Change(change))
}

// chase is a step that a Reaper takes together with a move of PCs.
type chase struct {
	floor int32
	to    *typev1.Square
}

// chases are the first steps of Reapers, which they take together with the first move
// with the movement hand of PCs on their floors whose initiative is 0 like theirs, chosen
// from where all stood before. A Reaper that would exchange squares with one of them
// stays, and they meet there (PER-RPR-03).
func (g *game) chases(v *rule.View, hand personav1.Hand, steps []step) []chase {
	if hand != personav1.Hand_HAND_MOVE_HAND || !v.Flag("reaper_simultaneous") {
		return nil
	}
	var out []chase
	for _, floor := range haunted(v.State) {
		r := reaper(v.State, floor)
		if !walks(v, r) || r.Steps > 0 || !g.tied(v, floor, steps) {
			continue
		}
		to := stride(v, r)
		if to == nil {
			to = r.Square
		}
		for _, s := range steps {
			if ablePC(v.Character(s.who)) && sameSquare(s.from, to) && sameSquare(s.to, r.Square) {
				to = r.Square
			}
		}
		out = append(out, chase{floor: floor, to: to})
	}
	return out
}

// tied reports whether a PC of a floor is among those who move with an initiative of 0.
func (g *game) tied(v *rule.View, floor int32, steps []step) bool {
	for _, s := range steps {
		c := v.Character(s.who)
		if isPC(c) && s.from.GetFloor() == floor && g.initiative(v, c).Total() == 0 {
			return true
		}
	}
	return false
}

// pursue has Reapers take their steps; one that has gone with the last PC of its floor
// takes none. What it returns has them meet whom they have come to, after all that goes
// off where the others have arrived.
func (g *game) pursue(c *rule.Ctx, all []chase) []proto.Message {
	var out []proto.Message
	for _, p := range all {
		if reaper(c.State, p.floor).GetSquare() == nil {
			continue
		}
		g.reaperGoes(c, p.floor, p.to)
		out = append(out, &personav1.ReaperContact{Floor: p.floor})
	}
	return out
}
