package persona

import (
	"slices"

	"github.com/hantei/hantei/engine/encounter"
	"github.com/hantei/hantei/engine/rule"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
)

// codedBattle are the rules of simple battles that have code.
var codedBattle = []string{
	"PER-SQ-05", "PER-MAC-05", "PER-MAC-09", "PER-SKL-01",
	"PER-SB-01", "PER-SB-02", "PER-SB-03", "PER-SB-04", "PER-SB-05", "PER-SB-06", "PER-SB-07", "PER-SB-08",
	"PER-SB-09", "PER-SB-10", "PER-SB-11", "PER-SB-12", "PER-SB-13", "PER-SB-14", "PER-SB-15", "PER-SB-16",
	"PER-SB-17", "PER-SB-18", "PER-SB-19", "PER-SB-20", "PER-SB-22", "PER-SB-23",
}

func (g *game) registerBattle(r *rule.Ruleset) {
	rule.RegisterPrompt(r, rule.Prompt[*personav1.BattleStartSkills]{Valid: g.validBattleStartSkills})
	rule.RegisterPrompt(r, rule.Prompt[*personav1.AmbushRepresentative]{Valid: g.validAmbushRepresentative})
	rule.RegisterPrompt(r, rule.Prompt[*personav1.MomotaroUse]{})
	rule.RegisterPrompt(r, rule.Prompt[*personav1.FleeVote]{})
	rule.RegisterPrompt(r, rule.Prompt[*personav1.FleeDestination]{Valid: g.validFleeDestination})
	rule.RegisterPrompt(r, rule.Prompt[*personav1.EnemyAttackProfile]{Valid: g.validEnemyAttackProfile})
	rule.RegisterPrompt(r, rule.Prompt[*personav1.Reaction]{Valid: g.validReaction})
	rule.RegisterPrompt(r, rule.Prompt[*personav1.CoverConsent]{})
	rule.RegisterPrompt(r, rule.Prompt[*personav1.Support]{Valid: g.validSupport})
	rule.RegisterPrompt(r, rule.Prompt[*personav1.HiroemonReward]{Valid: g.validHiroemonReward, Settle: g.takeHiroemonReward})
	rule.RegisterStep(r, g.battleStart)
	rule.RegisterStep(r, g.battleAmbush)
	rule.RegisterStep(r, g.battleFlee)
	rule.RegisterStep(r, g.battleAttack)
	rule.RegisterStep(r, g.battleReactions)
	rule.RegisterStep(r, g.battleSupport)
	rule.RegisterStep(r, g.battleDamage)
	rule.RegisterStep(r, g.battleEnd)
}

// battle is the simple battle that is going on, or nil.
func battle(s *tablev1.State) *personav1.Battle { return tableDetails(s).GetBattle() }

// opponent is whom the battle is against.
func opponent(s *tablev1.State) *personav1.Enemy {
	return featureOf(s, battle(s).GetFeature()).GetEnemy()
}

// setBattle writes the battle, changed by f.
func setBattle(s *tablev1.State, f func(*personav1.Battle)) *tablev1.Change {
	after := &personav1.Battle{}
	proto.Merge(after, battle(s))
	f(after)
	return piece("", &personav1.Part{Part: &personav1.Part_Battle{Battle: after}})
}

// combatant is what a participant has used, or nil.
func combatant(s *tablev1.State, who string) *personav1.Combatant {
	for _, c := range tableDetails(s).GetCombatants() {
		if c.Character == who {
			return c
		}
	}
	return nil
}

// setCombatant writes what a participant has used, changed by f.
func setCombatant(s *tablev1.State, who string, f func(*personav1.Combatant)) *tablev1.Change {
	after := &personav1.Combatant{Character: who}
	proto.Merge(after, combatant(s, who))
	f(after)
	return piece("", &personav1.Part{Part: &personav1.Part_Combatants{Combatants: after}})
}

// instance is the attack on a participant, or nil (PER-SB-11).
func instance(s *tablev1.State, of string) *personav1.Instance {
	for _, i := range tableDetails(s).GetInstances() {
		if i.Character == of {
			return i
		}
	}
	return nil
}

