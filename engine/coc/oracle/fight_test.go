package oracle_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hantei/hantei/engine/coc/oracle"
	"github.com/hantei/hantei/engine/resolve"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
	"pgregory.net/rapid"
)

var fought = []string{"dodge", "fist", "kick", "headbutt", "knife", "club", "sword", "handgun", "rifle", "claw", "martial_arts"}

// battle is a fight that the engine and the oracle fight alike.
type battle struct {
	*game
	f *oracle.Fight
}

// TestFights compares whole fights: who acts and when, attacks, cover, defence with its
// halving and locks, damage, wounds, shock, fumbles, conditions, death (chapters COC-CMB,
// COC-ATK, COC-DEF, COC-COND, COC-INJ).
func TestFights(t *testing.T) {
	many(t, func(t *rapid.T) {
		b := newBattle(t)
		for range inputsPerTable {
			if b.f.Step == "" {
				return
			}
			b.command()
		}
	})
}

func newBattle(t *rapid.T) *battle {
	var sheets []*tablev1.Character
	var roster []string
	for i := range rapid.IntRange(2, 5).Draw(t, "fighters") {
		kind := rapid.SampledFrom([]tablev1.CharacterKind{pc, npc}).Draw(t, "kind")
		id := string(rune('a' + i))
		roster = append(roster, id)
		sheets = append(sheets, drawFighter(t, id, kind))
	}
	b := &battle{game: newGame(t, sheets...)}
	b.f = &oracle.Fight{Options: b.options, Ask: b.replayAnswers}
	for _, id := range roster {
		b.f.Fighters = append(b.f.Fighters, b.fighter(id))
	}
	start := &cocv1.StartCombat{Combatants: roster}
	if rapid.Bool().Draw(t, "positions") {
		wide := rapid.SampledFrom([]int{1, 1, 3, 20}).Draw(t, "how far apart")
		for i, x := range b.f.Fighters {
			x.Square = &oracle.Square{X: i * wide, Y: i % 2}
			start.Positions = append(start.Positions, &cocv1.Placement{Character: x.Name, Square: &typev1.Square{X: int32(x.Square.X), Y: int32(x.Square.Y)}})
		}
	}
	b.act("", start)
	b.answerAll()
	b.compare(func() {
		b.f.Begin()
		b.f.BeginRound()
		b.f.Next()
	})
	return b
}

func drawFighter(t *rapid.T, id string, kind tablev1.CharacterKind) *tablev1.Character {
	ch := drawSheet(t, id, kind, fought...)
	ch.Side = rapid.SampledFrom([]string{"pc", "enemy"}).Draw(t, "side")
	hp := table.Resource(ch, "hp")
	hp.Max = proto.Int32(rapid.OneOf(rapid.Int32Range(3, 40), rapid.Int32Range(80, 200)).Draw(t, "most hp"))
	hp.Value = proto.Int32(hp.GetMax() - rapid.Int32Range(0, hp.GetMax()-3).Draw(t, "lost hp"))
	*table.Stat(ch, "armour").Value = rapid.SampledFrom([]int32{0, 0, 0, 1, 2, 5}).Draw(t, "armour")
	body := &cocv1.Body{
		Extraterrestrial: proto.Bool(rapid.IntRange(0, 3).Draw(t, "extraterrestrial") == 3),
		AttacksPerRound:  proto.Int32(rapid.SampledFrom([]int32{1, 2, 4}).Draw(t, "attacks")),
		InstantDeath:     proto.Bool(kind == npc && rapid.IntRange(0, 3).Draw(t, "instant death") == 3),
	}
	details := ch.Details.GetCoc()
	details.Body, details.Weapons = body, nil
	for _, w := range oracle.Weapons() {
		if rapid.IntRange(0, 2).Draw(t, w.ID) == 2 {
			continue
		}
		one := &cocv1.Weapon{Id: w.ID, Template: w.ID, State: cocv1.WeaponState_WEAPON_STATE_OK, InHand: true, Ready: true}
		if w.Durability > 0 {
			one.InHand = rapid.IntRange(0, 4).Draw(t, "in hand") > 0
			one.Ready = one.InHand
			one.Durability = proto.Int32(rapid.Int32Range(1, int32(w.Durability)).Draw(t, "durability"))
		}
		details.Weapons = append(details.Weapons, one)
	}
	slices.SortFunc(details.Weapons, func(a, b *cocv1.Weapon) int { return strings.Compare(a.Id, b.Id) })
	return ch
}

