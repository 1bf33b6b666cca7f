package coc

import (
	"slices"
	"strconv"

	"github.com/hantei/hantei/engine/effect"
	"github.com/hantei/hantei/engine/encounter"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
)

// The sequence of a fight (COC-CMB-01): combat declaration, DEX check, then
// again and again round declaration, shooting, actions, round end, situation
// check. Each is a step of the agenda, and pushes the next.

// startCombat declares the fight (COC-CMB-02).
func (g *game) startCombat(c *rule.Ctx, _ string, a *cocv1.StartCombat) {
	c.Emit(c.Event(combatDeclared, "COC-CMB-02", "").On(a.Combatants...).
		Text(fNotes, "", rule.Public, a.Notes).
		Change(rule.SetEncounter(&tablev1.Encounter{Roster: a.Combatants, Step: stepDeclared, Notes: a.Notes})))
	for _, p := range a.Positions {
		c.Change(rule.SetPosition(p.Character, p.Square, rule.Public))
	}
	for _, id := range a.Combatants {
		c.Change(piece(id, &cocv1.Part{Part: &cocv1.Part_Combat{Combat: &cocv1.Combat{DefCount: &cocv1.DefenceCount{}}}}))
	}
	g.tellStep(c, stepDeclared)
	c.Then("", &cocv1.DexCheck{}, &cocv1.RoundStart{})
}

func (g *game) validStartCombat(v *rule.View, _ string, a *cocv1.StartCombat) *rule.Refusal {
	const id, field = "COC-CMB-02", "action.coc.start_combat."
	if v.Encounter() != nil {
		return rule.Refuse(alreadyInCombat, id, "")
	}
	for i, who := range a.Combatants {
		if ch := v.Character(who); ch == nil || has(ch, stDead) || slices.Contains(a.Combatants[:i], who) {
			return rule.Refuse(badTarget, id, field+"combatants").Suggest(who, v.CharacterIDs())
		}
	}
	for _, who := range a.Combatants {
		if v.Character(who).Review != tablev1.Review_REVIEW_APPROVED {
			return rule.Refuse(notApproved, "COC-CRE-11", field+"combatants").Name(who)
		}
	}
	if len(a.Positions) == 0 {
		return nil
	}
	if len(a.Positions) != len(a.Combatants) {
		return rule.Refuse(badPosition, id, field+"positions")
	}
	for i, p := range a.Positions {
		if !slices.Contains(a.Combatants, p.Character) {
			return rule.Refuse(badPosition, id, field+"positions")
		}
		for _, q := range a.Positions[:i] {
			if p.Character == q.Character || proto.Equal(p.Square, q.Square) {
				return rule.Refuse(badPosition, id, field+"positions")
			}
		}
	}
	return nil
}

func (g *game) offerStartCombat(v *rule.View, _ string) []*tablev1.Offer {
	if v.Encounter() != nil {
		return nil
	}
	o := rule.NewOffer(&cocv1.StartCombat{}, nil, "start_combat")
	o.Form = true
	return []*tablev1.Offer{o}
}

// tellStep tells that the fight goes on to the next step of the sequence.
func (g *game) tellStep(c *rule.Ctx, step string) {
	e := encounter.With(c.Encounter(), func(e *tablev1.Encounter) { e.Step, e.Turn, e.Pointer = step, nil, 0 })
	c.Emit(c.Event(stepChanged, "COC-CMB-01", "").Words(fStep, "", rule.Public, step).Change(rule.SetEncounter(e)))
}

// dexCheck settles the order for the whole fight (COC-CMB-03).
func (g *game) dexCheck(c *rule.Ctx, _ string, _ *cocv1.DexCheck) {
	g.tellStep(c, stepDexCheck)
	order := slices.Clone(c.Encounter().Roster)
	slices.SortStableFunc(order, func(a, b string) int { return int(stat(c.Character(b), kDEX) - stat(c.Character(a), kDEX)) })
	for from := 0; from < len(order); {
		to := from + 1
		for to < len(order) && stat(c.Character(order[to]), kDEX) == stat(c.Character(order[from]), kDEX) {
			to++
		}
		g.breakTie(c, order[from:to], 1)
		from = to
	}
	e := encounter.With(c.Encounter(), func(e *tablev1.Encounter) { e.Order = order })
	c.Emit(c.Event(initiativeSet, "COC-CMB-03", "").Characters(fOrder, "", rule.Public, order...).Change(rule.SetEncounter(e)))
}

// breakTie puts those of equal DEX in the order of a die, the smallest first.
// Whose dice are equal roll again among themselves and keep their place against
// the others.
func (g *game) breakTie(c *rule.Ctx, tied []string, throw int) {
	if len(tied) < 2 {
		return
	}
	type die struct {
		who  string
		face int32
	}
	dice := make([]die, len(tied))
	for i, who := range tied {
		dice[i] = die{who, c.Percentile("initiative/"+who+"/"+strconv.Itoa(throw), who)}
	}
	c.Tell("COC-CMB-03", "initiative")
	slices.SortStableFunc(dice, func(a, b die) int { return int(a.face - b.face) })
	for i, d := range dice {
		tied[i] = d.who
	}
	for from := 0; from < len(dice); {
		to := from + 1
		for to < len(dice) && dice[to].face == dice[from].face {
			to++
		}
		g.breakTie(c, tied[from:to], throw+1)
		from = to
	}
}

