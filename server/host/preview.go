package host

import (
	"context"
	"errors"
	"runtime"

	"github.com/hantei/hantei/engine/odds"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/view"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
)

// Preview is an action that a seat tries without declaring it, or a prompt whose answers
// are compared.
type Preview struct {
	// Prompt is the id of an open prompt; or
	Prompt string
	// Actor, Action, Offer and Values are as in Act.
	Actor  string
	Action *tablev1.Action
	Offer  string
	Values []*tablev1.Value
	// Answers are how questions are answered.
	Answers []odds.Answer
}

// previews is how many previews are worked out at a time: they are nothing but
// computing, and leave half of the machine to play.
func previews() int { return max(1, runtime.GOMAXPROCS(0)/2) }

// Preview works out what can come of an action, as far as the seat may know. It takes
// place beside the table, which goes on meanwhile.
func (h *Host) Preview(ctx context.Context, by Caller, p Preview) (*tablev1.OddsView, error) {
	type tried struct {
		look  *Look
		now   *Moment
		query *odds.Query
	}
	x, err := ask(ctx, h, by.Table, func(t *table) (tried, error) {
		s, refusal := t.sit(by)
		if refusal != nil {
			return tried{}, refusal
		}
		if s.viewer.Observer {
			return tried{}, notYours("").Say("you_look_on")
		}
		q, err := t.preview(ctx, s, p)
		if err != nil {
			return tried{}, t.discreet(s, err)
		}
		return tried{t.look(s, by.Lang), t.present(), q}, nil
	})
	if err != nil {
		return nil, err
	}
	select {
	case h.previewing <- struct{}{}:
		defer func() { <-h.previewing }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	x.query.Cancelled = func() bool { return ctx.Err() != nil }
	o, err := odds.Of(x.query)
	switch {
	case errors.Is(err, odds.ErrCancelled):
		return nil, ctx.Err()
	case err != nil:
		return nil, err
	}
	return x.look.odds(o, x.query, x.now), nil
}

// preview is what the odds are asked of: the whole state for the GM, and for others the
// one that they see, so that nothing else can come out.
func (t *table) preview(ctx context.Context, s *sitting, p Preview) (*odds.Query, error) {
	for _, a := range p.Answers {
		if refusal := t.supposable(a); refusal != nil {
			return nil, refusal
		}
	}
	if p.Prompt != "" {
		return t.previewAnswers(s, p)
	}
	actor, action, err := t.declared(s, Act{Actor: p.Actor, Action: p.Action, Offer: p.Offer, Values: p.Values})
	if err != nil {
		return nil, err
	}
	if err := t.res.CheckAct(t.env(context.WithoutCancel(ctx), s, nil), actor, action); err != nil {
		return nil, err
	}
	switch info, _ := t.game.Rules.Action(action); {
	case info.Lever:
		return nil, invalid("action").Say("nothing_to_chance")
	case info.NoOdds:
		return nil, invalid("action").Say("no_odds")
	}
	q := &odds.Query{Rules: t.game.Rules, Seat: s.rule, Actor: actor, Action: action, Answers: p.Answers}
	if s.gm() {
		q.State = proto.CloneOf(t.res.State())
		return q, nil
	}
	q.State = stateFor(t, s)
	viewer, vis := s.viewer, t.vis
	q.Sees = func(of string, a typev1.Audience) bool { return view.SeesValue(viewer, vis, a, of) }
	return q, nil
}

// previewAnswers is what the odds are asked of where a step waits. What has led there
// may have been hidden from anybody but the GM.
func (t *table) previewAnswers(s *sitting, p Preview) (*odds.Query, error) {
	w, character, refusal := t.named(s, p.Prompt)
	switch {
	case refusal != nil:
		return nil, refusal
	case !s.gm():
		return nil, notYours("prompt_id").Say("gm_only")
	case !w.Open:
		return nil, rule.Core(tablev1.Reason_REASON_PROMPT_CLOSED, "prompt_id")
	case w.Standing:
		return nil, invalid("prompt_id").Say("nothing_waits")
	}
	step := t.res.Suspended()
	if step == nil {
		return nil, rule.Core(tablev1.Reason_REASON_FROZEN, "")
	}
	return &odds.Query{
		Rules: t.game.Rules, Seat: s.rule, State: step.Before, Answers: p.Answers,
		Waiting: &odds.Waiting{Step: step.Step, Journal: step.Journal, Character: character, Now: proto.CloneOf(t.res.State())},
	}, nil
}

// supposable refuses an answer to what nobody ever asks.
func (t *table) supposable(a odds.Answer) *rule.Refusal {
	if t.game.Rules.Prompt(a.Prompt) != nil {
		return nil
	}
	var names []string
	for _, p := range t.game.Rules.Prompts() {
		names = append(names, p.Name)
	}
	return invalid("answers.prompt").Say("no_prompt", rule.Sent("sent", a.Prompt)).Suggest(a.Prompt, names)
}

// odds are what the seat is told of the odds of a query at a moment.
func (l *Look) odds(o *odds.Odds, q *odds.Query, now *Moment) *tablev1.OddsView {
	out := view.Odds(o, q, l.viewer, now.Visibility)
	view.RenderOdds(out, l.lang, l.Game.Texts, now.names.of)
	return out
}
