package oracle

// Growth is what a growth roll brought.
type Growth struct {
	Rolls   []int // the growth roll with its rerolls
	Rerolls int   // how often growth_reroll was asked
	Gain    int
	Skill   int  // the skill afterwards
	Ninety  bool // ninety_san was asked
	SAN     int  // afterwards
}

// Grow rolls one mark of a kind on a skill (COC-GRW-02 to 04). again answers
// growth_reroll, add answers ninety_san; grown says that the skill has gone above 90
// before.
func (o Options) Grow(d Dice, kind string, skill, san, mythos int, grown bool, again func() bool, add func() bool) (g Growth) {
	g.Skill, g.SAN = skill, san
	sides := 10
	if kind != "critical" {
		result := Critical
		for {
			roll := d(100)
			g.Rolls = append(g.Rolls, roll)
			result = o.Check(Clamp(skill), roll)
			if result != Critical {
				break
			}
			g.Rerolls++ // COC-GRW-03
			if !again() {
				break
			}
		}
		if result.Succeeded() {
			if kind == "initial_success" {
				return g
			}
			sides = 3
		}
	}
	g.Gain = d(sides)
	g.Skill = skill + g.Gain
	if o.GrowthCap > 0 {
		g.Skill = max(skill, min(g.Skill, o.GrowthCap))
	}
	passed := skill <= 90 && g.Skill > 90 // COC-GRW-04
	if o.NinetyInclusive {
		passed = skill < 90 && g.Skill >= 90
	}
	if passed && !grown {
		g.Ninety = true
		if add() {
			g.SAN = Gain(san, mythos, d.sum(2, 6))
		}
	}
	return g
}
