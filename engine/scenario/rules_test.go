package scenario_test

import (
	"errors"
	"strings"

	"github.com/hantei/hantei/engine/dice"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

// A tiny ruleset in the messages of coc, with one of everything that a scenario
// can play: dice, prompts of one and of a first taker, a standing prompt, a
// lever, a step on the agenda, refusals, a trace, and every kind of change. It is
// not coc; the real one has its own tests.

var (
	checkResolved  = rule.Name(cocv1.EventName_EVENT_NAME_CHECK_RESOLVED)
	attackHit      = rule.Name(cocv1.EventName_EVENT_NAME_ATTACK_HIT)
	attackAvoided  = rule.Name(cocv1.EventName_EVENT_NAME_ATTACK_AVOIDED)
	defenceRolled  = rule.Name(cocv1.EventName_EVENT_NAME_DEFENCE_ROLLED)
	damageRolled   = rule.Name(cocv1.EventName_EVENT_NAME_DAMAGE_ROLLED)
	turnStarted    = rule.Name(cocv1.EventName_EVENT_NAME_TURN_STARTED)
	combatEnded    = rule.Name(cocv1.EventName_EVENT_NAME_COMBAT_ENDED)
	covered        = rule.Name(cocv1.EventName_EVENT_NAME_COVERED)
	treated        = rule.Name(cocv1.EventName_EVENT_NAME_TREATED_AS_CRITICAL)
	rightGained    = rule.Name(cocv1.EventName_EVENT_NAME_RIGHT_GAINED)
	specialDecided = rule.Name(cocv1.EventName_EVENT_NAME_SPECIAL_DECIDED)
	condition      = rule.Name(cocv1.EventName_EVENT_NAME_CONDITION_GAINED)

	factSkill    = rule.Key(cocv1.FactKey_FACT_KEY_SKILL)
	factRoll     = rule.Key(cocv1.FactKey_FACT_KEY_ROLL)
	factWeapon   = rule.Key(cocv1.FactKey_FACT_KEY_WEAPON)
	factFinal    = rule.Key(cocv1.FactKey_FACT_KEY_FINAL)
	factDecision = rule.Key(cocv1.FactKey_FACT_KEY_DECISION)
	factOrder    = rule.Key(cocv1.FactKey_FACT_KEY_ORDER)
)

func sample(id string, npc bool, hp int32) *tablev1.Character {
	kind, side := tablev1.CharacterKind_CHARACTER_KIND_PC, "pc"
	if npc {
		kind, side = tablev1.CharacterKind_CHARACTER_KIND_NPC, "enemy"
	}
	n := func(v int32) *int32 { return &v }
	return &tablev1.Character{
		Id: id, Name: strings.ToUpper(id[:1]) + id[1:], Kind: kind, Side: side, Sample: id,
		Review: tablev1.Review_REVIEW_APPROVED, Audience: rule.Public,
		Stats: []*typev1.Stat{
			{Key: "club", Value: n(60), Base: n(25), Audience: rule.Values},
			{Key: "spot", Value: n(65), Base: n(25), Audience: rule.Values},
		},
		Resources: []*typev1.Resource{{Key: "hp", Value: n(hp), Max: n(hp), Band: typev1.Band_BAND_UNHURT, Audience: rule.HP}},
		Details: &tablev1.Details{Ruleset: &tablev1.Details_Coc{Coc: &cocv1.Details{
			Combat: &cocv1.Combat{},
			Weapons: []*cocv1.Weapon{
				{Id: "baton", Template: "baton", InHand: true, Ready: true, State: cocv1.WeaponState_WEAPON_STATE_OK, Durability: n(20), Audience: rule.Public},
				{Id: "fist", Template: "fist", InHand: true, Ready: true, State: cocv1.WeaponState_WEAPON_STATE_OK, Audience: rule.Public},
			},
		}}},
	}
}

// testRules is the Maker of the tests. A pack that asks for it makes it fail.
func testRules(name string, pack []byte) (*rule.Ruleset, error) {
	if strings.Contains(string(pack), "broken") {
		return nil, errors.New("pack: " + string(pack))
	}
	r := &rule.Ruleset{
		Name: name, Prefix: "COC-",
		Options: rule.NewOptions([]rule.Option{{Key: "mercy", Default: "false", Values: rule.OnOff}}),
		Pack:    rule.Pack{Name: "test", Hash: "00"},
		Sheet: rule.Sheet{
			Stats:    []rule.Stat{{Key: "club"}, {Key: "spot"}, {Key: "hp", Resource: true}},
			Statuses: []rule.Status{{Key: "knocked_down"}, {Key: "unconscious"}, {Key: "plus10_right", Audience: rule.Mind}},
		},
		Samples: []rule.Sample{{ID: "officer"}, {ID: "nurse"}, {ID: "thug", NPC: true}},
	}
	r.FromSample = func(id string) (*tablev1.Character, *rule.Refusal) {
		switch id {
		case "officer":
			return sample(id, false, 14), nil
		case "nurse":
			return sample(id, false, 11), nil
		case "thug":
			return sample(id, true, 13), nil
		}
		return nil, rule.Core(tablev1.Reason_REASON_NOT_FOUND, "sample")
	}
	rule.Register(r, rule.Action[*cocv1.Check]{Secret: true, Valid: validCheck, Run: runCheck})
	rule.Register(r, rule.Action[*cocv1.Attack]{Valid: validAttack, Run: runAttack})
	rule.Register(r, rule.Action[*cocv1.EndTurn]{Run: func(c *rule.Ctx, by string, _ *cocv1.EndTurn) {
		c.Then("", &cocv1.NextTurn{})
	}})
	rule.Register(r, rule.Action[*cocv1.EndCombat]{GM: true, Table: true, Run: func(c *rule.Ctx, _ string, _ *cocv1.EndCombat) {
		c.Emit(c.Event(combatEnded, "COC-CMB-08", "").Change(rule.EndEncounter()))
	}})
	rule.Register(r, rule.Action[*cocv1.SpecialAction]{Run: runSpecial})
	rule.Register(r, rule.Action[*cocv1.TreatAsCritical]{GM: true, Lever: true, Table: true, Valid: validTreat, Run: runTreat})
	rule.Register(r, rule.Action[*cocv1.Week]{GM: true, Table: true, Valid: func(*rule.View, string, *cocv1.Week) *rule.Refusal { panic("a bug") }, Run: func(*rule.Ctx, string, *cocv1.Week) {}})
	rule.RegisterStep(r, nextTurn)
	rule.RegisterPrompt(r, rule.Prompt[*cocv1.Defend]{})
	rule.RegisterPrompt(r, rule.Prompt[*cocv1.Cover]{Valid: func(_ *rule.View, w *tablev1.Window, _ string, _ *cocv1.Cover) *rule.Refusal {
		if !w.Open {
			return rule.Refuse(cocv1.Reason_REASON_COVER_TOO_LATE, "COC-DEF-07", "")
		}
		return nil
	}})
	rule.RegisterPrompt(r, rule.Prompt[*cocv1.AllowSpecial]{})
	rule.RegisterPrompt(r, rule.Prompt[*cocv1.CriticalBenefit]{Settle: func(c *rule.Ctx, w *tablev1.Window, a *cocv1.CriticalBenefit) {
		if a.Choice == cocv1.CriticalBenefit_CHOICE_PLUS10 {
			c.Emit(c.Event(rightGained, "COC-CHK-05", w.About))
		}
	}})
	rule.RegisterLevers(r)
	return r, nil
}

func validCheck(v *rule.View, by string, m *cocv1.Check) *rule.Refusal {
	if table.Stat(v.Character(by), m.Skill) == nil {
		return rule.Refuse(cocv1.Reason_REASON_UNKNOWN_SKILL, "COC-CHK-01", "skill")
	}
	return nil
}

func runCheck(c *rule.Ctx, by string, m *cocv1.Check) {
	roll := c.Percentile("check", by)
	value := table.Stat(c.Character(by), m.Skill).GetValue()
	c.Emit(c.Event(checkResolved, "COC-CHK-01", by).For(c.Audience).
		Words(factSkill, "", rule.Public, m.Skill).Number(factRoll, "", rule.Public, roll).
		Trace(&typev1.TraceLine{Of: by, Label: m.Skill, Value: &value}, &typev1.TraceLine{Label: "fast", Rule: "COC-CHK-03", Suppressed: true}))
	if roll <= 5 {
		choice := func(id string, ch cocv1.CriticalBenefit_Choice) *tablev1.PromptChoice {
			return rule.Choice(id, &cocv1.CriticalBenefit{Choice: ch})
		}
		c.AskLater(&rule.Window{Name: "critical_benefit", Rule: "COC-CHK-02", Kind: tablev1.WindowKind_WINDOW_KIND_ONE, About: by, Slots: []rule.Slot{{
			Choices: []*tablev1.PromptChoice{choice("plus10", cocv1.CriticalBenefit_CHOICE_PLUS10), choice("nothing", cocv1.CriticalBenefit_CHOICE_NOTHING)},
			Default: "plus10",
		}}})
	}
}

func combat(c *tablev1.Character) *cocv1.Combat { return c.GetDetails().GetCoc().GetCombat() }

func validAttack(v *rule.View, by string, m *cocv1.Attack) *rule.Refusal {
	if combat(v.Character(by)).GetAttacksMade() > 0 {
		return rule.Refuse(cocv1.Reason_REASON_ALREADY_ATTACKED, "COC-CMB-09", "")
	}
	return nil
}

func runAttack(c *rule.Ctx, by string, m *cocv1.Attack) {
	roll := c.Percentile("attack", by)
	c.Emit(c.Event(checkResolved, "COC-CHK-01", by).Number(factRoll, "", rule.Public, roll).
		Change(rule.SetPart(by, rule.Wrap[*tablev1.Part](&cocv1.Combat{AttacksMade: 1}))))
	target := m.Target
	if victim := askCover(c, by, target); victim != "" {
		c.Emit(c.Event(covered, "COC-DEF-07", victim).On(target))
		target = victim
	}
	choices := []*tablev1.PromptChoice{
		rule.Choice("none", &cocv1.Defend{Kind: &cocv1.Defend_None{None: &cocv1.NoDefence{}}}),
		rule.Choice("dodge", &cocv1.Defend{Kind: &cocv1.Defend_Dodge{Dodge: &cocv1.Dodge{}}},
			&tablev1.Input{Name: "dedicate", Path: "coc.defend.dedicate", Kind: tablev1.InputKind_INPUT_KIND_BOOL, MaxCount: 1}),
	}
	answer := c.Ask(&rule.Window{Name: "defend", Rule: "COC-DEF-01", Kind: tablev1.WindowKind_WINDOW_KIND_ONE, BecauseOf: by,
		Slots: []rule.Slot{{Character: target, Choices: choices, Default: "none"}}})[0]
	if d := rule.Unpack[*cocv1.Defend](answer); d.GetDodge() != nil {
		roll := c.Percentile("dodge", target)
		was := combat(c.Character(target)).GetDefCount().GetDodge()
		next := &cocv1.Combat{AttacksMade: combat(c.Character(target)).GetAttacksMade(), DefCount: &cocv1.DefenceCount{Dodge: was + 1}}
		c.Emit(c.Event(defenceRolled, "COC-DEF-01", target).Number(factRoll, "", rule.Public, roll).
			Change(rule.SetPart(target, rule.Wrap[*tablev1.Part](next))))
		if roll <= 30 {
			c.Emit(c.Event(attackAvoided, "COC-DEF-01", by).On(target))
			return
		}
	}
	c.Emit(c.Event(attackHit, "COC-ATK-01", by).On(target).Words(factWeapon, "", rule.Public, m.Weapon))
	hurt(c, by, target)
}

func askCover(c *rule.Ctx, by, target string) string {
	w := &rule.Window{Name: "cover", Rule: "COC-DEF-07", Kind: tablev1.WindowKind_WINDOW_KIND_FIRST_TAKER, BecauseOf: by, About: target,
		Takes: func(a *tablev1.Answer) bool { return a.GetCoc().GetCover().GetCover() }}
	for _, ch := range c.State.Characters {
		if ch.Id != target && ch.Side == c.Character(target).Side {
			w.Slots = append(w.Slots, rule.Slot{Character: ch.Id, Default: "decline", Choices: []*tablev1.PromptChoice{
				rule.Choice("cover", &cocv1.Cover{Cover: true}), rule.Choice("decline", &cocv1.Cover{}),
			}})
		}
	}
	for _, a := range c.Ask(w) {
		if a.GetAnswer().GetCoc().GetCover().GetCover() {
			return a.Character
		}
	}
	return ""
}

func hurt(c *rule.Ctx, by, target string) {
	faces := c.Roll("damage", by, dice.Dice{Count: 2, Sides: 6})
	n := faces[0] + faces[1]
	if combat(c.Character(by)).GetTreatedAsCritical() {
		n *= 2
	}
	sheet := c.Character(target)
	hp := table.Resource(sheet, "hp")
	wound := &cocv1.Wound{Id: int32(len(sheet.GetDetails().GetCoc().GetWounds()) + 1), Amount: n}
	c.Emit(c.Event(damageRolled, "COC-ATK-02", by).On(target).Number(factFinal, target, rule.HP, n).
		Change(rule.SetResource(target, hp, hp.GetValue()-n), rule.SetPart(target, rule.Wrap[*tablev1.Part](wound))))
	if hp.GetValue() <= n && !c.Flag("mercy") {
		c.Emit(c.Event(condition, "COC-INJ-03", target).Change(
			rule.SetStatus(target, &typev1.Status{Key: "unconscious", Causes: []string{"low_hp"}, Audience: rule.Public,
				Duration: &typev1.Duration{Clock: typev1.Clock_CLOCK_ROUND, Until: table.Clock(c.State, typev1.Clock_CLOCK_ROUND) + 2}})))
	}
}

func nextTurn(c *rule.Ctx, _ string, _ *cocv1.NextTurn) {
	e := c.Encounter()
	at := e.Pointer % int32(len(e.Order))
	c.Emit(c.Event(turnStarted, "COC-CMB-06", e.Order[at]).Characters(factOrder, "", rule.Public, e.Order...).
		Change(rule.SetEncounter(&tablev1.Encounter{Roster: e.Roster, Order: e.Order, Round: e.Round, Step: e.Step, Turn: e.Order[at : at+1 : at+1], Pointer: at + 1})))
}

func runSpecial(c *rule.Ctx, by string, m *cocv1.SpecialAction) {
	check := rule.Choice("check", &cocv1.AllowSpecial{Choice: &cocv1.AllowSpecial_Check{Check: &cocv1.SpecialCheck{}}},
		&tablev1.Input{Name: "mod", Path: "coc.allow_special.check.mod", Kind: tablev1.InputKind_INPUT_KIND_NUMBER, Min: -100, Max: 100, MinCount: 1, MaxCount: 1})
	refuse := rule.Choice("refuse", &cocv1.AllowSpecial{Choice: &cocv1.AllowSpecial_Refuse{Refuse: &cocv1.Refuse{}}})
	a := c.Ask(&rule.Window{Name: "allow_special", Rule: "COC-CMB-10", Kind: tablev1.WindowKind_WINDOW_KIND_ONE, BecauseOf: by,
		Slots: []rule.Slot{{Choices: []*tablev1.PromptChoice{refuse, check}, Default: "refuse"}}})[0]
	c.Emit(c.Event(specialDecided, "COC-CMB-10", by).Words(factDecision, "", rule.Public, a.Choice))
	if a.Choice == "check" {
		c.Percentile("special", by)
	}
}

func validTreat(v *rule.View, _ string, m *cocv1.TreatAsCritical) *rule.Refusal {
	ref := v.Ref(m.RollId)
	if ref.Event == nil || ref.Event.Name != "check_resolved" {
		return rule.Core(tablev1.Reason_REASON_NOT_FOUND, "roll_id")
	}
	if !ref.Open {
		return rule.Refuse(cocv1.Reason_REASON_TOO_LATE, "COC-ATK-07", "")
	}
	return nil
}

func runTreat(c *rule.Ctx, _ string, m *cocv1.TreatAsCritical) {
	by := c.Ref(m.RollId).Event.Actor
	c.Emit(c.Event(treated, "COC-ATK-07", by).Change(rule.SetPart(by, rule.Wrap[*tablev1.Part](&cocv1.Combat{AttacksMade: 1, TreatedAsCritical: true}))))
}
