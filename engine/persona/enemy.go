package persona

// enemyTrigger are enemies, who are met when somebody moves onto their square.
func (g *game) enemyTrigger() trigger { return trigger{kind: kindEnemy} }
