package resolve_test

import (
	"github.com/hantei/hantei/engine/dice"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
)

// A tiny ruleset in the messages of coc, made to be resolved: each action shows
// one thing that the engine does. It is not coc.

var (
	checkResolved  = rule.Name(cocv1.EventName_EVENT_NAME_CHECK_RESOLVED)
	attackHit      = rule.Name(cocv1.EventName_EVENT_NAME_ATTACK_HIT)
	attackAvoided  = rule.Name(cocv1.EventName_EVENT_NAME_ATTACK_AVOIDED)
	covered        = rule.Name(cocv1.EventName_EVENT_NAME_COVERED)
	hpChanged      = rule.Name(cocv1.EventName_EVENT_NAME_HP_CHANGED)
	treated        = rule.Name(cocv1.EventName_EVENT_NAME_TREATED_AS_CRITICAL)
	rightGained    = rule.Name(cocv1.EventName_EVENT_NAME_RIGHT_GAINED)
	specialDecided = rule.Name(cocv1.EventName_EVENT_NAME_SPECIAL_DECIDED)
	turnStarted    = rule.Name(cocv1.EventName_EVENT_NAME_TURN_STARTED)
	roundDeclared  = rule.Name(cocv1.EventName_EVENT_NAME_ROUND_DECLARED)
	combatEnded    = rule.Name(cocv1.EventName_EVENT_NAME_COMBAT_ENDED)

	factRoll = rule.Key(cocv1.FactKey_FACT_KEY_ROLL)
)

// variant is how a build of the rules differs from the one that the tests begin
// with, to see what becomes of a step that waited for another build.
type variant string

const (
	same       variant = ""
	otherLabel variant = "a die has another label"
	otherDice  variant = "a die has other sides"
	otherFact  variant = "an event tells something else"
	lessEvents variant = "an event is not there"
	noQuestion variant = "nobody is asked"
	otherSlot  variant = "somebody else is asked"
)

