package persona

import (
	"slices"

	"github.com/hantei/hantei/engine/effect"
	"github.com/hantei/hantei/engine/rule"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

// searchSkill is what a skill to search with finds (PER-SKL-05 to 08). Traps and events
// are found by none.
type searchSkill struct {
	skill, id string
	kinds     []string
	detail    tablev1.MarkDetail
	// halved has half of the Persona skill be checked.
	halved bool
}

var searchSkills = []searchSkill{
	{skill: "enemy_search", id: "PER-SKL-05", kinds: []string{kindEnemy}, detail: data},
	{skill: skTreasureSearch, id: "PER-SKL-06", kinds: []string{kindItem}, detail: data},
	{skill: "fairy_passage", id: "PER-SKL-07", kinds: []string{kindStairs, kindWarp}, detail: presence},
	{skill: "clairvoyance", id: "PER-SKL-08", kinds: []string{kindStairs, kindWarp, kindItem, kindEnemy}, detail: data, halved: true},
	{skill: "grand_clairvoyance", id: "PER-SKL-08", kinds: []string{kindStairs, kindWarp, kindItem, kindEnemy}, detail: data},
}

// skTreasureSearch finds items in a dungeon, and treasure outside of one.
const skTreasureSearch = "treasure_search"

// sense is a skill to search with: a check of the Persona skill, and with success what
// it finds around the square of whose hand is spent. A skill of which the rules know
// nothing more is the check alone.
func (g *game) sense(c *rule.Ctx, u use) {
	i := slices.IndexFunc(searchSkills, func(s searchSkill) bool { return s.skill == u.row.ID })
	if i < 0 {
		g.personaCheck(c, "check", u.owner, "PER-SKL-01")
		return
	}
	s := searchSkills[i]
	radius := g.searchRadius(&c.View, c.Character(u.owner))
	target := personaTarget(c.Character(u.owner))
	if s.halved {
		target.Divide("halved", "PER-CHK-02", 2, "PER-CHK-03")
	}
	var found []finding
	if g.roll(c, check{label: "check", by: u.owner, name: kPersonaSkill, target: target, parts: radius.Trace(), id: s.id}) {
		hiddenDecides(c, "search")
		for _, at := range searchArea(&c.View, place(c.Character(u.lender)), radius.Total()) {
			for _, f := range featuresOn(c.State, at) {
				if slices.Contains(s.kinds, kindOf(f)) {
					found = append(found, finding{f, s.detail})
				}
			}
		}
	}
	g.tellFound(c, u.owner, s.id, nil, found)
}

// searchRadius is how far somebody searches with skills: two squares, and what he has
// used for it (PER-SKL-04).
func (g *game) searchRadius(v *rule.View, me *tablev1.Character) *effect.Value {
	radius := effect.Begin(me.Id, rule.Values, "radius", "PER-SKL-04", 2)
	for _, r := range g.pack.items {
		if r.Radius != 0 && effect.Has(v.State, me, r.ID) {
			radius.Add(r.ID, "PER-SKL-04", r.Radius)
		}
	}
	return radius
}

// searchArea are the squares within a radius around a centre, row after row; walls do
// not block (PER-SKL-04).
func searchArea(v *rule.View, centre *typev1.Square, radius int32) []*typev1.Square {
	within := floorMap(v.State, centre.GetFloor()).Within
	if v.Option("search_area_shape") == "diamond" {
		within = floorMap(v.State, centre.GetFloor()).WithinSteps
	}
	var out []*typev1.Square
	for _, n := range within(cell(centre), radius) {
		out = append(out, square(n, centre.GetFloor()))
	}
	return out
}
