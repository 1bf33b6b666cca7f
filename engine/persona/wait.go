package persona

import "github.com/hantei/hantei/engine/rule"

// codedWait are the rules of waiting that have code.
var codedWait = []string{"PER-WAIT-01"}

func (g *game) registerWait(*rule.Ruleset) {}

// waitsNoMore cancels the waiting of whoever cannot act any more.
func (g *game) waitsNoMore(*rule.Ctx, string) {}
