package host

import (
	"context"

	"github.com/hantei/hantei/engine/dice"
	"github.com/hantei/hantei/engine/resolve"
	"github.com/hantei/hantei/engine/rule"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

// Act is an action that a seat declares.
type Act struct {
	// Request identifies the request.
	Request Request
	// Actor who acts; empty for the table, and with an offer.
	Actor string
	// Action is the typed action; or
	Action *tablev1.Action
	// Offer is an offer's id, with Values for its inputs.
	Offer  string
	Values []*tablev1.Value
	// Given are dice thrown by hand.
	Given []string
	// Audience is who may know what a declared check brings.
	Audience typev1.Audience
}

// Outcome is what a command brought, as the caller's seat sees it.
type Outcome struct {
	// Step is the opaque handle of the command.
	Step string
	// Waits is true if the table waits for answers.
	Waits bool
	// Events are what happened.
	Events []*tablev1.EventView
	// Prompts are those that the seat may answer, WaitingOn all that are open.
	Prompts   []*tablev1.PromptView
	WaitingOn []*tablev1.WaitingView
	// Cursor is where to read on.
	Cursor string
	// Action is the action as it was taken; nil for an answer.
	Action *tablev1.Action
}

// Act resolves an action until it is done or somebody must decide.
func (h *Host) Act(ctx context.Context, by Caller, a Act) (*Outcome, error) {
	return h.play(ctx, by, a.Request, func(t *table, s *sitting) (*tablev1.Commit, error) {
		return t.act(ctx, s, a)
	})
}

// play runs a command of the game.
func (h *Host) play(ctx context.Context, by Caller, r Request, f func(*table, *sitting) (*tablev1.Commit, error)) (*Outcome, error) {
	return h.playWith(ctx, by, r, func(t *table, s *sitting, _ *conclusion) (*tablev1.Commit, error) { return f(t, s) })
}

// playWith is play of a command that changes more than the log: f says what.
func (h *Host) playWith(ctx context.Context, by Caller, r Request, f func(*table, *sitting, *conclusion) (*tablev1.Commit, error)) (*Outcome, error) {
	type made struct {
		look   *Look
		moment *Moment
	}
	m, kept, err := single(ctx, h, by, r, func(t *table) (made, error) {
		s, refusal := t.sit(by)
		if refusal != nil {
			return made{}, refusal
		}
		if s.viewer.Observer {
			return made{}, notYours("").Say("you_look_on")
		}
		with := conclusion{by: by, request: r}
		c, err := f(t, s, &with)
		if err != nil {
			return made{}, t.discreet(s, err)
		}
		moment, err := t.conclude(context.WithoutCancel(ctx), c, with)
		if err != nil {
			return made{}, err
		}
		return made{t.look(s, by.Lang), moment}, nil
	})
	if err != nil {
		return nil, err
	}
	if kept != nil {
		look, now, err := h.Look(ctx, by)
		if err != nil {
			return nil, err
		}
		m.look = look
		if m.moment, err = h.again(ctx, look, now, *kept); err != nil {
			return nil, err
		}
	}
	return m.look.outcome(m.moment, by), nil
}

// outcome shows a moment to whoever brought it about.
func (l *Look) outcome(m *Moment, by Caller) *Outcome {
	o := &Outcome{
		Step: opaque(l.keys.steps, l.tag, m.Commit), Waits: m.Waits, Events: l.Events(m),
		// It is the same whenever the request is repeated; that the table went on
		// to this commit is no secret to its maker.
		Cursor: l.keys.cursor("outcome/"+by.principal(), Position{Table: l.Table, Commit: m.Commit}),
	}
	o.Prompts, o.WaitingOn = l.Prompts(m)
	if action := m.command.GetAction(); action != nil {
		o.Action = eventIDs(l.keys, l.tag, action)
	}
	return o
}

func (t *table) act(ctx context.Context, s *sitting, a Act) (*tablev1.Commit, error) {
	given, refusal := t.given(s, a.Given)
	if refusal != nil {
		return nil, refusal
	}
	actor, action, err := t.declared(s, a)
	if err != nil {
		return nil, err
	}
	return t.res.Act(t.env(context.WithoutCancel(ctx), s, given), actor, action, a.Audience)
}

// declared is what a seat declares, with its offer filled in. It refuses what the seat
// could find out by it.
func (t *table) declared(s *sitting, a Act) (string, *tablev1.Action, error) {
	actor, action := a.Actor, a.Action
	if a.Offer != "" {
		var refusal *rule.Refusal
		if actor, action, refusal = t.take(s, a); refusal != nil {
			return "", nil, refusal
		}
	} else {
		var err error
		if action, err = sequences(t, s, action, "action"); err != nil {
			return "", nil, err
		}
	}
	if refusal := t.checkKnown(s, "actor", actor); refusal != nil {
		return "", nil, refusal
	}
	if t.hides(s) {
		info, m := t.game.Rules.Action(action)
		if info != nil && (actor == "") == info.Table {
			if refusal := info.Valid(t.without(s), actor, m); refusal != nil {
				return "", nil, refusal
			}
		}
	}
	return actor, action, nil
}

// take fills an offer in. It is looked for among the offers of this moment.
func (t *table) take(s *sitting, a Act) (string, *tablev1.Action, *rule.Refusal) {
	o := resolve.Offer(t.game.Rules, t.projected(s), a.Offer)
	switch {
	case o == nil:
		return "", nil, rule.Core(tablev1.Reason_REASON_OFFER_GONE, "offer.offer_id")
	case o.Form:
		return "", nil, invalid("offer.offer_id").Say("offer_is_form")
	case a.Actor != "" && a.Actor != o.Actor:
		return "", nil, invalid("actor").Say("offer_of_another")
	}
	action, refusal := resolve.Take(o, a.Values)
	return o.Actor, action, refusal
}

// given reads dice that were thrown by hand. The GM may always give some, and
// everybody sees that they were given; players where the table throws by hand.
func (t *table) given(s *sitting, all []string) ([]dice.Given, *rule.Refusal) {
	if len(all) == 0 {
		return nil, nil
	}
	bad := rule.Core(tablev1.Reason_REASON_BAD_DICE, "given_dice")
	if v := t.res.View(s.rule); !s.gm() && v.Option("given_dice") != "all" {
		return nil, bad.Say("not_by_hand")
	}
	var out []dice.Given
	count := int32(0)
	for _, text := range all {
		g, err := dice.ParseGiven(text)
		if err != nil {
			return nil, bad.Say("given_form", rule.Sent("sent", text), rule.Because("why", rule.DiceDetail(err)))
		}
		if count += g.Count; count > MaxDice {
			return nil, tooLarge("given_dice").Say("most_dice", rule.Number("most", MaxDice))
		}
		out = append(out, g)
	}
	return out, nil
}
