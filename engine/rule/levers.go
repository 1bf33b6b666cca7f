package rule

import (
	"github.com/hantei/hantei/engine/table"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
)

// The core levers: what a GM may do at any time in every ruleset that takes it.
// They are actions like any other, and are taken while a step waits.

var (
	namePlaced           = Name(tablev1.EventName_EVENT_NAME_PLACED)
	nameModifierAttached = Name(tablev1.EventName_EVENT_NAME_MODIFIER_ATTACHED)
	nameRuleNoted        = Name(tablev1.EventName_EVENT_NAME_RULE_NOTED)
	nameUnplaced         = Name(tablev1.EventName_EVENT_NAME_UNPLACED)
	nameStepCancelled    = Name(tablev1.EventName_EVENT_NAME_STEP_CANCELLED)
	namePromptWithdrawn  = Name(tablev1.EventName_EVENT_NAME_PROMPT_WITHDRAWN)
	nameSceneEnded       = Name(tablev1.EventName_EVENT_NAME_SCENE_ENDED)
	namePromptAnswered   = Name(tablev1.EventName_EVENT_NAME_PROMPT_ANSWERED)

	factPrompt    = Key(tablev1.FactKey_FACT_KEY_PROMPT)
	factChoice    = Key(tablev1.FactKey_FACT_KEY_CHOICE)
	factText      = Key(tablev1.FactKey_FACT_KEY_TEXT)
	factSquare    = Key(tablev1.FactKey_FACT_KEY_SQUARE)
	factModifier  = Key(tablev1.FactKey_FACT_KEY_MODIFIER)
	factAppliesTo = Key(tablev1.FactKey_FACT_KEY_APPLIES_TO)
)

// AnyCheck is what a modifier applies to that is for any check.
const AnyCheck = "check"

// leverGroup is the group of the core's levers in lists of actions.
const leverGroup = "table"

// RegisterLevers adds the core levers to a ruleset. EndScene is among them where
// the ruleset has standing prompts. What the ruleset has to say on an override must be
// set before.
func RegisterLevers(r *Ruleset) {
	Register(r, Action[*tablev1.Place]{Group: leverGroup, Lever: true, Table: true, Offers: offerPlace, Valid: validPlace, Run: placeToken})
	Register(r, Action[*tablev1.Modify]{Group: leverGroup, GM: true, Lever: true, Table: true, Offers: offerModify, Valid: validModify, Run: modify})
	Register(r, Action[*tablev1.Note]{Group: leverGroup, GM: true, Lever: true, Table: true, Offers: offerNote, Run: note})
	Register(r, Action[*tablev1.Reveal]{Group: leverGroup, Lever: true, Table: true, Valid: validReveal, Run: reveal})
	Register(r, Action[*tablev1.CancelStep]{Group: leverGroup, GM: true, Lever: true, Table: true, Cancels: true, Offers: offerCancel, Valid: validCancel, Run: cancelStep})
	registerOverride(r)
	for _, p := range r.prompts {
		if p.settle != nil {
			Register(r, Action[*tablev1.EndScene]{Group: leverGroup, GM: true, Table: true, Offers: offerEndScene, Run: func(c *Ctx, _ string, _ *tablev1.EndScene) { endScene(c, r) }})
			return
		}
	}
}

func validCancel(v *View, _ string, _ *tablev1.CancelStep) *Refusal {
	if v.Waits() {
		return nil
	}
	return Core(tablev1.Reason_REASON_NOT_FOUND, "").Say("no_step_waits")
}

// Withdraw withdraws the questions of the step that waits.
func Withdraw(c *Ctx) {
	for _, w := range c.State.Windows {
		if !w.Open || w.Standing {
			continue
		}
		closed := proto.Clone(w).(*tablev1.Window)
		closed.Open = false
		e := c.Event(namePromptWithdrawn, w.Rule, w.BecauseOf).For(w.Audience).Words(factPrompt, "", Public, w.Name)
		for _, s := range closed.Slots {
			if s.State == tablev1.SlotState_SLOT_STATE_OPEN {
				s.State, s.Choices = tablev1.SlotState_SLOT_STATE_WITHDRAWN, nil
				if s.Character != "" {
					e.On(s.Character)
				}
			}
		}
		c.Emit(e.Change(SetWindow(closed)))
	}
}

// cancelStep withdraws the questions of the step that waits; the resolver ends it.
func cancelStep(c *Ctx, _ string, _ *tablev1.CancelStep) {
	Withdraw(c)
	e := c.Event(nameStepCancelled, "", "")
	if len(c.State.Agenda) > 0 {
		// What should have followed counts on the step that is cancelled.
		e.Change(&tablev1.Change{Change: &tablev1.Change_Agenda{Agenda: &tablev1.AgendaChange{}}})
	}
	c.Emit(e)
}