// fighter is what the rules know of a combatant.
func (b *battle) fighter(id string) *oracle.Fighter {
	ch := b.character(id)
	details := ch.Details.GetCoc()
	x := &oracle.Fighter{
		Name: id, Side: ch.Side, PC: ch.Kind == pc,
		Str: b.stat(id, "str"), Con: b.stat(id, "con"), Dex: b.stat(id, "dex"), Siz: b.stat(id, "siz"),
		Edu: b.stat(id, "edu"), Luck: b.stat(id, "luck"),
		HP: b.resource(id, "hp"), HPMax: int(table.Resource(ch, "hp").GetMax()), Armour: b.stat(id, "armour"),
		ET: details.Body.GetExtraterrestrial(), InstantDeath: details.Body.GetInstantDeath(),
		AttacksPerRound: int(details.Body.GetAttacksPerRound()), Skills: map[string]int{}, Bonus: map[string]int{},
		Mind: oracle.Mind{SAN: b.resource(id, "san"), Idea: b.stat(id, "idea")},
	}
	for _, s := range fought {
		x.Skills[s] = b.stat(id, s)
	}
	for _, w := range oracle.Weapons() {
		for _, have := range details.Weapons {
			if have.Id == w.ID {
				x.Weapons = append(x.Weapons, &oracle.Held{Weapon: w, Left: int(have.GetDurability()), State: "ok", InHand: have.InHand, Ready: have.Ready})
			}
		}
	}
	slices.SortFunc(x.Weapons, func(a, b *oracle.Held) int { return strings.Compare(a.ID, b.ID) })
	return x
}

// command has somebody do something: mostly the turn holder what he may do, as far as the
// rules let him.
func (b *battle) command() {
	if rapid.IntRange(0, 11).Draw(b.T, "anything") == 11 {
		b.anything()
		return
	}
	switch rapid.IntRange(0, 12).Draw(b.T, "gift") {
	case 11:
		b.gift()
	case 12:
		b.frighten()
		return
	}
	actor := b.f.Turn
	var usable []string
	for _, h := range actor.Weapons {
		if b.f.Refusal(oracle.Assault{Attacker: actor.Name, Target: b.other(actor), Weapon: h.ID}) == "" {
			usable = append(usable, h.ID)
		}
	}
	if len(usable) == 0 || rapid.IntRange(0, 9).Draw(b.T, "waits") == 9 {
		b.expect(actor.Name, &cocv1.EndTurn{}, "", b.f.Next)
		return
	}
	b.attack(actor, rapid.SampledFrom(usable).Draw(b.T, "weapon"))
}

// other is somebody to attack.
func (b *battle) other(x *oracle.Fighter) string {
	for _, o := range b.f.Fighters {
		if o != x && !o.Dead {
			return o.Name
		}
	}
	return ""
}

// anything is a command that may well be refused.
func (b *battle) anything() {
	actor := rapid.SampledFrom(b.f.Fighters).Draw(b.T, "actor")
	switch rapid.IntRange(0, 4).Draw(b.T, "what") {
	case 0:
		why := ""
		if b.f.Turn != actor {
			why = "NOT_YOUR_TURN"
		}
		b.expect(actor.Name, &cocv1.EndTurn{}, why, b.f.Next)
	case 1:
		kind := rapid.SampledFrom([]string{"dodge", "parry"}).Draw(b.T, "to")
		m := &cocv1.Dedicate{Kind: cocv1.DefenceKind_DEFENCE_KIND_DODGE}
		if kind == "parry" {
			m.Kind = cocv1.DefenceKind_DEFENCE_KIND_PARRY
		}
		b.expect(actor.Name, m, b.f.MayNotDedicate(actor.Name, kind), func() { b.f.Dedicate(actor.Name, kind) })
	default:
		weapon := "none"
		if len(actor.Weapons) > 0 {
			weapon = rapid.SampledFrom(actor.Weapons).Draw(b.T, "weapon").ID
		}
		b.attack(actor, weapon)
	}
}

