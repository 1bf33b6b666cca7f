package persona

import "github.com/hantei/hantei/engine/rule"

// codedGoods are the rules of macca, items and shops that have code.
var codedGoods []string

func (g *game) registerGoods(*rule.Ruleset) {}
