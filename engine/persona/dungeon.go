package persona

import (
	"github.com/hantei/hantei/engine/grid"
	"github.com/hantei/hantei/engine/rule"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

// codedDungeon are the rules of making dungeons that have code.
var codedDungeon = []string{"PER-DUN-07"}

func (g *game) registerDungeon(*rule.Ruleset) {}

// invalidDungeon reports whether a dungeon cannot be explored from a square. The
// validator says more; without a start on a passage nothing can begin.
func (g *game) invalidDungeon(_ *rule.View, d *personav1.Dungeon, start *typev1.Square, _ int) bool {
	for _, f := range d.GetFloors() {
		if start != nil && f.Number == start.Floor {
			return !grid.NewMap(f.Rows).Passage(cell(start))
		}
	}
	return true
}