// attack attacks somebody, in the shooting step by a shot.
func (b *battle) attack(actor *oracle.Fighter, weapon string) {
	target := rapid.SampledFrom(b.f.Fighters).Draw(b.T, "target").Name
	s := oracle.Assault{Attacker: actor.Name, Target: target, Weapon: weapon}
	if b.f.Refusal(s) == "BAD_TARGET" && rapid.IntRange(0, 7).Draw(b.T, "at nobody") < 7 {
		target = b.other(actor)
	}
	s.Target = target
	s.Metres = rapid.OneOf(rapid.Just(0), rapid.IntRange(1, 48), rapid.IntRange(1, 190)).Draw(b.T, "metres")
	s.Plus10 = rapid.IntRange(0, 15).Draw(b.T, "plus10") == 15 || actor.Right && rapid.Bool().Draw(b.T, "uses the right")
	var m proto.Message = &cocv1.Attack{Weapon: weapon, Target: target, DistanceM: int32(s.Metres), UsePlus10: s.Plus10}
	if b.f.Step == "shooting" {
		m = &cocv1.Shoot{Weapon: weapon, Target: target, DistanceM: int32(s.Metres), UsePlus10: s.Plus10}
	}
	b.expect(actor.Name, m, b.f.Refusal(s), func() { b.f.Strike(s) })
}

// frighten has somebody see something that costs sanity.
func (b *battle) frighten() {
	x := rapid.SampledFrom(b.f.Fighters).Draw(b.T, "sees it")
	points := rapid.IntRange(1, 8).Draw(b.T, "points")
	if x.Dead || x.Mind.Permanent {
		return
	}
	b.expect("", &cocv1.SanCheck{Targets: []string{x.Name}, Loss: fmt.Sprintf("%d/%d", points, points)}, "", func() {
		b.f.Frighten(x.Name, points)
	})
}

// gift has the keeper give somebody the +10 right, or a bonus on a skill.
func (b *battle) gift() {
	x := rapid.SampledFrom(b.f.Fighters).Draw(b.T, "gets a gift")
	if rapid.Bool().Draw(b.T, "the right") {
		b.act("", &tablev1.Override{Character: x.Name, Operation: &tablev1.Operation{
			Operation: &tablev1.Operation_Status{Status: &tablev1.StatusInput{Key: "plus10_right"}},
		}})
		x.Right = true
		return
	}
	skill, n := rapid.SampledFrom(fought[:10]).Draw(b.T, "on"), rapid.IntRange(10, 20).Draw(b.T, "bonus")
	b.act("", &cocv1.RpBonus{Character: x.Name, Skill: skill, N: int32(n)})
	x.Bonus[skill] = n
}

// expect makes a command of which the oracle knows whether it is refused.
func (b *battle) expect(actor string, m proto.Message, refusal string, rules func()) {
	b.same(fmt.Sprintf("refusal of %s %v", actor, m), b.try(actor, m), refusal)
	if refusal != "" {
		return
	}
	b.answerAll()
	b.compare(rules)
}

// answerAll answers what the engine asks, with anything that it offers.
func (b *battle) answerAll() {
	b.f.Treated = false
	for w := b.open(false); w != nil; w = b.open(false) {
		if (w.Name == "cover" || w.Name == "defend") && rapid.IntRange(0, 5).Draw(b.T, "treated as critical") == 5 {
			b.treatAsCritical()
		}
		if w.Name == "cover" {
			b.coverOrNot(w)
			continue
		}
		s := w.Slots[0]
		var choices []string
		for _, c := range s.Choices {
			if c.Possible && !strings.HasPrefix(c.Id, "treat.") { // TestTreatment treats
				choices = append(choices, c.Id)
			}
		}
		choice := rapid.SampledFrom(choices).Draw(b.T, w.Name)
		switch {
		case w.Name == "combat_continues" && rapid.IntRange(0, 9).Draw(b.T, "ends") < 9:
			choice = "continue"
		case choice == "none" && rapid.Bool().Draw(b.T, "defends"):
			choice = choices[len(choices)-1]
		}
		var values []*tablev1.Value
		said := choice
		if w.Name == "defend" && choice != "none" {
			yes, who := []string{"true"}, s.Character
			if who == "" {
				who = w.About // a symptom has the keeper decide
			}
			if b.mayDedicate(who) && rapid.IntRange(0, 7).Draw(b.T, "dedicated") == 7 {
				values, said = append(values, &tablev1.Value{Name: "dedicate", Values: yes}), said+" dedicate"
			}
			if b.status(who, "plus10_right") && rapid.Bool().Draw(b.T, "uses the right") {
				values, said = append(values, &tablev1.Value{Name: "use_plus10", Values: yes}), said+" plus10"
			}
		}
		b.answer(w, s, choice, values...)
		b.asked[len(b.asked)-1].choice = said
	}
}