// setInstance writes the attack on a participant, changed by f.
func setInstance(s *tablev1.State, of string, f func(*personav1.Instance)) *tablev1.Change {
	after := &personav1.Instance{Character: of}
	proto.Merge(after, instance(s, of))
	f(after)
	return piece("", &personav1.Part{Part: &personav1.Part_Instances{Instances: after}})
}

// stands reports whether an attack was not brought to nothing.
func stands(i *personav1.Instance) bool { return i != nil && i.NullifiedBy == "" }

// fighters are the participants who can act, by their order in the party.
func fighters(v *rule.View) []string {
	var out []string
	for _, id := range battle(v.State).GetCharacters() {
		if able(v.Character(id)) {
			out = append(out, id)
		}
	}
	return out
}

// joins reports whether somebody takes part in a battle on his square: PCs, and NPCs
// whom the GM counts among them, as far as they can act (PER-SB-01, PER-MOVE-02).
func joins(c *tablev1.Character) bool {
	return able(c) && (isPC(c) || details(c).GetUser().GetCountsAsPc())
}

// startBattle begins a simple battle with an enemy (PER-SB-01): how many they are on
// both sides is fixed now, and what is told of the enemy becomes known.
func (g *game) startBattle(c *rule.Ctx, a *personav1.Arrive, f *personav1.Feature) []proto.Message {
	who := on(&c.View, f.Square, joins)
	for _, k := range knowers(&c.View, who) {
		if before := knownAs(c.State, k, f.Id); before.GetDetail() < data {
			_, changes := g.disclosure(c.State, k, featureOf(c.State, f.Id), data)
			c.Change(changes...)
		}
	}
	e := c.Event(battleStarted, "PER-SB-01", "").On(who...).Squares(fSquare, "", rule.Public, f.Square)
	for _, k := range knowers(&c.View, who) {
		for _, fact := range g.enemyData(f.GetEnemy(), k.audience) {
			fact.Of = k.of
			addFacts(e, []*typev1.Fact{fact})
		}
	}
	e.Characters(fParticipants, "", rule.Public, who...).
		Change(setBattle(c.State, func(b *personav1.Battle) {
			b.Square, b.Feature, b.Characters = f.Square, proto.Int32(f.Id), who
			b.Pcs, b.Enemies = int32(len(who)), f.GetEnemy().Count
		}))
	for _, id := range who {
		e.Change(setCombatant(c.State, id, func(b *personav1.Combatant) {
			if i := slices.Index(a.Characters, id); i >= 0 && i < len(a.From) {
				b.From = a.From[i]
			}
		}))
	}
	c.Emit(e.Change(rule.SetEncounter(encounter.With(c.Encounter(), func(e *tablev1.Encounter) { e.Step = phaseBattle }))))
	return []proto.Message{&personav1.BattleStart{}}
}

// closeBattle takes what is kept of a battle away; the exploration goes on.
func closeBattle(s *tablev1.State) []*tablev1.Change {
	out := []*tablev1.Change{endPiece("", &personav1.Part{Part: &personav1.Part_Battle{Battle: battle(s)}})}
	for _, i := range tableDetails(s).GetInstances() {
		out = append(out, endPiece("", &personav1.Part{Part: &personav1.Part_Instances{Instances: &personav1.Instance{Character: i.Character}}}))
	}
	for _, b := range tableDetails(s).GetCombatants() {
		out = append(out, endPiece("", &personav1.Part{Part: &personav1.Part_Combatants{Combatants: &personav1.Combatant{Character: b.Character}}}))
	}
	return append(out, rule.SetEncounter(encounter.With(s.Encounter, func(e *tablev1.Encounter) { e.Step = phaseActive })))
}

// endBattle tells how the battle came out.
func (g *game) endBattle(c *rule.Ctx, id, result string) {
	c.Emit(c.Event(battleEnded, id, "").On(battle(c.State).Characters...).
		Words(fResult, "", rule.Public, result).
		Change(closeBattle(c.State)...))
}
