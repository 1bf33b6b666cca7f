package persona

// trapTrigger are traps that go off when somebody moves onto their square.
func (g *game) trapTrigger() trigger { return trigger{kind: kindTrap} }