// treatAsCritical has the keeper treat the attack's roll as a critical, if it is a plain
// success that was not treated so before (COC-ATK-07).
func (b *battle) treatAsCritical() {
	i := slices.IndexFunc(b.told, func(e *tablev1.Event) bool { return e.Name == "check_resolved" })
	if b.f.Treated || fact(b.told[i], "result") != "success" {
		return
	}
	m := &cocv1.TreatAsCritical{RollId: fmt.Sprint(b.first + int64(i))}
	_, err := b.r.Act(resolve.Env{Seat: keeper, Dice: b}, "", rule.Wrap[*tablev1.Action](m), 0)
	b.same("refusal of treat_as_critical", b.done(err), "")
	b.f.Treated = true
}

// mayDedicate tells whether the answer to defend may dedicate: it is the engine's word
// that is asked for, so that the answer is legal; what comes of it is compared.
func (b *battle) mayDedicate(id string) bool {
	attacks := b.character(id).Details.GetCoc().Combat.GetAttacksMade()
	return attacks == 0 && !b.status(id, "dedicated_dodge") && !b.status(id, "dedicated_parry")
}

// coverOrNot has one of those who may cover, or nobody.
func (b *battle) coverOrNot(w *tablev1.Window) {
	a := asked{prompt: "cover"}
	for _, s := range w.Slots {
		a.choices = append(a.choices, s.Character)
	}
	who := rapid.IntRange(0, len(w.Slots)).Draw(b.T, "who covers")
	before := len(b.asked)
	for i, s := range w.Slots {
		if i == who {
			a.choice = s.Character
			b.answer(w, s, "cover")
			break
		}
		b.answer(w, s, "decline")
	}
	b.asked = append(b.asked[:before], a)
}

// replayAnswers answers the oracle as the engine was answered.
func (b *battle) replayAnswers(prompt, who string, choices []string) string {
	if len(b.asked) == 0 || b.asked[0].prompt != prompt {
		b.Fatalf("the rules ask %s of %s, the engine asked %v\n%s", prompt, who, b.asked, b.story())
	}
	a := b.asked[0]
	b.asked = b.asked[1:]
	if a.who != "" {
		b.same(prompt+": who is asked", a.who, who)
	}
	a.choices = slices.DeleteFunc(a.choices, func(c string) bool { return strings.HasPrefix(c, "treat.") })
	b.same(prompt+" "+who+": choices", sorted(a.choices), sorted(choices))
	return a.choice
}

// compare has the oracle do what the engine has done, and compares what both tell and are.
func (b *battle) compare(rules func()) {
	asked := slices.Clone(b.asked)
	thrown := slices.Clone(b.thrown)
	b.f.Told = nil
	b.f.Dice = b.replay()
	rules()
	b.allUsed()
	if len(b.asked) > 0 {
		b.Fatalf("the engine has asked %v too much\n%s", b.asked, b.story())
	}
	var engine []string
	for _, e := range b.told {
		if e.Name == "woke" && b.status(e.Actor, "dead") {
			continue // what becomes of the minds of the dead, the rules do not say
		}
		if line := retold(e); line != "" {
			engine = append(engine, line)
		}
	}
	if !slices.Equal(engine, b.f.Told) {
		b.Fatalf("the engine tells\n  %s\nthe rules\n  %s\ndice %v, asked %v\n%s", strings.Join(engine, "\n  "), strings.Join(b.f.Told, "\n  "), thrown, asked, b.story())
	}
	e := b.r.State().Encounter
	if b.f.Step == "" {
		b.same("encounter", e == nil, true)
		return
	}
	var order []string
	for _, x := range b.f.Order {
		order = append(order, x.Name)
	}
	b.same("order", e.Order, order)
	b.same("round", e.Round, b.f.Round)
	b.same("step", e.Step, b.f.Step)
	b.same("turn", e.Turn, []string{b.f.Turn.Name})
	for _, x := range b.f.Fighters {
		b.same("state of "+x.Name, b.stateOf(x.Name), stateOf(x, b.f))
	}
}

// retold is an event in the words of the oracle, "" if it tells of none.
func retold(e *tablev1.Event) string {
	words := []string{e.Name, e.Actor}
	target := strings.Join(e.Targets, ",")
	add := func(keys ...string) {
		for _, k := range keys {
			if v := fact(e, k); v != "" {
				words = append(words, v)
			}
		}
	}
	switch e.Name {
	case "check_resolved", "defence_rolled":
		add("skill", "value", "roll", "result")
	case "right_used":
		add("skill")
	case "shock_rolled":
		add("value", "roll", "result")
	case "growth_marked":
		add("kind", "source")
	case "attack_missed", "attack_fumbled", "attack_hit", "attack_avoided", "attack_parried", "covered":
		words = append(words, target)
	case "defence_locked":
		add("until")
	case "dedicated":
		add("kind")
	case "condition_gained", "condition_lost":
		add("condition", "part")
	case "damage_rolled":
		words[1] = target
		add("dice", "db", "multiplier", "final")
	case "hp_changed":
		add("delta", "hp")
	case "wound_added":
		add("amount")
	case "fell_unconscious":
		add("cause")
	case "dying", "died", "woke", "turn_started":
	case "weapon_changed":
		add("weapon", "durability", "state", "excess")
	case "counter_dealt":
		words = append(words, target)
		add("amount")
	default:
		return ""
	}
	return strings.Join(words, " ")
}

