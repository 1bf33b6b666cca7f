package oracle

import (
	"fmt"
	"slices"
	"strings"
)

// Fighter is a combatant (sections 3.1 and 3.2).
type Fighter struct {
	Name               string
	Side               string
	PC                 bool
	Str, Con, Dex, Siz int
	Edu, Luck          int
	HP, HPMax, Armour  int
	ET, InstantDeath   bool
	AttacksPerRound    int
	Skills             map[string]int // stored values
	Weapons            []*Held
	Square             *Square        // nil without positions
	Right              bool           // the +10 right (COC-CHK-05)
	Bonus              map[string]int // roleplay bonuses by skill (COC-CHK-06)

	Attacks             int
	Dodges, Parries     int
	ShotAt              bool
	Dedicated           string // dodge, parry
	LockedUntil         int
	Relief              []int // rounds; with next_roll the round is of no matter
	KnockedDown         bool
	RestrictedDown      bool
	RestrictedDrop      bool
	Penalties           []Penalty
	LowHP, Shock, Faint bool
	Dying               bool
	Mind                Mind
	Dead                bool
	DeathRound          int
	Marks               []string // kind.source
	Wounds              []int
}

// Square is where somebody stands.
type Square struct{ X, Y int }

// Held is a weapon of a fighter.
type Held struct {
	Weapon
	Left   int    // durability
	State  string // ok, unusable, broken, dropped
	Until  int    // the last round of unusable, 0: to the end of the combat
	InHand bool
	Ready  bool
}

// Penalty is a body part's -15 in a round (COC-DEF-09).
type Penalty struct {
	Part  string
	Round int
}

// Conscious tells whether somebody can act (COC-INJ-03, COC-INJ-04).
func (f *Fighter) Conscious() bool {
	return !f.LowHP && !f.Shock && !f.Faint && !f.Dying && !f.Dead
}

// suffers tells whether somebody has one of these symptoms (table 6.4).
func (f *Fighter) suffers(rows ...string) bool { return slices.Contains(rows, f.Mind.Symptom) }

// Restricted tells whether somebody may only dodge (COC-COND-01, 02).
func (f *Fighter) Restricted() bool { return f.RestrictedDown || f.RestrictedDrop }

func (f *Fighter) held(id string) *Held {
	for _, h := range f.Weapons {
		if h.ID == id {
			return h
		}
	}
	return nil
}

func (f *Fighter) dropped() bool {
	return slices.ContainsFunc(f.Weapons, func(h *Held) bool { return h.State == "dropped" })
}

func (h *Held) usable() bool { return h.InHand && h.State == "ok" }

// Ask is answered with what somebody chose at a prompt; the choices are those that the
// rules leave.
type Ask func(prompt, who string, choices []string) string

// Fight is a combat (chapter COC-CMB).
type Fight struct {
	Options
	Dice
	Ask
	Fighters []*Fighter // in roster order
	Order    []*Fighter
	Treated  bool // the keeper treats the attack as a critical, while cover or defend is asked
	Round    int
	Step     string   // shooting, actions
	Turn     *Fighter // nil between turns
	had      int      // how many of the order have had their turn in this step
	Told     []string // what happened, in order: the event, then what the rules say of it
}

func (f *Fight) tell(words ...any) {
	line := fmt.Sprintln(words...)
	f.Told = append(f.Told, line[:len(line)-1])
}

func (f *Fight) byName(name string) *Fighter {
	for _, x := range f.Fighters {
		if x.Name == name {
			return x
		}
	}
	return nil
}

// Begin sets the order (COC-CMB-03): by DEX from above, those of the same by 1D100 from
// below, equal dice again among themselves.
func (f *Fight) Begin() {
	f.Order = nil
	left := slices.Clone(f.Fighters)
	for len(left) > 0 {
		top := slices.MaxFunc(left, func(a, b *Fighter) int { return a.Dex - b.Dex }).Dex
		var group, rest []*Fighter
		for _, x := range left {
			if x.Dex == top {
				group = append(group, x)
			} else {
				rest = append(rest, x)
			}
		}
		f.Order = append(f.Order, f.settle(group)...)
		left = rest
	}
	for _, x := range f.Fighters {
		for _, h := range x.Weapons {
			h.Ready = h.InHand // COC-CMB-05: in round 1 since combat began
		}
	}
}

