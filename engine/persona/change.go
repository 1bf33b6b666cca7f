package persona

import "github.com/hantei/hantei/engine/rule"

// codedChange are the rules of changing Personas that have code.
var codedChange []string

func (g *game) registerChange(*rule.Ruleset) {}
