package persona

import "github.com/hantei/hantei/engine/rule"

func (g *game) registerGM(*rule.Ruleset) {}