func (f *Fight) settle(group []*Fighter) (out []*Fighter) {
	if len(group) == 1 {
		return group
	}
	thrown := map[int][]*Fighter{}
	for _, x := range group {
		n := f.Dice(100)
		thrown[n] = append(thrown[n], x)
	}
	for n := 1; n <= 100; n++ {
		if len(thrown[n]) > 0 {
			out = append(out, f.settle(thrown[n])...)
		}
	}
	return out
}

// BeginRound is the round declaration (COC-CMB-04).
func (f *Fight) BeginRound() {
	f.Round++
	f.Step, f.had, f.Turn = "shooting", 0, nil
	for _, x := range f.Fighters {
		x.Attacks, x.Dedicated, x.ShotAt = 0, "", false
		x.RestrictedDown, x.RestrictedDrop = false, false
		if !f.ChainOfCombat || f.Round == 1 {
			x.Dodges, x.Parries = 0, 0
		}
		for _, h := range x.Weapons {
			h.Ready = h.InHand
			if h.State == "unusable" && h.Until != 0 && h.Until < f.Round {
				h.State, h.Until = "ok", 0
			}
		}
	}
	for _, x := range f.Order {
		if !x.Conscious() {
			continue
		}
		if x.KnockedDown {
			if f.dexRoll(x) {
				x.KnockedDown = false
				f.tell("condition_lost", x.Name, "knocked_down")
			} else {
				x.RestrictedDown = true
				f.tell("condition_gained", x.Name, "restriction")
			}
		}
		if x.dropped() && x.Conscious() {
			if f.dexRoll(x) {
				for _, h := range x.Weapons {
					if h.State == "dropped" {
						h.State, h.InHand, h.Ready = "ok", true, false
					}
				}
				f.tell("condition_lost", x.Name, "weapon_dropped")
			} else {
				x.RestrictedDrop = true
				f.tell("condition_gained", x.Name, "restriction")
			}
		}
	}
}

// Next gives the turn to the next in order, or goes on to the next step and round
// (COC-CMB-05 to 08).
func (f *Fight) Next() {
	for {
		for f.had < len(f.Order) {
			f.Turn = f.Order[f.had]
			f.had++
			if f.Step == "actions" && f.Turn.Conscious() || f.Step == "shooting" && f.mayShoot(f.Turn) {
				f.tell("turn_started", f.Turn.Name)
				return
			}
		}
		f.Turn, f.had = nil, 0
		if f.Step == "shooting" {
			f.Step = "actions"
			continue
		}
		f.EndRound()
		if f.Ask("combat_continues", "", []string{"continue", "end"}) == "end" {
			f.Step = ""
			for _, x := range f.Fighters { // COC-INJ-04
				if x.Dying {
					if f.treatable(x) {
						f.Ask("dying", "", []string{"dies"}) // to be treated instead is not played here
					}
					f.die(x)
				}
			}
			return
		}
		f.BeginRound()
	}
}

// treatable tells whether somebody can treat a dying person; else nothing is asked.
func (f *Fight) treatable(patient *Fighter) bool {
	return slices.ContainsFunc(f.Fighters, func(x *Fighter) bool { return x != patient && x.Conscious() })
}

// mayShoot tells whether no refusal up to NOT_READY stops a shot (COC-CMB-05).
func (f *Fight) mayShoot(x *Fighter) bool {
	return f.refusal(x) == "" && slices.ContainsFunc(x.Weapons, func(h *Held) bool {
		return h.Kind == "firearm" && h.usable() && h.Ready
	})
}

// refusal is why somebody may not attack, whatever the weapon (COC-ATK-01).
func (f *Fight) refusal(x *Fighter) string {
	switch {
	case !x.Conscious():
		return "UNCONSCIOUS"
	case x.suffers("short.2", "short.4"):
		return "INSANE_RESTRICTED"
	case x.Restricted():
		return "ONLY_DODGE"
	case x.Dedicated != "":
		return "DEDICATED"
	case x.Attacks >= x.AttacksPerRound:
		return "ALREADY_ATTACKED"
	}
	return ""
}