// roundStart declares a round (COC-CMB-04): what is counted by rounds begins
// anew or ends, then the fallen and the disarmed roll.
func (g *game) roundStart(c *rule.Ctx, _ string, _ *cocv1.RoundStart) {
	g.tellStep(c, stepRoundDeclared)
	e := encounter.With(c.Encounter(), func(e *tablev1.Encounter) { e.Round++ })
	clock := table.Clock(c.State, typev1.Clock_CLOCK_ROUND) + 1
	c.Change(rule.SetClock(typev1.Clock_CLOCK_ROUND, clock))
	for _, id := range e.Order {
		c.Change(g.freshRound(c, c.Character(id))...)
	}
	c.Emit(c.Event(roundDeclared, "COC-CMB-04", "").Number(fRound, "", rule.Public, e.Round).Change(rule.SetEncounter(e)))
	for _, id := range e.Order {
		g.getUp(c, id)
	}
	g.tellStep(c, stepShooting)
	c.Then("", &cocv1.NextTurn{})
}

// freshRound is what the begin of a round does to one combatant.
func (g *game) freshRound(c *rule.Ctx, ch *tablev1.Character) []*tablev1.Change {
	keep := details(ch).GetCombat().GetDefCount()
	if keep == nil || c.Option("defence_chain_reset") == "round" {
		keep = &cocv1.DefenceCount{}
	}
	var out []*tablev1.Change
	if fresh := (&cocv1.Combat{DefCount: keep}); !proto.Equal(fresh, details(ch).GetCombat()) {
		out = append(out, piece(ch.Id, &cocv1.Part{Part: &cocv1.Part_Combat{Combat: fresh}}))
	}
	for _, s := range ch.Statuses {
		if effect.Past(c.State, s.Duration) {
			out = append(out, rule.EndStatus(ch.Id, s))
		}
	}
	for _, m := range ch.Modifiers {
		if effect.Past(c.State, m.Duration) {
			out = append(out, rule.EndModifier(ch.Id, m))
		}
	}
	now := table.Clock(c.State, typev1.Clock_CLOCK_ROUND)
	for _, w := range details(ch).GetWeapons() {
		usable := w.State == cocv1.WeaponState_WEAPON_STATE_UNUSABLE && w.UnusableUntil > 0 && w.UnusableUntil < now
		if !usable && w.Ready == w.InHand {
			continue
		}
		out = append(out, setWeapon(ch.Id, w, func(w *cocv1.Weapon) {
			w.Ready = w.InHand
			if usable {
				w.State, w.UnusableUntil = cocv1.WeaponState_WEAPON_STATE_OK, 0
			}
		}))
	}
	return out
}

// nextTurn gives the turn to the next combatant of the step (COC-CMB-05,
// COC-CMB-06), or goes on to the next step.
func (g *game) nextTurn(c *rule.Ctx, _ string, _ *cocv1.NextTurn) {
	e := c.Encounter()
	if e == nil {
		return
	}
	id := "COC-CMB-06"
	can := func(who string) bool { return conscious(c.Character(who)) }
	if e.Step == stepShooting {
		id = "COC-CMB-05"
		can = func(who string) bool { return g.mayShoot(&c.View, who) }
	}
	who, pointer := encounter.Next(e, can)
	switch {
	case who != "":
		e = encounter.With(e, func(e *tablev1.Encounter) { e.Turn, e.Pointer = []string{who}, pointer })
		c.Emit(c.Event(turnStarted, id, who).Change(rule.SetEncounter(e)))
	case e.Step == stepShooting:
		g.tellStep(c, stepActions)
		c.Then("", &cocv1.NextTurn{})
	default:
		c.Then("", &cocv1.RoundEnd{})
	}
}

// mayShoot reports whether a combatant gets a turn in the shooting step.
func (g *game) mayShoot(v *rule.View, who string) bool {
	me := v.Character(who)
	if refusal := g.mayAct(v, me, "COC-CMB-05"); refusal != nil {
		return false
	}
	for _, w := range details(me).GetWeapons() {
		if g.template(w).firearm() && usable(w) && w.Ready {
			return true
		}
	}
	return false
}