func rules(v variant) *rule.Ruleset {
	r := &rule.Ruleset{
		Name: "coc", Prefix: "COC-",
		Options: rule.NewOptions([]rule.Option{{Key: "mercy", Default: "false", Values: rule.OnOff}}),
		Pack:    rule.Pack{Name: "test", Hash: "00"},
		Revise:  revise,
	}
	rule.Register(r, rule.Action[*cocv1.Check]{Secret: true, Offers: offerCheck, Valid: validCheck, Run: func(c *rule.Ctx, by string, m *cocv1.Check) { program(c, by, m) }})
	rule.Register(r, rule.Action[*cocv1.Attack]{Valid: validAttack, Run: func(c *rule.Ctx, by string, m *cocv1.Attack) { attack(c, v, by, m) }})
	rule.Register(r, rule.Action[*cocv1.SpecialAction]{Run: contest})
	rule.Register(r, rule.Action[*cocv1.EndTurn]{Run: func(c *rule.Ctx, by string, _ *cocv1.EndTurn) {
		c.Emit(c.Event(turnStarted, "", by))
		c.Then("", &cocv1.RoundStart{}, &cocv1.RoundEnd{})
	}})
	rule.Register(r, rule.Action[*cocv1.TreatAsCritical]{GM: true, Lever: true, Table: true, Valid: validTreat, Run: treat})
	rule.Register(r, rule.Action[*cocv1.RpPoints]{GM: true, Lever: true, Table: true, Run: func(c *rule.Ctx, _ string, m *cocv1.RpPoints) {
		switch m.Perk {
		case "throws":
			c.Percentile("lever", m.Character)
		case "asks":
			c.Ask(&rule.Window{Name: "defend"})
		}
	}})
	rule.RegisterStep(r, func(c *rule.Ctx, _ string, _ *cocv1.RoundStart) {
		c.Emit(c.Event(roundDeclared, "", "").Change(rule.SetClock(typev1.Clock_CLOCK_ROUND, 1)))
		c.Then("thug", &cocv1.SituationCheck{})
	})
	rule.RegisterStep(r, func(c *rule.Ctx, by string, _ *cocv1.SituationCheck) {
		answer := c.Ask(&rule.Window{Name: "combat_continues", Kind: tablev1.WindowKind_WINDOW_KIND_ONE, Slots: []rule.Slot{{Default: "yes", Choices: []*tablev1.PromptChoice{
			rule.Choice("yes", &cocv1.CombatContinues{Continue: true}), rule.Choice("no", &cocv1.CombatContinues{}),
		}}}})[0]
		c.Emit(c.Event(specialDecided, "", by).Number(factRoll, by, rule.Public, c.Percentile("situation", by)))
		if !rule.Unpack[*cocv1.CombatContinues](answer).Continue {
			c.Then("", &cocv1.CombatEnd{Result: "ended"})
		}
	})
	rule.RegisterStep(r, func(c *rule.Ctx, _ string, _ *cocv1.RoundEnd) {}) // tells nothing
	rule.RegisterStep(r, func(c *rule.Ctx, _ string, _ *cocv1.CombatEnd) { c.Emit(c.Event(combatEnded, "", "")) })
	rule.RegisterStep(r, func(c *rule.Ctx, _ string, _ *cocv1.NextTurn) { c.Then("", &cocv1.NextTurn{}) }) // for ever
	rule.RegisterPrompt(r, rule.Prompt[*cocv1.Cover]{})
	rule.RegisterPrompt(r, rule.Prompt[*cocv1.Defend]{Valid: func(_ *rule.View, _ *tablev1.Window, _ string, a *cocv1.Defend) *rule.Refusal {
		switch {
		case a.UsePlus10 && a.Dedicate:
			panic("a bug of the rules")
		case a.UsePlus10:
			return rule.Refuse(cocv1.Reason_REASON_NO_RIGHT, "COC-CHK-05", "use_plus10")
		}
		return nil
	}})
	rule.RegisterPrompt(r, rule.Prompt[*cocv1.CombatContinues]{})
	rule.RegisterPrompt(r, rule.Prompt[*cocv1.CriticalBenefit]{Settle: func(c *rule.Ctx, w *tablev1.Window, a *cocv1.CriticalBenefit) {
		if a.Choice == cocv1.CriticalBenefit_CHOICE_PLUS10 {
			c.Emit(c.Event(rightGained, "COC-CHK-05", w.About).Change(rule.SetStatus(w.About, &typev1.Status{Key: "plus10_right", Audience: rule.Public})))
		}
	}})
	rule.RegisterLevers(r)
	return r
}

// revise writes what it is sent, and derives nothing. Gear are weapons.
func revise(ch *tablev1.Character, u *tablev1.UpdateSheet) *rule.Refusal {
	for _, in := range u.Stats {
		switch {
		case in.Key == "revise panics":
			panic("a bug of the rules")
		case in.Value < 0:
			return rule.Core(tablev1.Reason_REASON_INVALID_FIELD, "sheet.stats.value")
		}
		ch.Stats = []*typev1.Stat{{Key: in.Key, Value: proto.Int32(in.Value), Audience: rule.Values}} // the only one
	}
	for _, in := range u.Resources {
		ch.Resources = []*typev1.Resource{{Key: in.Key, Value: in.Value, Max: in.Max, Audience: rule.HP}}
	}
	if u.Gear != nil {
		coc := &cocv1.Details{}
		for _, id := range u.Gear.Ids {
			coc.Weapons = append(coc.Weapons, &cocv1.Weapon{Id: id, Audience: rule.Public})
		}
		ch.Details = &tablev1.Details{Ruleset: &tablev1.Details_Coc{Coc: coc}}
	}
	return nil
}

func validCheck(_ *rule.View, _ string, m *cocv1.Check) *rule.Refusal {
	switch m.Skill {
	case "swim":
		return rule.Refuse(cocv1.Reason_REASON_UNKNOWN_SKILL, "COC-CHK-01", "skill")
	case "valid panics":
		panic("a bug of the rules")
	}
	return nil
}

func offerCheck(_ *rule.View, _ string) []*tablev1.Offer {
	return []*tablev1.Offer{
		{Action: action(&cocv1.Check{Skill: "spot"}), Possible: true, Inputs: []*tablev1.Input{
			{Name: "mod", Path: "coc.check.mod", Kind: tablev1.InputKind_INPUT_KIND_NUMBER, Min: -10, Max: 10, MaxCount: 1},
		}},
		{Action: action(&cocv1.Check{Skill: "swim"}), Reason: "UNKNOWN_SKILL"},
	}
}

