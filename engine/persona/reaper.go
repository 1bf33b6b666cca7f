package persona

import (
	"github.com/hantei/hantei/engine/rule"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
)

// codedReaper are the rules of the Reaper that have code.
var codedReaper []string

func (g *game) registerReaper(*rule.Ruleset) {}

// reaperComes is the end of a round, at which a Reaper may appear.
func (g *game) reaperComes(*rule.Ctx) {}

// meetReaper is an arrival where a Reaper may stand, after all that goes off there.
func (g *game) meetReaper(*rule.Ctx, *personav1.Arrive) {}

// reaperLeaves is a floor that nobody is left on: its Reaper goes (PER-RPR-08).
func (g *game) reaperLeaves(*rule.Ctx, int32) {}