// roundEnd ends the round (COC-CMB-07).
func (g *game) roundEnd(c *rule.Ctx, _ string, _ *cocv1.RoundEnd) {
	g.tellStep(c, stepRoundEnd)
	for _, id := range c.Encounter().Order {
		ch := c.Character(id)
		if has(ch, stDying) && details(ch).GetHealth().GetDeathRound() <= c.Encounter().Round {
			g.die(c, ch, "death_round")
		}
	}
	for _, id := range c.Encounter().Order {
		me := c.Character(id)
		if until := details(me).GetInsanity().GetUntil(); until > 0 && until <= g.nowRound(c) && !has(me, stDead) {
			g.endInsanity(c, id, "COC-SAN-04", false, 0)
		}
	}
	c.Emit(c.Event(roundEnded, "COC-CMB-07", "").Number(fRound, "", rule.Public, c.Encounter().Round))
	c.Then("", &cocv1.SituationCheck{})
}

// situationCheck asks the keeper whether the fight goes on (COC-CMB-08).
func (g *game) situationCheck(c *rule.Ctx, _ string, _ *cocv1.SituationCheck) {
	g.tellStep(c, stepStatusCheck)
	winner, over := g.decided(c)
	def := "continue"
	if over {
		def = "end"
	}
	a := c.Ask(&rule.Window{
		Name: "combat_continues", Rule: "COC-CMB-08", Kind: oneSeat,
		Slots: []rule.Slot{{Default: def, Choices: []*tablev1.PromptChoice{
			rule.Choice("continue", &cocv1.CombatContinues{Continue: true}),
			rule.Choice("end", &cocv1.CombatContinues{}),
		}}},
	})[0]
	if cocAnswer(a).GetCombatContinues().GetContinue() {
		c.Then("", &cocv1.RoundStart{})
		return
	}
	if !over {
		winner = "ended"
	}
	c.Then("", &cocv1.CombatEnd{Result: winner})
}

// decided reports whether at most one side has a conscious member, and which.
func (g *game) decided(c *rule.Ctx) (string, bool) {
	standing, somebody := "none", false
	for _, id := range c.Encounter().Roster {
		ch := c.Character(id)
		if !conscious(ch) || somebody && ch.Side == standing {
			continue
		}
		if somebody {
			return "", false
		}
		standing, somebody = ch.Side, true
	}
	return standing, true
}

func (g *game) endCombat(c *rule.Ctx, _ string, _ *cocv1.EndCombat) {
	c.Then("", &cocv1.CombatEnd{Result: "ended"})
}

func (g *game) validEndCombat(v *rule.View, _ string, _ *cocv1.EndCombat) *rule.Refusal {
	if v.Encounter() == nil {
		return rule.Refuse(notYourTurn, "COC-CMB-08", "")
	}
	return nil
}

func (g *game) offerEndCombat(v *rule.View, _ string) []*tablev1.Offer {
	if v.Encounter() == nil {
		return nil
	}
	return []*tablev1.Offer{rule.NewOffer(&cocv1.EndCombat{}, nil, "end_combat")}
}

// combatEnd ends the fight (COC-CMB-08): what belongs to it is cleared, then the
// dying are settled in roster order.
func (g *game) combatEnd(c *rule.Ctx, _ string, s *cocv1.CombatEnd) {
	roster := c.Encounter().Roster
	e := c.Event(combatEnded, "COC-CMB-08", "").Words(fResult, "", rule.Public, s.Result).Change(rule.EndEncounter())
	for _, id := range roster {
		e.Change(g.clearCombat(c.Character(id))...)
	}
	c.Emit(e)
	for _, id := range roster {
		if has(c.Character(id), stDying) {
			g.settleDying(c, id)
		}
	}
}

// combatStatuses are those that end with the fight.
var combatStatuses = []string{stDedicatedDodge, stDedicatedParry, stKnockedDown, stLocked, stRelief, stRestriction, stWeaponDropped}

// clearCombat is what the end of a fight does to one combatant: dropped weapons
// are in hand again, what was unusable can be used; broken stays broken.
func (g *game) clearCombat(ch *tablev1.Character) []*tablev1.Change {
	var out []*tablev1.Change
	if details(ch).GetCombat() != nil {
		out = append(out, piece(ch.Id, &cocv1.Part{Part: &cocv1.Part_Combat{Combat: &cocv1.Combat{}}}))
	}
	if ch := outOfRounds(ch); ch != nil {
		out = append(out, ch)
	}
	for _, key := range combatStatuses {
		if s := table.Status(ch, key); s != nil {
			out = append(out, rule.EndStatus(ch.Id, s))
		}
	}
	for _, m := range ch.Modifiers {
		if m.Duration != nil {
			out = append(out, rule.EndModifier(ch.Id, m))
		}
	}
	for _, w := range details(ch).GetWeapons() {
		if w.State != cocv1.WeaponState_WEAPON_STATE_DROPPED && w.State != cocv1.WeaponState_WEAPON_STATE_UNUSABLE {
			continue
		}
		out = append(out, setWeapon(ch.Id, w, func(w *cocv1.Weapon) {
			w.InHand = w.InHand || w.State == cocv1.WeaponState_WEAPON_STATE_DROPPED
			w.State, w.UnusableUntil = cocv1.WeaponState_WEAPON_STATE_OK, 0
		}))
	}
	return out
}
