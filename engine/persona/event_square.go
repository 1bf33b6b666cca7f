package persona

// eventTrigger are events of the scenario that begin when somebody enters their square.
func (g *game) eventTrigger() trigger { return trigger{kind: kindEvent} }
