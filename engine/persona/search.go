package persona

import "github.com/hantei/hantei/engine/rule"

// codedSearch are the rules of searching that have code.
var codedSearch []string

func (g *game) registerSearch(*rule.Ruleset) {}
