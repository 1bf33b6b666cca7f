package persona

import "github.com/hantei/hantei/engine/rule"

// codedSkills are the rules of using skills of a Persona that have code.
var codedSkills []string

func (g *game) registerSkills(*rule.Ruleset) {}
