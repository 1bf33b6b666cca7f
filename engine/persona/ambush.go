package persona

import (
	"slices"

	"github.com/hantei/hantei/engine/effect"
	"github.com/hantei/hantei/engine/rule"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

// Skills that take effect in a battle by themselves (section 6.7).
const (
	skMomotaro  = "momotaro"
	skVigilance = "vigilance"
	skHiroemon  = "hiroemon"
)

// Results of an ambush, as words.
func ambushWord(r personav1.AmbushResult) string { return rule.Word(r, "AMBUSH_RESULT_") }

// battleAmbush rolls who has surprised whom (PER-SB-02, PER-SB-03): the most agile for
// the PCs, then the enemy. A holder of Momotaro may undo the enemy's ambush before the
// result stands (PER-SB-06).
func (g *game) battleAmbush(c *rule.Ctx, _ string, _ *personav1.BattleAmbush) {
	if len(fighters(&c.View)) == 0 {
		c.Then("", &personav1.BattleEnd{})
		return
	}
	rep := g.representative(c)
	ally := g.roll(c, check{label: "ambush/pc", by: rep, name: "ambush", target: g.surprise(&c.View, rep), told: levelAudience(&c.View), id: "PER-SB-02"})
	enemy := g.enemyCheck(c, rep)
	result := ambushResult(ally, enemy)
	if result == personav1.AmbushResult_AMBUSH_RESULT_ENEMY_AMBUSH && g.momotaro(c) {
		result = personav1.AmbushResult_AMBUSH_RESULT_NORMAL
	}
	e := c.Event(ambushResolved, "PER-SB-03", "").
		Words(fResult, "", rule.Public, ambushWord(result)).
		Words(fAlly, "", rule.Public, successWord(ally)).
		Words(fEnemy, "", rule.Public, successWord(enemy)).
		Change(setBattle(c.State, func(b *personav1.Battle) { b.Result = result }))
	for _, id := range battle(c.State).Characters {
		n, why := reactions(&c.View, id, result)
		e.Trace(effect.Begin(id, rule.Public, "reactions", why, n).Trace()...).
			Change(setCombatant(c.State, id, func(b *personav1.Combatant) { b.ReactionsLeft = n }))
	}
	c.Emit(e)
	if result == personav1.AmbushResult_AMBUSH_RESULT_ALLY_AMBUSH {
		c.Then("", &personav1.BattleFlee{})
		return
	}
	c.Then("", &personav1.BattleAttack{})
}

// ambushResult is who has surprised whom by both checks (PER-SB-03).
func ambushResult(ally, enemy bool) personav1.AmbushResult {
	switch {
	case ally && !enemy:
		return personav1.AmbushResult_AMBUSH_RESULT_ALLY_AMBUSH
	case enemy && !ally:
		return personav1.AmbushResult_AMBUSH_RESULT_ENEMY_AMBUSH
	}
	return personav1.AmbushResult_AMBUSH_RESULT_NORMAL
}

// reactions is how often somebody may dodge, intercept or support, and by which rule:
// once, twice in an ally ambush, in an enemy ambush only with Vigilance.
func reactions(v *rule.View, who string, result personav1.AmbushResult) (int32, string) {
	switch result {
	case personav1.AmbushResult_AMBUSH_RESULT_ALLY_AMBUSH:
		return 2, "PER-SB-04"
	case personav1.AmbushResult_AMBUSH_RESULT_ENEMY_AMBUSH:
		if hasSkill(v.Character(who), skVigilance) {
			return 1, "PER-SB-07"
		}
		return 0, "PER-SB-05"
	}
	return 1, "PER-SB-11"
}

// representative is the participant with the highest agility; those who are equal say
// who it is (PER-SB-02).
func (g *game) representative(c *rule.Ctx) string {
	var best []string
	most := int32(0)
	for _, id := range fighters(&c.View) {
		n := g.agility(&c.View, c.Character(id)).Total()
		switch {
		case len(best) == 0 || n > most:
			best, most = []string{id}, n
		case n == most:
			best = append(best, id)
		}
	}
	if len(best) == 1 {
		return best[0]
	}
	w := &rule.Window{
		Name: "ambush_representative", Rule: "PER-SB-02", Kind: tablev1.WindowKind_WINDOW_KIND_FIRST_TAKER,
		Takes: func(*tablev1.Answer) bool { return true },
	}
	for _, id := range best {
		s := rule.Slot{Character: id, Default: best[0]}
		for _, one := range best {
			s.Choices = append(s.Choices, rule.Choice(one, &personav1.AmbushRepresentative{Character: one}))
		}
		w.Slots = append(w.Slots, s)
	}
	for _, a := range c.Ask(w) {
		if a != nil {
			return rule.Unpack[*personav1.AmbushRepresentative](a).Character
		}
	}
	return best[0]
}

func (g *game) validAmbushRepresentative(v *rule.View, w *tablev1.Window, _ string, a *personav1.AmbushRepresentative) *rule.Refusal {
	if !slices.ContainsFunc(w.Slots, func(s *tablev1.Slot) bool { return s.Character == a.Character }) {
		return rule.Refuse(whyInvalidTarget, "PER-SB-02", "answer.persona.ambush_representative.character").
			Suggest(a.Character, battle(v.State).GetCharacters())
	}
	return nil
}

// surprise is the target of the PCs' check: 50, ten for each by whom they are more,
// agility, less the enemy's level (PER-SB-02).
func (g *game) surprise(v *rule.View, rep string) *effect.Value {
	b := battle(v.State)
	return effect.Begin(rep, levelAudience(v), "base", "PER-SB-02", 50).
		Add("numbers", "PER-SB-02", (b.Pcs-b.Enemies)*10).
		Add("agility", "PER-CHK-05", g.agility(v, v.Character(rep)).Total()).
		Add("enemy_level", "PER-SB-02", -opponent(v.State).GetLevel())
}

// enemyCheck is the enemy's check against that PC (PER-SB-02). Its target tells his
// agility, so it is for those who may see that.
func (g *game) enemyCheck(c *rule.Ctx, rep string) bool {
	b := battle(c.State)
	target := effect.Begin(rep, levelAudience(&c.View), "base", "PER-SB-02", 50).
		Add("numbers", "PER-SB-02", (b.Enemies-b.Pcs)*10).
		Add("enemy_level", "PER-SB-02", opponent(c.State).GetLevel()).
		Add("agility", "PER-CHK-05", -g.agility(&c.View, c.Character(rep)).Total())
	a := enemyDice(&c.View)
	die := c.ThrowFor(a, "ambush/enemy", "", 100)
	ok := succeeds(&c.View, die, target.Total())
	c.Emit(c.Event(checkRolled, "PER-SB-02", "").
		Words(fName, "", rule.Public, "ambush").
		Number(fTarget, rep, levelAudience(&c.View), target.Total()).
		Die(fRoll, "", a, die).
		Words(fSuccess, "", rule.Public, successWord(ok)).
		Trace(target.Trace()...))
	return ok
}

// levelAudience is who may see a number that tells the level of the enemy: whoever sees
// the sheet of who rolls. Where each knows for himself it is he alone, since others do not
// know the enemy (PER-HID-01).
func levelAudience(v *rule.View) typev1.Audience {
	if partyKnows(v) {
		return rule.Values
	}
	return rule.Owner
}

// enemyDice is who may see the dice of enemies: they are nobody's sheet, so the option
// npc_dice is read here.
func enemyDice(v *rule.View) typev1.Audience {
	if v.Option("npc_dice") == "hidden" {
		return rule.GM
	}
	return rule.Public
}

// momotaro asks the holders, one after the other, until one has undone the ambush by a
// check of the Persona skill; each tries once (PER-SB-06).
func (g *game) momotaro(c *rule.Ctx) bool {
	for _, id := range fighters(&c.View) {
		if !hasSkill(c.Character(id), skMomotaro) {
			continue
		}
		a := c.Ask(&rule.Window{
			Name: "momotaro_use", Rule: "PER-SB-06", Kind: tablev1.WindowKind_WINDOW_KIND_ONE,
			Slots: []rule.Slot{{Character: id, Default: "no", Choices: []*tablev1.PromptChoice{
				rule.Choice("yes", &personav1.MomotaroUse{Use: true}), rule.Choice("no", &personav1.MomotaroUse{}),
			}}},
		})[0]
		if rule.Unpack[*personav1.MomotaroUse](a).Use && g.personaCheck(c, "momotaro/"+id, id, "PER-SB-06") {
			return true
		}
	}
	return false
}