// Refusal is why an attack is refused, "" if it is not (COC-ATK-01).
func (f *Fight) Refusal(s Assault) string {
	a, t := f.byName(s.Attacker), f.byName(s.Target)
	if f.Turn != a {
		return "NOT_YOUR_TURN"
	}
	if why := f.refusal(a); why != "" {
		return why
	}
	h := a.held(s.Weapon)
	if h == nil || !h.usable() {
		return "WEAPON_UNUSABLE"
	}
	if f.Step == "shooting" && (h.Kind != "firearm" || !h.Ready) {
		return "NOT_READY"
	}
	if t == nil || t == a || t.Dead {
		return "BAD_TARGET"
	}
	if h.outOfReach(a, t, s.Metres) {
		return "OUT_OF_RANGE"
	}
	if s.Plus10 && !a.Right {
		return "NO_RIGHT"
	}
	return ""
}

// Strike is an attack, or a shot in the shooting step, and what it means for the turn:
// that is over after a shot, and for whoever falls in it (COC-CMB-05, 06).
func (f *Fight) Strike(s Assault) {
	f.Attack(s)
	if f.Step == "shooting" || !f.Turn.Conscious() {
		f.Next()
	}
}

// dexRoll is DEX x3 (COC-COND-01).
func (f *Fight) dexRoll(x *Fighter) bool {
	return f.check(x, "dex", Clamp(x.Dex*3)).Succeeded()
}

// EndRound is the round end (COC-CMB-07): deaths in order.
func (f *Fight) EndRound() {
	for _, x := range f.Order {
		if x.Dying && !x.Dead && x.DeathRound <= f.Round {
			f.die(x)
		}
	}
	for _, x := range f.Order {
		if !x.Dead && x.Mind.Temporary && x.Mind.Until <= f.Round {
			x.Mind.End()
			f.calm(x)
		}
	}
}

// Frighten has somebody make a sanity check that costs so much in any case, and what its
// symptom does at once (COC-SAN-04).
func (f *Fight) Frighten(who string, points int) {
	x := f.byName(who)
	san := x.Mind.SAN
	c := f.CheckSanity(&x.Mind, f.Dice, []Term{{Count: points}}, []Term{{Count: points}}, false, f.Round)
	result := Failure
	if c.Success {
		result = Success
	}
	f.tell("check_resolved", x.Name, "san", san, c.Roll, result)
	f.markAs(x, c.Mark, "san")
	if c.IdeaRoll > 0 {
		f.tell("check_resolved", x.Name, "idea", Clamp(x.Mind.Idea), c.IdeaRoll, c.Idea)
		f.mark(x, "idea", c.Idea)
	}
	if c.Temporary {
		f.strikes(x, c.Symptom)
	}
	x.PC = x.PC && !x.Mind.Permanent             // COC-SAN-03: who is mad for good becomes an NPC
	lost := f.Turn != nil && !f.Turn.Conscious() // also where the indefinite insanity wakes him at once
	if !x.suffers("short.1") {
		f.calm(x)
	}
	if lost {
		f.Next()
	}
}

// strikes is what a symptom does when it begins (table 6.4).
func (f *Fight) strikes(x *Fighter, symptom string) {
	switch symptom {
	case "short.1":
		if !x.Dead && !x.Faint {
			x.Faint = true
			f.tell("fell_unconscious", x.Name, "faint")
		}
	case "short.9":
		for _, h := range x.Weapons {
			if h.Kind != "natural" && h.usable() {
				h.State, h.InHand, h.Ready = "dropped", false, false
			}
		}
	}
}

// calm ends the faint of a symptom that is over (COC-INJ-03).
func (f *Fight) calm(x *Fighter) {
	if !x.Faint {
		return
	}
	x.Faint = false
	if x.Conscious() {
		f.tell("woke", x.Name)
	}
}

