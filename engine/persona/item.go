package persona

import "github.com/hantei/hantei/engine/rule"

// codedItems are the rules of using items that have code.
var codedItems []string

func (g *game) registerItems(*rule.Ruleset) {}
