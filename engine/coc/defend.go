package coc

import (
	"slices"

	"github.com/hantei/hantei/engine/effect"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

// Kinds of defence.
const (
	dodge = cocv1.DefenceKind_DEFENCE_KIND_DODGE
	parry = cocv1.DefenceKind_DEFENCE_KIND_PARRY
)

// defence is how the struck person defended; the zero value is no defence, with
// a grade that never helps.
type defence struct {
	rolled
	kind   cocv1.DefenceKind
	weapon string // of a parry
}

// defend asks the struck person for a defence and rolls it (COC-ATK-01, steps 3
// and 4).
func (g *game) defend(c *rule.Ctx, s *strike, struck string) defence {
	none := defence{rolled: rolled{grade: failure}}
	if !conscious(c.Character(struck)) || !mayBeDefended(c, s, struck) {
		return none
	}
	choices := g.defences(&c.View, s, struck)
	notesBullet(c, s, struck, choices)
	a := cocAnswer(c.Ask(&rule.Window{
		Name: "defend", Rule: "COC-ATK-01", Kind: oneSeat, BecauseOf: s.by, About: struck,
		Facts: []*typev1.Fact{
			rule.WordFact(fWeapon, s.by, rule.Public, s.weapon),
			rule.WordFact(fResult, s.by, rule.Public, s.atk.grade.String()),
		},
		Slots: []rule.Slot{{Character: decider(c, struck), Default: "none", Choices: choices}},
	})[0]).GetDefend()
	d := defence{weapon: a.GetParry().GetWeapon()}
	switch {
	case a.GetDodge() != nil:
		d.kind = dodge
	case a.GetParry() != nil:
		d.kind = parry
	default:
		return none
	}
	if a.Dedicate {
		g.dedicated(c, struck, d.kind)
	}
	g.defenceRoll(c, struck, &d, a.UsePlus10)
	return d
}

// decider is who is asked for a character: nobody's, which is the keeper, where a
// symptom has him decide (COC-SAN-04).
func decider(c *rule.Ctx, who string) string {
	if has(c.Character(who), rule.GMDecides) {
		return ""
	}
	return who
}

// mayBeDefended reports whether this blow may be defended at all: of bullets only
// the first at a person in a round (COC-ATK-03, option dodge_bullets).
func mayBeDefended(c *rule.Ctx, s *strike, struck string) bool {
	if !s.row.firearm() {
		return true
	}
	switch c.Option("dodge_bullets") {
	case "none":
		return false
	case "first":
		return !details(c.Character(struck)).GetCombat().GetShotAt()
	}
	return true
}

// notesBullet keeps that a bullet opens a defence in this round.
func notesBullet(c *rule.Ctx, s *strike, struck string, choices []*tablev1.PromptChoice) {
	me := c.Character(struck)
	if !s.row.firearm() || details(me).GetCombat().GetShotAt() {
		return
	}
	for _, choice := range choices {
		if choice.Possible && choice.Id != "none" {
			c.Change(setCombat(me, func(x *cocv1.Combat) { x.ShotAt = true }))
			return
		}
	}
}

// defences are the choices of the prompt defend: those that are possible, and
// those that a lock or a fall forbids, with the reason. What can never parry this
// attack is not listed.
func (g *game) defences(v *rule.View, s *strike, struck string) []*tablev1.PromptChoice {
	me := v.Character(struck)
	dedicate := mayDedicate(me) == nil
	out := make([]*tablev1.PromptChoice, 0, 6)
	out = append(out, rule.Choice("none", &noDefence().a))
	// The choices share what they leave to fill in.
	var inputs []*tablev1.Input
	if dedicate {
		inputs = append(inputs, boolInput("dedicate", "coc.defend.dedicate"))
	}
	if has(me, stPlus10) {
		inputs = append(inputs, plus10Input("coc.defend"))
	}
	add := func(id string, x *defendRoom) {
		if refusal := g.mayDefend(v, me, s.row, &x.d); refusal != nil {
			out = append(out, rule.Barred(id, &x.a, refusal))
			return
		}
		out = append(out, rule.Choice(id, &x.a, inputs...))
	}
	add("dodge", dodgeDefence())
	for _, w := range details(me).GetWeapons() {
		if usable(w) && !s.row.firearm() && (s.row.natural() || !g.template(w).natural()) {
			add("parry."+w.Id, parryDefence(w.Id))
		}
	}
	return out
}

// validDefend refuses an answer, in the order of the specification.
func (g *game) validDefend(v *rule.View, w *tablev1.Window, character string, a *cocv1.Defend) *rule.Refusal {
	if character == "" {
		character = w.About // the keeper decides
	}
	me := v.Character(character)
	by := weaponOf(v.Character(w.BecauseOf), w.Facts[0].Words[0])
	return g.mayDefend(v, me, g.template(by), a)
}

func (g *game) mayDefend(v *rule.View, me *tablev1.Character, against *weaponRow, a *cocv1.Defend) *rule.Refusal {
	const field = "answers.answer.coc.defend."
	if a.GetDodge() == nil && a.GetParry() == nil {
		return nil
	}
	if id := restriction(v, me); id != "" && a.GetParry() != nil {
		return rule.Refuse(onlyDodge, id, field+"parry")
	}
	if refusal := g.restrained(me, doesParry); refusal != nil && a.GetParry() != nil {
		refusal.Field = field + "parry"
		return refusal
	}
	if effect.Has(v.State, me, stLocked) {
		return rule.Refuse(isLocked, "COC-DEF-04", "")
	}
	if p := a.GetParry(); p != nil {
		w := weaponOf(me, p.Weapon)
		if refusal := validWeapon(me, w, p.Weapon, field+"parry.weapon"); refusal != nil {
			return refusal
		}
		if against.firearm() || g.template(w).natural() && !against.natural() {
			return rule.Refuse(cannotParry, "COC-DEF-02", field+"parry.weapon")
		}
	}
	if a.Dedicate {
		refusal := mayDedicate(me)
		// Here the attack is tested before a dedication.
		if details(me).GetCombat().GetAttacksMade() > 0 {
			refusal = rule.Refuse(alreadyAttacked, "COC-DEF-05", "")
		}
		if refusal != nil {
			refusal.Field = field + "dedicate"
			return refusal
		}
	}
	return validRight(me, a.UsePlus10, field)
}

// defenceRoll rolls a dodge (COC-DEF-01) or parry (COC-DEF-02): halved for each
// roll before (COC-DEF-03), and locked afterwards if the value was low (COC-DEF-04).
func (g *game) defenceRoll(c *rule.Ctx, struck string, d *defence, plus10 bool) {
	me := c.Character(struck)
	skill, id := "dodge", "COC-DEF-01"
	if d.kind == parry {
		skill, id = g.template(weaponOf(me, d.weapon)).Skill, "COC-DEF-02"
	}
	value := skillValue(me, skill)
	relieved := effect.Has(c.State, me, stRelief)
	made := details(me).GetCombat().GetDefCount()
	isFirst := made.GetDodge()+made.GetParry() == 0 // of both, also where they are halved apart
	free := g.halve(c, me, d.kind, relieved, value)
	halved := value.Total()
	lock := halved <= 15 && !free && !g.exempt(c, me, skill, isFirst, value)
	if d.kind == dodge {
		restrictionPenalties(&c.View, me, value)
	}
	changes := g.flats(c, me, skill, value, plus10, 0)
	changes = append(changes, setCombat(me, func(x *cocv1.Combat) {
		if d.kind == dodge {
			x.DefCount.Dodge++
		} else {
			x.DefCount.Parry++
		}
	}))
	if relieved && table.Status(me, stRelief).Duration == nil {
		changes = append(changes, rule.EndStatus(struck, table.Status(me, stRelief))) // option crit_dodge_relief: next_roll
	}
	d.rolled = g.roll(c, check{
		label: "defence", by: struck, skill: skill, value: value, changes: changes, event: defenceRolled, id: id,
	}, func(e *rule.Event, _ rolled) {
		e.Words(fKind, "", rule.Public, kindWord(d.kind))
		if d.kind == parry {
			e.Words(fWeapon, "", rule.Public, d.weapon)
		}
	})
	if lock {
		g.lock(c, struck, d.event)
	}
	if d.kind == dodge && d.grade == critical {
		g.relieve(c, struck, d.event)
	}
}

// defencesBefore counts the defence rolls that halve this one.
func (g *game) defencesBefore(c *rule.Ctx, me *tablev1.Character, kind cocv1.DefenceKind) int32 {
	n := details(me).GetCombat().GetDefCount()
	switch {
	case c.Option("defence_halving") == "joint":
		return n.GetDodge() + n.GetParry()
	case kind == dodge:
		return n.GetDodge()
	}
	return n.GetParry()
}

// halve halves the value once for each defence roll before (COC-DEF-03). It
// reports whether the roll is free of halving and lock: the kind that one is
// dedicated to (COC-DEF-05), and after a critical dodge (COC-DEF-08).
func (g *game) halve(c *rule.Ctx, me *tablev1.Character, kind cocv1.DefenceKind, relieved bool, value *effect.Value) bool {
	switch {
	case has(me, dedicatedStatus(kind)):
		value.Note(dedicatedStatus(kind), "COC-DEF-05")
		return true
	case relieved:
		value.Note(stRelief, "COC-DEF-08")
		return true
	}
	for range g.defencesBefore(c, me, kind) {
		value.Divide("halved", "COC-DEF-03", 2, "COC-CHK-11")
	}
	return false
}

// exempt reports whether a low value does not lock (COC-DEF-06): the first
// defence of the chain by whoever's base dodge is 15 or less.
func (g *game) exempt(c *rule.Ctx, me *tablev1.Character, skill string, first bool, value *effect.Value) bool {
	if !first {
		return false
	}
	base := stat(me, kDEX)*2 <= 15
	if !base && c.Option("low_first_exempt") == "any_skill" {
		base = stat(me, skill) <= 15
	}
	if base {
		value.Note("low_base", "COC-DEF-06")
	}
	return base
}

// lock forbids defence for the rest of this round and lock_rounds more (COC-DEF-04).
func (g *game) lock(c *rule.Ctx, struck string, because int32) {
	more := c.Number("lock_rounds")
	if c.Flag("lock_counts_current") {
		more--
	}
	if more < 0 {
		return // not even the rest of this round
	}
	c.Emit(c.Event(defenceLocked, "COC-DEF-04", struck).
		Number(fUntil, "", rule.Public, c.Encounter().Round+more).
		Change(rule.SetStatus(struck, status(stLocked, effect.Rounds(c.State, 0, more)))).
		Because(because))
}

// relieve frees the defence rolls of the next round, or the next one, of halving
// and lock (COC-DEF-08).
func (g *game) relieve(c *rule.Ctx, struck string, because int32) {
	s := status(stRelief, nextRound(c.State, effect.Has(c.State, c.Character(struck), stRelief)))
	if c.Option("crit_dodge_relief") == "next_roll" {
		s.Duration = nil
	}
	c.Emit(c.Event(conditionGained, "COC-DEF-08", struck).
		Words(fCondition, "", rule.Public, stRelief).
		Change(rule.SetStatus(struck, s)).
		Because(because))
}

// parried takes the damage with the parrying weapon (COC-DEF-02). Where nothing
// can be lost, by a natural weapon or a critical (COC-DEF-08), no dice are thrown.
// db is false for a blow gone astray (COC-ATK-05).
func (g *game) parried(c *rule.Ctx, s strike, struck string, d defence, db bool) {
	n := c.Emit(c.Event(attackParried, "COC-DEF-02", s.by).On(struck).Words(fWeapon, struck, rule.Public, d.weapon).Because(d.event))
	w := weaponOf(c.Character(struck), d.weapon)
	if w.Durability == nil || d.grade == critical {
		return
	}
	amount := g.damage(c, s, struck, blow{multiply: 1, divide: 1, db: db, intoWeapon: true}, n)
	if amount == 0 {
		return
	}
	left := w.GetDurability() - amount
	e := c.Event(weaponChanged, "COC-DEF-02", struck).Words(fWeapon, "", rule.Public, d.weapon).Because(n)
	excess := int32(0)
	if left <= 0 {
		if c.Flag("parry_excess") {
			excess = max(0, -left-stat(c.Character(struck), kArmour))
			if excess > 0 {
				e.Number(fExcess, "", rule.HP, excess)
			}
		}
		e.Words(fState, "", rule.Public, "broken")
	}
	e.Number(fDurability, "", rule.Values, left)
	c.Emit(e.Change(setWeapon(struck, w, func(w *cocv1.Weapon) {
		w.Durability = &left
		if left <= 0 {
			w.State = cocv1.WeaponState_WEAPON_STATE_BROKEN
		}
	})))
	g.hurt(c, struck, excess, n)
}

// defenceFumble is what a fumbled defence costs (COC-DEF-09): a fall for a dodge;
// for a parry the weapon, or a penalty on the body part.
func (g *game) defenceFumble(c *rule.Ctx, struck string, d defence) {
	if d.kind == dodge {
		c.Emit(c.Event(conditionGained, "COC-DEF-09", struck).
			Words(fCondition, "", rule.Public, stKnockedDown).
			Change(rule.SetStatus(struck, status(stKnockedDown, nil))).
			Because(d.event))
		return
	}
	row := g.template(weaponOf(c.Character(struck), d.weapon))
	penalty := row.natural()
	if !penalty {
		a := cocAnswer(c.Ask(&rule.Window{
			Name: "parry_fumble", Rule: "COC-DEF-09", Kind: oneSeat, BecauseOf: struck, About: struck,
			Slots: []rule.Slot{{Default: "drop", Choices: []*tablev1.PromptChoice{
				rule.Choice("drop", &cocv1.ParryFumble{Choice: cocv1.ParryFumble_CHOICE_DROP}),
				rule.Choice("part_penalty", &cocv1.ParryFumble{Choice: cocv1.ParryFumble_CHOICE_PART_PENALTY}),
			}}},
		})[0]).GetParryFumble()
		penalty = a.GetChoice() == cocv1.ParryFumble_CHOICE_PART_PENALTY
	}
	if penalty {
		n := int32(-15)
		id := "part_penalty." + row.Part
		already := slices.ContainsFunc(c.Character(struck).Modifiers, func(m *typev1.Modifier) bool {
			return m.Id == id && effect.InForce(c.State, m.Duration)
		})
		c.Emit(c.Event(conditionGained, "COC-DEF-09", struck).
			Words(fCondition, "", rule.Public, "part_penalty").
			Words(fPart, "", rule.Public, row.Part).
			Change(rule.SetModifier(struck, &typev1.Modifier{
				Id: id, Rule: "COC-DEF-09", AppliesTo: "#" + row.Part,
				Op: typev1.ModifierOp_MODIFIER_OP_ADD, Value: &n, Duration: nextRound(c.State, already), Audience: rule.Values,
			})).
			Because(d.event))
		return
	}
	w := weaponOf(c.Character(struck), d.weapon)
	c.Emit(c.Event(conditionGained, "COC-DEF-09", struck).
		Words(fCondition, "", rule.Public, stWeaponDropped).
		Words(fWeapon, "", rule.Public, d.weapon).
		Change(
			rule.SetStatus(struck, status(stWeaponDropped, nil)),
			setWeapon(struck, w, func(w *cocv1.Weapon) {
				w.State, w.InHand, w.Ready = cocv1.WeaponState_WEAPON_STATE_DROPPED, false, false
			}),
		).
		Because(d.event))
}