func (f *Fight) die(x *Fighter) {
	x.Dead, x.Dying, x.DeathRound = true, false, 0
	f.tell("died", x.Name)
}

// check rolls what is told as check_resolved, with its mark.
func (f *Fight) check(x *Fighter, what string, value int) Result {
	roll := f.Dice(100)
	r := f.Check(value, roll)
	f.tell("check_resolved", x.Name, what, value, roll, r)
	f.mark(x, what, r)
	return r
}

// mark notes the growth mark that a roll earns (COC-GRW-01).
func (f *Fight) mark(x *Fighter, what string, r Result) {
	stored, skill := x.Skills[what]
	base, based := Base(what, x.Dex, x.Edu)
	f.markAs(x, Mark(r, skill && based && stored == base), what)
}

// markAs notes a growth mark of a kind, none for "".
func (f *Fight) markAs(x *Fighter, kind, what string) {
	if kind == "" || !x.PC {
		return
	}
	marks, added := f.AddMark(x.Marks, kind, what)
	if !added {
		return
	}
	x.Marks = marks
	f.tell("growth_marked", x.Name, kind, what)
}

// squares is the distance of two, and whether there is one (COC-CMB-11).
func squares(a, b *Fighter) (n int, known bool) {
	if a.Square == nil || b.Square == nil {
		return 0, false
	}
	abs := func(n int) int { return max(n, -n) }
	return max(abs(a.Square.X-b.Square.X), abs(a.Square.Y-b.Square.Y)), true
}

// outOfReach tells whether a weapon does not reach (COC-ATK-01, COC-ATK-03, table 6.3); metres
// count where nobody stands anywhere.
func (h *Held) outOfReach(a, t *Fighter, metres int) bool {
	n, known := squares(a, t)
	if h.Kind != "firearm" {
		return n > h.Range
	}
	if !known {
		n = metres
	}
	_, _, out := RangeFactor(n, a.Dex, h.Range)
	return (known || metres > 0) && out
}

// extras are what a skill roll spends: the +10 right, if it is used, and the roleplay bonus
// for this skill (COC-CHK-05, COC-CHK-06).
func (f *Fight) extras(x *Fighter, skill string, plus10 bool) (flat int) {
	if plus10 {
		x.Right = false
		flat += 10
		f.tell("right_used", x.Name, skill)
	}
	flat += x.Bonus[skill]
	delete(x.Bonus, skill)
	return flat
}

// flat are the flat modifiers of a fight on a skill roll (COC-CHK-04): body parts.
func (f *Fight) flat(x *Fighter, skill string) (flat int) {
	for _, p := range x.Penalties {
		if p.Round == f.Round && slices.Contains(parts[skill], p.Part) {
			flat -= 15
		}
	}
	return flat
}

// Assault is an attack or shot that is declared.
type Assault struct {
	Attacker, Target, Weapon string
	Metres                   int // of a shot, 0 where none were given
	Plus10                   bool
}