// program does what the name of the skill says.
func program(c *rule.Ctx, by string, m *cocv1.Check) {
	switch m.Skill {
	case "panic":
		c.Emit(c.Event(checkResolved, "", by).Number(factRoll, "", rule.Public, c.Percentile("check", by)).Change(setHP(c, by, 1)))
		panic("a bug of the rules")
	case "nil":
		c.Change(setHP(c, by, 1))
		_ = c.Character("nobody").Stats[0]
	case "dice":
		for range 11 {
			c.Roll("check", by, dice.Dice{Count: 100, Sides: 6})
		}
	case "events":
		for range 2001 {
			c.Emit(c.Event(checkResolved, "", by))
		}
	case "last event":
		for range 2000 {
			c.Emit(c.Event(checkResolved, "", by))
		}
		c.Percentile("check", by) // needs one more
	case "steps":
		c.Then("", &cocv1.NextTurn{})
	case "agenda":
		for range 65 {
			c.Then("", &cocv1.RoundEnd{})
		}
	case "hidden": // a bug: everybody would notice that a die is missing
		c.Percentile("check", by)
		c.Emit(c.Event(checkResolved, "", by).For(rule.GM))
	case "apart":
		c.RollFor(rule.GM, "check", by, dice.Dice{Count: 2, Sides: 10})
		c.Emit(c.Event(checkResolved, "", by).For(rule.GM))
	case "quiet":
		c.Change(setHP(c, by, 2))
	case "narrow":
		c.Change(setHP(c, by, 4))
		c.Emit(c.Event(checkResolved, "", by).For(rule.GM).Change(setHP(c, by, 5)))
		c.Change(setHP(c, by, 6))
	case "loose":
		c.Percentile("check", by)
		c.Change(setHP(c, by, 3))
	default:
		roll := c.Percentile("check", by)
		c.Emit(c.Event(checkResolved, "COC-CHK-01", by).For(c.Audience).Number(factRoll, "", rule.Public, roll+m.Mod))
		if roll <= 5 {
			c.AskLater(&rule.Window{Name: "critical_benefit", Kind: tablev1.WindowKind_WINDOW_KIND_ONE, About: by, Slots: []rule.Slot{{
				Default: "plus10", Choices: []*tablev1.PromptChoice{
					rule.Choice("plus10", &cocv1.CriticalBenefit{Choice: cocv1.CriticalBenefit_CHOICE_PLUS10}),
					rule.Choice("nothing", &cocv1.CriticalBenefit{Choice: cocv1.CriticalBenefit_CHOICE_NOTHING}),
				},
			}}})
		}
	}
}

func setHP(c *rule.Ctx, who string, hp int32) *tablev1.Change {
	return rule.SetResource(who, table.Resource(c.Character(who), "hp"), hp)
}

func validAttack(v *rule.View, _ string, m *cocv1.Attack) *rule.Refusal {
	if v.Character(m.Target) == nil {
		return rule.Refuse(cocv1.Reason_REASON_BAD_TARGET, "COC-ATK-01", "target")
	}
	return nil
}