// stateOf is what the engine keeps of a combatant.
func (b *battle) stateOf(id string) string {
	ch := b.character(id)
	d := ch.Details.GetCoc()
	words := []string{fmt.Sprint("hp ", b.resource(id, "hp"))}
	if !b.status(id, "dead") {
		words = append(words, mindOf(b.game, id))
	}
	for _, s := range []string{"plus10_right", "dying", "dead", "knocked_down", "weapon_dropped", "dedicated_dodge", "dedicated_parry"} {
		if b.status(id, s) {
			words = append(words, s)
		}
	}
	if s := table.Status(ch, "unconscious"); s != nil && !b.status(id, "dead") { // the dead need no cause
		words = append(words, fmt.Sprint("unconscious", sorted(s.Causes)))
	}
	if s := table.Status(ch, "restriction"); s != nil {
		words = append(words, fmt.Sprint("restriction", sorted(s.Causes)))
	}
	if s := table.Status(ch, "defence_locked"); s != nil {
		words = append(words, "locked", strconv.Itoa(int(s.Duration.GetUntil())))
	}
	words = append(words, fmt.Sprint("attacks ", d.Combat.GetAttacksMade(), " defences ", d.Combat.GetDefCount().GetDodge(), "+", d.Combat.GetDefCount().GetParry(), " shot at ", d.Combat.GetShotAt(), " dies ", d.Health.GetDeathRound()))
	for _, w := range d.Weapons {
		state := strings.ToLower(strings.TrimPrefix(w.State.String(), "WEAPON_STATE_"))
		words = append(words, fmt.Sprint(w.Id, ":", w.GetDurability(), state, w.UnusableUntil, w.InHand, w.Ready))
	}
	for _, w := range d.Wounds {
		words = append(words, fmt.Sprint("wound ", w.Amount))
	}
	for _, m := range sorted(b.marks(id)) {
		words = append(words, m)
	}
	return strings.Join(words, " ")
}

// stateOf is the same by the rules.
func stateOf(x *oracle.Fighter, f *oracle.Fight) string {
	words := []string{fmt.Sprint("hp ", x.HP)}
	if !x.Dead {
		words = append(words, writtenMind(&x.Mind))
	}
	is := func(yes bool, word string) {
		if yes {
			words = append(words, word)
		}
	}
	is(x.Right, "plus10_right")
	is(x.Dying, "dying")
	is(x.Dead, "dead")
	is(x.KnockedDown, "knocked_down")
	is(slices.ContainsFunc(x.Weapons, func(h *oracle.Held) bool { return h.State == "dropped" }), "weapon_dropped")
	is(x.Dedicated == "dodge", "dedicated_dodge")
	is(x.Dedicated == "parry", "dedicated_parry")
	var causes []string
	for cause, yes := range map[string]bool{"low_hp": x.LowHP, "shock": x.Shock, "faint": x.Faint} {
		if yes {
			causes = append(causes, cause)
		}
	}
	is(len(causes) > 0 && !x.Dead, fmt.Sprint("unconscious", sorted(causes)))
	causes = nil
	for cause, yes := range map[string]bool{"down": x.RestrictedDown, "dropped": x.RestrictedDrop} {
		if yes {
			causes = append(causes, cause)
		}
	}
	is(len(causes) > 0, fmt.Sprint("restriction", sorted(causes)))
	is(x.LockedUntil >= f.Round, fmt.Sprint("locked ", x.LockedUntil))
	words = append(words, fmt.Sprint("attacks ", x.Attacks, " defences ", x.Dodges, "+", x.Parries, " shot at ", x.ShotAt, " dies ", x.DeathRound))
	for _, h := range x.Weapons {
		words = append(words, fmt.Sprint(h.ID, ":", h.Left, h.State, h.Until, h.InHand, h.Ready))
	}
	for _, w := range x.Wounds {
		words = append(words, fmt.Sprint("wound ", w))
	}
	for _, m := range sorted(x.Marks) {
		words = append(words, m)
	}
	return strings.Join(words, " ")
}