// Attack is an attack or a shot to its end (COC-ATK-01).
func (f *Fight) Attack(s Assault) {
	a, t := f.byName(s.Attacker), f.byName(s.Target)
	h := a.held(s.Weapon)
	a.Attacks++
	num, den := 1, 1
	if n, known := squares(a, t); h.Kind == "firearm" && known {
		num, den, _ = RangeFactor(n, a.Dex, h.Range)
	} else if h.Kind == "firearm" && s.Metres > 0 {
		num, den, _ = RangeFactor(s.Metres, a.Dex, h.Range)
	}
	halvings := 0
	if a.suffers("short.6") {
		halvings = 1
	}
	value := Value(a.Skills[h.Skill], num, den, halvings, f.flat(a, h.Skill), f.extras(a, h.Skill, s.Plus10))
	roll := f.Dice(100)
	result := f.Check(value, roll)
	f.tell("check_resolved", a.Name, h.Skill, value, roll, result)
	f.mark(a, h.Skill, result)
	switch result {
	case Failure:
		f.tell("attack_missed", a.Name, t.Name)
		return
	case Fumble:
		f.tell("attack_fumbled", a.Name, t.Name)
		f.fumbled(a, h, roll)
		return
	}
	struck := t
	if c := f.cover(a, t); c != nil {
		struck = c
		f.tell("covered", c.Name, t.Name)
	}
	d := f.defend(struck, h)
	if f.Treated && result == Success { // COC-ATK-07
		result = Critical
	}
	twice := h.Kind == "natural" && roll <= a.Skills["martial_arts"] // COC-ATK-08
	if f.SpecialInCombat && h.Impaling && result == Success && roll <= value/5 {
		twice = true // COC-ATK-07
	}
	bonus := DamageBonus(a.Str + a.Siz)
	if result == Success && d.result.Succeeded() {
		f.stopped(a, struck, d, func() Blow { return h.Throw(f.Dice, twice, bonus) })
		return
	}
	f.tell("attack_hit", a.Name, struck.Name)
	blow := h.Throw(f.Dice, twice, bonus)
	both := result == Critical && d.result == Critical
	better := both && f.DefenceBetter(roll, d.roll)
	damage, multiplier := blow.Plain(struck.Armour), "1"
	switch {
	case both && better:
		damage, multiplier = BothCritical(blow, struck.Armour, true), "1/4"
	case both:
		damage, multiplier = BothCritical(blow, struck.Armour, false), "1/2"
	case result == Critical:
		damage = f.CriticalDamage(blow, struck.Armour, a.ET, struck.ET)
		if struck.Armour == 0 && !struck.ET && !(f.ETCritEither && a.ET) {
			multiplier = "2"
		}
	}
	f.tell("damage_rolled", struck.Name, blow.Weapon, blow.Bonus, multiplier, damage)
	f.hurt(struck, damage)
	f.badDefence(struck, d)
	if better && !a.ET && !struck.ET && struck.Conscious() && (h.Kind == "natural" || h.Kind == "melee") {
		f.counter(struck, a)
	}
}

// cover asks the allies who may cover (COC-DEF-07).
func (f *Fight) cover(attacker, target *Fighter) *Fighter {
	var may []string
	for _, x := range f.Fighters {
		n, _ := squares(x, target)
		reaches := f.CoverReach == 0 || n <= f.CoverReach
		if x != target && x != attacker && x.Side == target.Side && x.Conscious() && !x.Restricted() && reaches && !x.suffers("short.2", "short.4", "short.5", "short.10") {
			may = append(may, x.Name)
		}
	}
	if len(may) == 0 {
		return nil
	}
	return f.byName(f.Ask("cover", "", may))
}

// defended is a defence: none has no kind.
type defended struct {
	kind   string
	weapon *Held
	roll   int
	result Result
}

// defend asks the struck person for a defence and rolls it (COC-ATK-01, steps 3 and 4).
func (f *Fight) defend(x *Fighter, against *Held) (d defended) {
	if !x.Conscious() || x.LockedUntil >= f.Round {
		return d
	}
	bullet := against.Kind == "firearm"
	if bullet && (f.DodgeBullets == "none" || f.DodgeBullets == "first" && x.ShotAt) {
		return d
	}
	choices := []string{"dodge"}
	if !bullet && !x.Restricted() && !x.suffers("short.4") {
		for _, h := range x.Weapons {
			if h.usable() && (h.Kind != "natural" || against.Kind == "natural") { // COC-DEF-02
				choices = append(choices, "parry."+h.ID)
			}
		}
	}
	if bullet {
		x.ShotAt = true
	}
	answer := f.Ask("defend", x.Name, append(choices, "none"))
	answer, plus10 := strings.CutSuffix(answer, " plus10")
	answer, dedicates := strings.CutSuffix(answer, " dedicate")
	d.kind = answer
	if id, parries := strings.CutPrefix(answer, "parry."); parries {
		d.kind, d.weapon = "parry", x.held(id)
	}
	if d.kind == "none" {
		return defended{}
	}
	if dedicates {
		f.Dedicate(x.Name, d.kind)
	}
	skill := "dodge"
	if d.weapon != nil {
		skill = d.weapon.Skill
	}
	flat := f.flat(x, skill)
	if x.RestrictedDown {
		flat -= 10
	}
	if x.RestrictedDrop {
		flat -= 30
	}
	flat += f.extras(x, skill, plus10)
	value, locks := f.Defence(Defending{
		Skill: x.Skills[skill], Dodge: d.kind == "dodge", BaseDodge: x.Dex * 2,
		Dodges: x.Dodges, Parries: x.Parries, Dedicated: x.Dedicated == d.kind,
		Relief: f.relieved(x), Flat: []int{flat},
	})
	if d.kind == "dodge" {
		x.Dodges++
	} else {
		x.Parries++
	}
	if f.ReliefNextRoll {
		x.Relief = nil
	}
	d.roll = f.Dice(100)
	d.result = f.Check(value, d.roll)
	f.tell("defence_rolled", x.Name, skill, value, d.roll, d.result)
	f.mark(x, skill, d.result)
	if until := f.LockedUntil(f.Round); locks && until >= f.Round { // with no rounds there is no lock
		x.LockedUntil = until
		f.tell("defence_locked", x.Name, x.LockedUntil)
	}
	if d.kind == "dodge" && d.result == Critical { // COC-DEF-08
		x.Relief = append(x.Relief, f.Round+1)
		f.tell("condition_gained", x.Name, "relief")
	}
	return d
}

