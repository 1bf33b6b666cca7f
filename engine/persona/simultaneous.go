package persona

import "github.com/hantei/hantei/engine/rule"

// together are a move with the movement hand, and those of the others of the turn who
// move at the same time.
func (g *game) together(_ *rule.Ctx, first step) []step { return []step{first} }