// attack rolls, asks the target's friends and then whoever is struck, and hurts.
func attack(c *rule.Ctx, v variant, by string, m *cocv1.Attack) {
	label, sides := "attack", int32(100)
	switch v {
	case otherLabel:
		label = "strike"
	case otherDice:
		sides = 20
	}
	roll := c.Die(label, by, sides)
	e := c.Event(checkResolved, "COC-CHK-01", by).Number(factRoll, "", rule.Public, roll)
	if v == otherFact {
		e.On(m.Target)
	}
	if v != lessEvents {
		c.Emit(e)
	}
	if v == noQuestion {
		return
	}
	target := askCover(c, v, by, m.Target)
	choices := []*tablev1.PromptChoice{
		rule.Choice("none", &cocv1.Defend{Kind: &cocv1.Defend_None{None: &cocv1.NoDefence{}}}),
		rule.Barred("parry", &cocv1.Defend{Kind: &cocv1.Defend_Parry{Parry: &cocv1.Parry{}}}, rule.Refuse(cocv1.Reason_REASON_CANNOT_PARRY, "", "")),
	}
	if m.Weapon != "net" { // from a net nobody gets away
		choices = append(choices, rule.Choice("dodge", &cocv1.Defend{Kind: &cocv1.Defend_Dodge{Dodge: &cocv1.Dodge{}}},
			&tablev1.Input{Name: "dedicate", Path: "coc.defend.dedicate", Kind: tablev1.InputKind_INPUT_KIND_BOOL, MaxCount: 1}))
	}
	answer := c.Ask(&rule.Window{
		Name: "defend", Rule: "COC-DEF-01", Kind: tablev1.WindowKind_WINDOW_KIND_ONE, BecauseOf: by,
		Slots: []rule.Slot{{Character: target, Default: "none", Choices: choices}},
	})[0]
	if rule.Unpack[*cocv1.Defend](answer).GetDodge() != nil && c.Percentile("dodge", target) <= 30 {
		c.Emit(c.Event(attackAvoided, "COC-ATK-01", by).On(target))
		return
	}
	amount := c.Die("damage", by, 6)
	if c.Character(by).GetDetails().GetCoc().GetCombat().GetTreatedAsCritical() { // a note, left while the prompt was open
		amount *= 2
	}
	c.Emit(c.Event(attackHit, "COC-ATK-01", by).On(target))
	c.Emit(c.Event(hpChanged, "COC-INJ-01", target).
		Change(setHP(c, target, table.Resource(c.Character(target), "hp").GetValue()-amount)))
}

func askCover(c *rule.Ctx, v variant, by, target string) string {
	w := &rule.Window{
		Name: "cover", Rule: "COC-DEF-07", Kind: tablev1.WindowKind_WINDOW_KIND_FIRST_TAKER, BecauseOf: by, About: target,
		Takes: func(a *tablev1.Answer) bool { return a.GetCoc().GetCover().GetCover() },
	}
	for _, ch := range c.State.Characters {
		if ch.Id != target && (ch.Side == c.Character(target).Side) != (v == otherSlot) {
			w.Slots = append(w.Slots, rule.Slot{Character: ch.Id, Default: "decline", Choices: []*tablev1.PromptChoice{
				rule.Choice("cover", &cocv1.Cover{Cover: true}), rule.Choice("decline", &cocv1.Cover{}),
			}})
		}
	}
	for _, a := range c.Ask(w) {
		if a.GetAnswer().GetCoc().GetCover().GetCover() {
			c.Emit(c.Event(covered, "COC-DEF-07", a.Character).On(target))
			return a.Character
		}
	}
	return target
}

// contest throws dice of several: of the actor, of an NPC, of the table.
func contest(c *rule.Ctx, by string, _ *cocv1.SpecialAction) {
	mine := c.Percentile("mine", by)
	theirs := c.Percentile("theirs", "thug")
	luck := c.Roll("luck", "", dice.Dice{Count: 2, Sides: 6})
	c.Emit(c.Event(specialDecided, "COC-CMB-10", by).Number(factRoll, "", rule.Public, mine-theirs+luck[0]-luck[1]))
}

func validTreat(v *rule.View, _ string, m *cocv1.TreatAsCritical) *rule.Refusal {
	switch ref := v.Ref(m.RollId); {
	case ref.Event.GetName() != checkResolved.String():
		return rule.Refuse(cocv1.Reason_REASON_BAD_TARGET, "COC-ATK-07", "roll_id")
	case !ref.Open:
		return rule.Refuse(cocv1.Reason_REASON_TOO_LATE, "COC-ATK-07", "roll_id")
	}
	return nil
}

func treat(c *rule.Ctx, _ string, m *cocv1.TreatAsCritical) {
	by := c.Ref(m.RollId).Event.Actor
	c.Emit(c.Event(treated, "COC-ATK-07", by).Change(rule.SetPart(by, rule.Wrap[*tablev1.Part](&cocv1.Combat{TreatedAsCritical: true}))))
}