func (f *Fight) relieved(x *Fighter) bool {
	if f.ReliefNextRoll {
		return len(x.Relief) > 0
	}
	return slices.Contains(x.Relief, f.Round)
}

// stopped is a success of the defence against a plain success (COC-ATK-01, step 6).
func (f *Fight) stopped(a, struck *Fighter, d defended, throw func() Blow) {
	if d.kind == "dodge" {
		f.tell("attack_avoided", a.Name, struck.Name)
		return
	}
	f.tell("attack_parried", a.Name, struck.Name)
	if d.weapon.Kind == "natural" || d.result == Critical { // COC-DEF-02
		return
	}
	blow := throw()
	left := d.weapon.Left - blow.Rolled()
	f.tell("damage_rolled", struck.Name, blow.Weapon, blow.Bonus, "1")
	if blow.Rolled() == 0 {
		return
	}
	d.weapon.Left = left
	words := []any{"weapon_changed", struck.Name, d.weapon.ID, left}
	excess := 0
	if left <= 0 {
		d.weapon.State = "broken"
		words = append(words, "broken")
		if excess = max(0, -left-struck.Armour); f.NoParryExcess {
			excess = 0
		}
	}
	if excess > 0 {
		words = append(words, excess)
	}
	f.tell(words...)
	f.hurt(struck, excess)
}

// hurt is the loss of hit points and what it brings (COC-INJ-01 to 04).
func (f *Fight) hurt(x *Fighter, damage int) {
	if damage <= 0 {
		return
	}
	before := x.HP
	x.HP -= damage
	x.Wounds = append(x.Wounds, damage)
	f.tell("hp_changed", x.Name, -damage, x.HP)
	f.tell("wound_added", x.Name, damage)
	if f.ShockDue(damage, before, x.HPMax, x.ET) {
		value := Clamp(x.Con * 5)
		roll := f.Dice(100)
		r := f.Check(value, roll)
		f.tell("shock_rolled", x.Name, value, roll, r)
		f.mark(x, "con", r)
		if !r.Succeeded() {
			again := x.Shock
			x.Shock = true
			if !again {
				f.tell("fell_unconscious", x.Name, "shock")
			}
		}
	}
	if x.HP > 2 {
		return
	}
	again := x.LowHP
	x.LowHP = true
	if x.HP > 0 {
		if !again {
			f.tell("fell_unconscious", x.Name, "low_hp")
		}
		return
	}
	if x.InstantDeath {
		f.die(x)
		return
	}
	if !x.Dying { // COC-INJ-04: more damage does not move the round
		x.Dying, x.DeathRound = true, f.Round+1
		f.tell("dying", x.Name)
	}
}

