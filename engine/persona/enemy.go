package persona

import (
	"slices"

	"github.com/hantei/hantei/engine/rule"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
)

// enemyTrigger are enemies, who are met when somebody moves onto their square, if
// there is a PC to meet them (PER-SQ-05, PER-MOVE-02).
func (g *game) enemyTrigger() trigger {
	return trigger{
		kind: kindEnemy,
		fires: func(v *rule.View, a *personav1.Arrive, _ *personav1.Feature) bool {
			return !a.EventsOnly && len(on(v, a.Square, ablePC)) > 0
		},
		run: g.startBattle,
	}
}

// attributes are what an enemy can attack with: those of its specialties that are
// attributes of attacks, almighty if there is none (PER-SB-10).
func attributes(e *personav1.Enemy) []string {
	var out []string
	for _, s := range e.GetSpecialties() {
		if slices.Contains(attackWords, s) {
			out = append(out, s)
		}
	}
	if len(out) == 0 {
		return []string{"almighty"}
	}
	return out
}
