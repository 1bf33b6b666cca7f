package persona

import (
	"slices"

	"github.com/hantei/hantei/engine/dice"
	"github.com/hantei/hantei/engine/effect"
	"github.com/hantei/hantei/engine/rule"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

func attackWord(t personav1.AttackType) string { return rule.Word(t, "ATTACK_TYPE_") }

// battleAttack makes the enemy's attack: the GM says how, then its power is rolled once
// for all whom it is aimed at (PER-SB-09, PER-SB-10).
func (g *game) battleAttack(c *rule.Ctx, _ string, _ *personav1.BattleAttack) {
	p := g.profile(c)
	b := battle(c.State)
	d := from(g.pack.baseDB, opponent(c.State).GetLevel())
	d.Count *= b.Enemies
	a := powerAudience(&c.View)
	power := effect.Begin("", a, "rolled", "PER-SB-09", total(c, a, "enemy_attack", "", d))
	if more := outnumbered(c.State); more > 0 {
		power.Add("numbers", "PER-SB-09", increased(power.Total(), more)-power.Total())
	}
	e := c.Event(enemyAttack, "PER-SB-09", "").On(p.Targets...).
		Number(fPower, "", a, power.Total()).
		Words(fType, "", rule.Public, attackWord(p.Type)).
		Words(fAttribute, "", rule.Public, p.Attribute).
		Trace(power.Trace()...).
		Change(setBattle(c.State, func(b *personav1.Battle) {
			b.Power, b.AttackType, b.Attribute = new(int32), p.Type, p.Attribute
			*b.Power = power.Total()
		}))
	for _, id := range p.Targets {
		e.Change(setInstance(c.State, id, func(i *personav1.Instance) { i.Receiver = id }))
	}
	c.Emit(e)
	c.Then("", &personav1.BattleReactions{})
}

// profile asks the GM how the enemy attacks: physically with its first specialty, at
// everybody, unless he says so (PER-SB-10).
func (g *game) profile(c *rule.Ctx) *personav1.EnemyAttackProfile {
	all := attributes(opponent(c.State))
	who := fighters(&c.View)
	usual := &personav1.EnemyAttackProfile{Type: personav1.AttackType_ATTACK_TYPE_PHYSICAL, Attribute: all[0]}
	targets := rule.CharacterInput("targets", "persona.enemy_attack_profile.targets", who)
	targets.MinCount, targets.MaxCount = 0, int32(len(who))
	ch := rule.Choice("profile", usual,
		optional(rule.ChoiceInput("type", "persona.enemy_attack_profile.type", []string{"physical", "magic"})),
		optional(rule.ChoiceInput("attribute", "persona.enemy_attack_profile.attribute", all)),
		targets)
	a := c.Ask(&rule.Window{
		Name: "enemy_attack_profile", Rule: "PER-SB-10", Kind: tablev1.WindowKind_WINDOW_KIND_ONE,
		Slots: []rule.Slot{{Choices: []*tablev1.PromptChoice{ch}, Default: "profile"}},
	})[0]
	said := rule.Unpack[*personav1.EnemyAttackProfile](a)
	p := &personav1.EnemyAttackProfile{Type: said.Type, Attribute: said.Attribute, Targets: inOrder(&c.View, said.Targets)}
	if p.Type == personav1.AttackType_ATTACK_TYPE_UNSPECIFIED {
		p.Type = usual.Type
	}
	if p.Attribute == "" {
		p.Attribute = usual.Attribute
	}
	if len(p.Targets) == 0 {
		p.Targets = fighters(&c.View)
	}
	return p
}

func (g *game) validEnemyAttackProfile(v *rule.View, _ *tablev1.Window, _ string, a *personav1.EnemyAttackProfile) *rule.Refusal {
	const field = "answer.persona.enemy_attack_profile."
	if battle(v.State) == nil {
		return nil // it is over
	}
	if all := attributes(opponent(v.State)); a.Attribute != "" && !slices.Contains(all, a.Attribute) {
		return invalid(field+"attribute").Say("choose_among", rule.Names("names", all...), rule.Sent("sent", a.Attribute)).Suggest(a.Attribute, all)
	}
	for _, id := range a.Targets {
		if who := fighters(v); !slices.Contains(who, id) {
			return rule.Refuse(whyInvalidTarget, "PER-SB-10", field+"targets").Suggest(id, who)
		}
	}
	return nil
}

// optional is an input that may be left out.
func optional(in *tablev1.Input) *tablev1.Input {
	in.MinCount = 0
	return in
}

// from are the dice of the row that holds for a value.
func from(rows []*diceRow, value int32) dice.Dice {
	out := rows[0].dice
	for _, r := range rows {
		if r.From <= value {
			out = r.dice
		}
	}
	return out
}

// outnumbered is by how many percent power rises where the enemies are more: what is
// aimed at all of the other side (PER-SB-09, PER-SB-14).
func outnumbered(s *tablev1.State) int32 {
	b := battle(s)
	return max(0, b.GetEnemies()-b.GetPcs()) * 50
}

// powerAudience is who may know the power of the enemy's attack and its dice (PER-SB-09).
func powerAudience(v *rule.View) typev1.Audience {
	if !v.Flag("reveal_enemy_power") {
		return rule.GM
	}
	return enemyDice(v)
}