// badDefence is what a fumbled defence brings besides the damage (COC-DEF-09).
func (f *Fight) badDefence(x *Fighter, d defended) {
	if d.result != Fumble {
		return
	}
	if d.kind == "dodge" {
		x.KnockedDown = true
		f.tell("condition_gained", x.Name, "knocked_down")
		return
	}
	if d.weapon.Kind != "natural" && f.Ask("parry_fumble", x.Name, []string{"drop", "part_penalty"}) == "drop" {
		d.weapon.State, d.weapon.InHand, d.weapon.Ready = "dropped", false, false
		f.tell("condition_gained", x.Name, "weapon_dropped")
		return
	}
	p := Penalty{d.weapon.Part, f.Round + 1}
	if !slices.Contains(x.Penalties, p) { // once per part however often
		x.Penalties = append(x.Penalties, p)
	}
	f.tell("condition_gained", x.Name, "part_penalty", p.Part)
}

// counter is the counterattack (COC-DEF-11).
func (f *Fight) counter(by, at *Fighter) {
	if f.Ask("counter", by.Name, []string{"yes", "no"}) != "yes" {
		return
	}
	amount := max(0, f.Dice(6)-at.Armour)
	f.tell("counter_dealt", by.Name, at.Name, amount)
	f.hurt(at, amount)
}

// fumbled is an attacker's fumble (COC-ATK-05, 06).
func (f *Fight) fumbled(a *Fighter, h *Held, roll int) {
	if roll == 100 {
		if f.Dice(2) == 1 {
			f.breaks(a, h)
		} else {
			f.stray(a, h)
		}
		return
	}
	if f.check(a, "luck", Clamp(a.Luck)).Succeeded() {
		answer := f.Ask("fumble_mild", a.Name, []string{"weapon_unusable", "move", "roll"})
		if answer == "weapon_unusable" || answer == "roll" && f.Dice(2) == 1 {
			h.State, h.Until = "unusable", f.Round+1
			f.tell("weapon_changed", a.Name, h.ID, "unusable")
		}
		return
	}
	if f.Ask("fumble_severe", a.Name, []string{"break", "hit_friend"}) == "break" {
		f.breaks(a, h)
	} else {
		f.stray(a, h)
	}
}

func (f *Fight) breaks(a *Fighter, h *Held) {
	h.State, h.Until = "broken", 0
	if h.Kind == "natural" {
		h.State = "unusable"
	}
	f.tell("weapon_changed", a.Name, h.ID, h.State)
}

// stray is the blow at an ally or oneself (COC-ATK-05).
func (f *Fight) stray(a *Fighter, h *Held) {
	var allies []string
	for _, x := range f.Fighters {
		if x != a && x.Side == a.Side && !x.Dead && !h.outOfReach(a, x, 0) {
			allies = append(allies, x.Name)
		}
	}
	victim := a
	if len(allies) > 0 {
		if v := f.byName(f.Ask("fumble_victim", a.Name, append(allies, a.Name))); v != nil {
			victim = v
		}
	}
	throw := func() Blow { return h.Throw(f.Dice, false, Bonus{}) }
	var d defended
	if victim != a {
		if d = f.defend(victim, h); d.result.Succeeded() {
			f.stopped(a, victim, d, throw)
			return
		}
	}
	f.tell("attack_hit", a.Name, victim.Name)
	blow := throw()
	damage := blow.Plain(victim.Armour)
	f.tell("damage_rolled", victim.Name, blow.Weapon, blow.Bonus, "1", damage)
	f.hurt(victim, damage)
	f.badDefence(victim, d)
}

// Dedicate dedicates somebody to dodge or parry for this round (COC-DEF-05).
func (f *Fight) Dedicate(who, kind string) {
	f.byName(who).Dedicated = kind
	f.tell("dedicated", who, kind)
}

// MayNotDedicate is why somebody cannot dedicate himself, "" if he can (COC-DEF-05).
func (f *Fight) MayNotDedicate(who, kind string) string {
	x := f.byName(who)
	switch {
	case !x.Conscious():
		return "UNCONSCIOUS"
	case kind == "parry" && x.Restricted():
		return "ONLY_DODGE"
	case x.Dedicated != "":
		return "DEDICATED"
	case x.Attacks > 0:
		return "ALREADY_ATTACKED"
	}
	return ""
}
