package persona

import "github.com/hantei/hantei/engine/rule"

// codedBattle are the rules of simple battles that have code.
var codedBattle []string

func (g *game) registerBattle(*rule.Ruleset) {}
