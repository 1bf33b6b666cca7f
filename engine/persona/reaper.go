package persona

import (
	"slices"

	"github.com/hantei/hantei/engine/dice"
	"github.com/hantei/hantei/engine/grid"
	"github.com/hantei/hantei/engine/rule"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
)

// codedReaper are the rules of the Reaper that have code.
var codedReaper = []string{
	"PER-RPR-01", "PER-RPR-02", "PER-RPR-03", "PER-RPR-04", "PER-RPR-05", "PER-RPR-06", "PER-RPR-07", "PER-RPR-08", "PER-RPR-09",
}

func (g *game) registerReaper(r *rule.Ruleset) {
	rule.Register(r, rule.Action[*personav1.ResolveReaperBattle]{Rule: "PER-RPR-07", Group: groupDungeon, GM: true, Table: true, Offers: g.offerResolveReaperBattle, Valid: g.validResolveReaperBattle, Run: g.resolveReaperBattle})
	rule.RegisterPrompt(r, rule.Prompt[*personav1.ReaperJoin]{Valid: g.validReaperJoin, Settle: g.joinReaperBattle})
	rule.RegisterPrompt(r, rule.Prompt[*personav1.ReaperFleeDestination]{Valid: g.validReaperFleeDestination})
	rule.RegisterStep(r, g.reaperStep)
	rule.RegisterStep(r, func(c *rule.Ctx, _ string, s *personav1.ReaperContact) { g.contact(c, s.Floor, false) })
}

// reaper is what is kept of the Reaper of a floor, or nil.
func reaper(s *tablev1.State, floor int32) *personav1.Reaper {
	for _, r := range tableDetails(s).GetReapers() {
		if r.Floor == floor {
			return r
		}
	}
	return nil
}

// setReaper writes what is kept of the Reaper of a floor, changed by f.
func setReaper(s *tablev1.State, floor int32, f func(*personav1.Reaper)) *tablev1.Change {
	after := &personav1.Reaper{Floor: floor}
	proto.Merge(after, reaper(s, floor))
	f(after)
	return piece("", &personav1.Part{Part: &personav1.Part_Reapers{Reapers: after}})
}

// haunted are the floors on which a Reaper stands, from the lowest on.
func haunted(s *tablev1.State) []int32 {
	var out []int32
	for _, r := range tableDetails(s).GetReapers() {
		if r.Square != nil {
			out = append(out, r.Floor)
		}
	}
	return out
}

// reaperComes is the end of a round, at which a Reaper appears on the floors where the
// PCs have stayed for as long as they may (PER-RPR-01).
func (g *game) reaperComes(c *rule.Ctx) {
	var came []int32
	for _, floor := range occupied(&c.View) {
		r := reaper(c.State, floor)
		if spent(c.State, floor) < limitOf(c.State, floor).Limit || r.GetSquare() != nil || r.GetDefeated() && !c.Flag("reaper_respawn") {
			continue
		}
		g.reaperAppears(c, floor)
		came = append(came, floor)
	}
	g.sight(c, "PER-RPR-09")
	for _, floor := range came {
		g.contact(c, floor, true)
	}
}

// reaperAppears puts a Reaper on the passage nearest to a square that is rolled. The GM
// alone knows the dice, which tell the size of the floor too (PER-RPR-02).
func (g *game) reaperAppears(c *rule.Ctx, floor int32) {
	m := floorMap(c.State, floor)
	width, height := m.Size()
	roll := func(label string, sides int32) int32 {
		return c.RollFor(rule.GM, "reaper/"+label+"/"+text(floor), "", dice.Dice{Count: 1, Sides: sides})[0] - 1
	}
	at := grid.Cell{X: roll("x", width), Y: roll("y", height)}
	place := slices.MinFunc(m.Passages(), func(a, b grid.Cell) int { return int(a.Steps(at) - b.Steps(at)) }) // the first by row and column
	round := c.Encounter().Round
	c.Emit(c.Event(reaperAppeared, "PER-RPR-01", "").
		Number(fFloor, "", rule.Public, floor).
		Squares(fSquare, "", rule.GM, square(place, floor)).
		Trace(&typev1.TraceLine{Audience: rule.GM, Label: "nearest_passage", Rule: "PER-RPR-02"}).
		Change(
			setReaper(c.State, floor, func(r *personav1.Reaper) {
				r.Square, r.Since, r.Steps, r.Defeated = square(place, floor), round, 0, false
			}),
			piece("", &personav1.Part{Part: &personav1.Part_Sightings{Sightings: &personav1.Sighting{Floor: floor}}}),
		))
}

// reaperLeaves is a floor that nobody is left on: its Reaper goes (PER-RPR-08).
func (g *game) reaperLeaves(c *rule.Ctx, floor int32) {
	if reaper(c.State, floor).GetSquare() == nil {
		return
	}
	c.Change(reaperGone(c.State, floor, func(*personav1.Reaper) {})...)
	g.sight(c, "PER-RPR-08")
}

// reaperGone takes the Reaper of a floor away, but for the numbers under which it was
// known; f changes what is kept of it.
func reaperGone(s *tablev1.State, floor int32, f func(*personav1.Reaper)) []*tablev1.Change {
	return []*tablev1.Change{
		setReaper(s, floor, func(r *personav1.Reaper) {
			r.Square, r.Since, r.Steps = nil, 0, 0
			f(r)
		}),
		endPiece("", &personav1.Part{Part: &personav1.Part_Sightings{Sightings: &personav1.Sighting{Floor: floor}}}),
	}
}
