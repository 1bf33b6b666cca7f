package persona

import (
	"slices"

	"github.com/hantei/hantei/engine/rule"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
)

// battleEnd ends a battle: won if one of the participants can still act (PER-SB-22),
// else lost (PER-SB-23).
func (g *game) battleEnd(c *rule.Ctx, _ string, _ *personav1.BattleEnd) {
	if len(fighters(&c.View)) > 0 {
		g.win(c)
		return
	}
	who := battle(c.State).Characters
	g.endBattle(c, "PER-SB-23", "defeat")
	for _, id := range who {
		if me := c.Character(id); me != nil && !has(me, stUnconscious) {
			c.Emit(c.Event(statusGained, "PER-SB-23", id).
				Words(fStatus, "", rule.Public, stUnconscious).
				Change(rule.SetStatus(id, g.status(stUnconscious, nil))))
		}
	}
}

// win takes the enemy away and notes the rewards, which are paid at the end of the
// session (PER-SB-22). Then Hiroemon may come (PER-MAC-05).
func (g *game) win(c *rule.Ctx) {
	b, enemy := battle(c.State), opponent(c.State)
	f := featureOf(c.State, b.GetFeature())
	g.endBattle(c, "PER-SB-22", "victory")
	if f != nil {
		g.remove(c, f, "PER-SQ-05", "beaten")
	}
	exp, macca := enemy.GetLevel()*b.Enemies, enemy.GetLevel()*b.Enemies*2
	if c.Option("reward_split") == "pool" {
		exp, macca = exp/b.Pcs, macca/b.Pcs
	}
	for _, id := range b.Characters {
		me := c.Character(id)
		if me == nil {
			continue
		}
		p := details(me).GetPending()
		after := &personav1.Pending{Exp: p.GetExp() + exp, Macca: p.GetMacca() + macca}
		c.Emit(c.Event(rewardsPending, "PER-SB-22", id).
			Number(fExp, "", rule.Values, exp).
			Number(fMacca, "", rule.Values, macca).
			Change(piece(id, &personav1.Part{Part: &personav1.Part_Pending{Pending: after}})))
	}
	g.hiroemon(c, slices.Clone(b.Characters))
}