func validPlace(v *View, _ string, p *tablev1.Place) *Refusal {
	if v.Character(p.Character) == nil {
		return Core(tablev1.Reason_REASON_NOT_FOUND, "action.core.place.character")
	}
	if !v.Seat.GM && (!v.Controls(p.Character) || v.Encounter() != nil) {
		return Core(tablev1.Reason_REASON_NOT_YOUR_SEAT, "action.core.place.character").Say("gm_moves_outside_turn")
	}
	return nil
}

func placeToken(c *Ctx, _ string, p *tablev1.Place) {
	name := namePlaced
	if p.Square == nil {
		name = nameUnplaced
	}
	e := c.Event(name, "", p.Character).Change(SetPosition(p.Character, p.Square, Public))
	if p.Square != nil {
		e.Squares(factSquare, "", Public, p.Square).Walk(p.Character, []*typev1.Square{p.Square})
	}
	c.Emit(e)
}

func validModify(v *View, _ string, m *tablev1.Modify) *Refusal {
	ch := v.Character(m.Character)
	if ch == nil {
		return Core(tablev1.Reason_REASON_NOT_FOUND, "action.core.modify.character")
	}
	if m.AppliesTo != "" && table.Stat(ch, m.AppliesTo) == nil {
		return Core(tablev1.Reason_REASON_INVALID_FIELD, "action.core.modify.applies_to").Say("no_stat_of_sheet").
			Suggest(m.AppliesTo, statKeys(ch))
	}
	return nil
}

func statKeys(c *tablev1.Character) []string {
	keys := make([]string, len(c.Stats))
	for i, s := range c.Stats {
		keys[i] = s.Key
	}
	return keys
}

// modify attaches a modifier for one roll. A second one for the same stat
// replaces the first: the GM corrects himself.
func modify(c *Ctx, _ string, m *tablev1.Modify) {
	appliesTo := m.AppliesTo
	if appliesTo == "" {
		appliesTo = AnyCheck
	}
	c.Emit(c.Event(nameModifierAttached, "", m.Character).
		Number(factModifier, "", Values, m.Value).
		Words(factAppliesTo, "", Values, appliesTo).
		Text(factText, "", Values, m.Reason).
		Change(SetModifier(m.Character, &typev1.Modifier{
			Id: "gm." + appliesTo, AppliesTo: appliesTo, Op: typev1.ModifierOp_MODIFIER_OP_ADD, Value: &m.Value,
			Uses: 1, Reason: m.Reason, Audience: Values,
		})))
}

func note(c *Ctx, _ string, n *tablev1.Note) {
	c.Emit(c.Event(nameRuleNoted, "", "").Text(factText, "", Public, n.Text))
}

// endScene ends the scene; standing windows take their defaults.
func endScene(c *Ctx, r *Ruleset) {
	SettleAll(c, r)
	scene := table.Clock(c.State, typev1.Clock_CLOCK_SCENE) + 1
	c.Emit(c.Event(nameSceneEnded, "", "").Change(SetClock(typev1.Clock_CLOCK_SCENE, scene)))
}

// SettleAll settles every standing window with its default, in the order in which
// they were opened.
func SettleAll(c *Ctx, r *Ruleset) {
	for _, w := range c.State.Windows {
		if w.Open && w.Standing {
			SettleDefault(c, r, w)
		}
	}
}

// SettleDefault settles a standing window with its default.
func SettleDefault(c *Ctx, r *Ruleset, w *tablev1.Window) {
	for _, s := range w.Slots {
		if s.State == tablev1.SlotState_SLOT_STATE_OPEN {
			Settle(c, r, w, defaultOf(s))
		}
	}
}

func defaultOf(s *tablev1.Slot) *tablev1.Answered {
	for _, ch := range s.Choices {
		if ch.Id == s.DefaultChoice {
			return &tablev1.Answered{Character: s.Character, Choice: ch.Id, Answer: ch.Answer, By: tablev1.AnsweredBy_ANSWERED_BY_DEFAULT}
		}
	}
	panic("rule: a slot without its default " + s.DefaultChoice)
}

// Chooser is the audience of a choice before it takes effect: whoever made it.
func Chooser(character string) typev1.Audience {
	if character == "" {
		return GM
	}
	return Owner
}

// Settle closes a standing window and lets its prompt resolve the answer.
func Settle(c *Ctx, r *Ruleset, w *tablev1.Window, a *tablev1.Answered) {
	closed := proto.Clone(w).(*tablev1.Window)
	closed.Open = false
	for _, s := range closed.Slots {
		s.State, s.Choices = tablev1.SlotState_SLOT_STATE_ANSWERED, nil
	}
	e := c.Event(namePromptAnswered, w.Rule, w.BecauseOf).For(w.Audience)
	if a.Character != "" {
		e.On(a.Character)
	}
	c.Emit(e.Words(factPrompt, "", Public, w.Name).
		Words(factChoice, a.Character, Chooser(a.Character), a.Choice).
		Change(SetWindow(closed)))
	m, _ := Unwrap(a.Answer)
	r.Prompt(w.Name).Settle(c, w, m)
}
