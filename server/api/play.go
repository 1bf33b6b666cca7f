package api

import (
	"context"
	"time"

	"github.com/hantei/hantei/engine/odds"
	"github.com/hantei/hantei/engine/resolve"
	"github.com/hantei/hantei/engine/rule"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
	"github.com/hantei/hantei/server/host"
	"github.com/hantei/hantei/server/stream"
	"google.golang.org/protobuf/proto"
)

// playService plays.
type playService struct {
	hanteiv1.UnimplementedPlayServiceServer
	*edge
	host    *host.Host
	watcher *stream.Watcher
}

// eventsPage is how many events a page has unless the caller says otherwise;
// maxEvents is the most.
const (
	eventsPage = 100
	maxEvents  = 500
)

// maxAnswers is how many prompts are answered at once.
const maxAnswers = 50

// GetView implements hanteiv1.PlayServiceServer.
func (s *playService) GetView(ctx context.Context, r *hanteiv1.GetViewRequest) (*hanteiv1.GetViewResponse, error) {
	by, refusal := player(ctx, r.GetTableId())
	if refusal != nil {
		return nil, s.fail(ctx, refusal)
	}
	v, err := s.host.View(ctx, by, r.GetAsSeat())
	if err != nil {
		return nil, s.fail(ctx, err)
	}
	return &hanteiv1.GetViewResponse{View: v}, nil
}

// ListOffers implements hanteiv1.PlayServiceServer.
func (s *playService) ListOffers(ctx context.Context, r *hanteiv1.ListOffersRequest) (*hanteiv1.ListOffersResponse, error) {
	by, refusal := player(ctx, r.GetTableId())
	if refusal != nil {
		return nil, s.fail(ctx, refusal)
	}
	offers, err := s.host.Offers(ctx, by, r.GetActor())
	if err != nil {
		return nil, s.fail(ctx, err)
	}
	return &hanteiv1.ListOffersResponse{Offers: offers}, nil
}

// Act implements hanteiv1.PlayServiceServer.
func (s *playService) Act(ctx context.Context, r *hanteiv1.ActRequest) (*hanteiv1.ActResponse, error) {
	by, refusal := player(ctx, r.GetTableId())
	if refusal != nil {
		return nil, s.fail(ctx, refusal)
	}
	key, refusal := request(r.GetRequestId(), patient(r))
	if refusal != nil {
		return nil, s.fail(ctx, refusal)
	}
	if refusal := checkAct(r); refusal != nil {
		return nil, s.fail(ctx, refusal)
	}
	o, err := s.host.Act(ctx, by, host.Act{
		Request: key, Actor: r.GetActor(), Action: r.GetAction(), Offer: r.GetOffer().GetOfferId(),
		Values: r.GetOffer().GetValues(), Given: r.GetGivenDice(), Audience: r.GetAudience(),
	})
	if err != nil {
		return nil, s.fail(ctx, err)
	}
	o = s.await(ctx, by, o, r.GetWaitSeconds())
	return &hanteiv1.ActResponse{Outcome: outcome(o), Action: o.Action}, nil
}

// checkAct refuses what is no action at all.
func checkAct(r *hanteiv1.ActRequest) *rule.Refusal {
	if refusal := checkWhat(r.GetAction(), r.GetOffer()); refusal != nil {
		return refusal
	}
	return checkAudience(r.GetAudience())
}

// checkWhat refuses a declaration without an action or offer.
func checkWhat(a *tablev1.Action, o *hanteiv1.OfferChoice) *rule.Refusal {
	invalid := func(field string) *rule.Refusal { return rule.Core(tablev1.Reason_REASON_INVALID_FIELD, field) }
	switch {
	case a != nil:
		return nil
	case o == nil:
		return invalid("action").Say("oneof", rule.Code("names", "action", "offer"))
	case o.GetOfferId() == "":
		return invalid("offer.offer_id").Say("required")
	}
	return nil
}

// checkAudience refuses what nobody can ask for.
func checkAudience(a typev1.Audience) *rule.Refusal {
	switch a {
	case typev1.Audience_AUDIENCE_UNSPECIFIED, typev1.Audience_AUDIENCE_PUBLIC,
		typev1.Audience_AUDIENCE_OWNER, typev1.Audience_AUDIENCE_GM:
		return nil
	}
	return rule.Core(tablev1.Reason_REASON_INVALID_FIELD, "audience").
		Say("enum", rule.Code("names", "AUDIENCE_PUBLIC", "AUDIENCE_OWNER", "AUDIENCE_GM"))
}

// Answer implements hanteiv1.PlayServiceServer.
func (s *playService) Answer(ctx context.Context, r *hanteiv1.AnswerRequest) (*hanteiv1.AnswerResponse, error) {
	by, refusal := player(ctx, r.GetTableId())
	if refusal != nil {
		return nil, s.fail(ctx, refusal)
	}
	key, refusal := request(r.GetRequestId(), patient(r))
	if refusal != nil {
		return nil, s.fail(ctx, refusal)
	}
	if n := len(r.GetAnswers()); n > maxAnswers {
		return nil, s.fail(ctx, rule.Core(tablev1.Reason_REASON_TOO_LARGE, "answers").Say("repeated.max_items", rule.Number("max_items", maxAnswers)))
	}
	answers := make([]resolve.SlotAnswer, len(r.GetAnswers()))
	for i, a := range r.GetAnswers() {
		answers[i] = resolve.SlotAnswer{Character: a.GetCharacter(), Choice: a.GetChoice(), Values: a.GetValues(), Answer: a.GetAnswer()}
	}
	o, err := s.host.Answer(ctx, by, host.Answer{
		Request: key, Prompt: r.GetPromptId(), Window: r.GetWindow(), Answers: answers, Given: r.GetGivenDice(),
	})
	if err != nil {
		return nil, s.fail(ctx, err)
	}
	return &hanteiv1.AnswerResponse{Outcome: outcome(s.await(ctx, by, o, r.GetWaitSeconds()))}, nil
}

// patient is a request as it is told apart from others: how long its sender
// waits for others is no part of what it asks for.
func patient(r interface {
	proto.Message
	GetWaitSeconds() int32
}) proto.Message {
	if r.GetWaitSeconds() == 0 {
		return r
	}
	same := proto.Clone(r).ProtoReflect()
	same.Clear(same.Descriptor().Fields().ByName("wait_seconds"))
	return same.Interface()
}

// await waits for the others, if the caller wants to.
func (s *playService) await(ctx context.Context, by host.Caller, o *host.Outcome, seconds int32) *host.Outcome {
	if seconds <= 0 {
		return o
	}
	return s.watcher.Await(ctx, by, o, time.Duration(min(seconds, maxWait))*time.Second)
}

// maxWait is the longest that a call waits for others, in seconds.
const maxWait = 25

// Roll implements hanteiv1.PlayServiceServer.
func (s *playService) Roll(ctx context.Context, r *hanteiv1.RollRequest) (*hanteiv1.RollResponse, error) {
	by, refusal := player(ctx, r.GetTableId())
	if refusal != nil {
		return nil, s.fail(ctx, refusal)
	}
	key, refusal := request(r.GetRequestId(), r)
	if refusal != nil {
		return nil, s.fail(ctx, refusal)
	}
	if refusal := checkAudience(r.GetAudience()); refusal != nil {
		return nil, s.fail(ctx, refusal)
	}
	o, err := s.host.Roll(ctx, by, host.Roll{
		Request: key, Given: r.GetGivenDice(),
		Roll: resolve.Roll{Actor: r.GetActor(), Formula: r.GetFormula(), Text: r.GetText(), Audience: r.GetAudience()},
	})
	if err != nil {
		return nil, s.fail(ctx, err)
	}
	return &hanteiv1.RollResponse{Outcome: outcome(o)}, nil
}

// Undo implements hanteiv1.PlayServiceServer.
func (s *playService) Undo(ctx context.Context, r *hanteiv1.UndoRequest) (*hanteiv1.UndoResponse, error) {
	by, refusal := player(ctx, r.GetTableId())
	if refusal != nil {
		return nil, s.fail(ctx, refusal)
	}
	key, refusal := request(r.GetRequestId(), r)
	if refusal != nil {
		return nil, s.fail(ctx, refusal)
	}
	o, err := s.host.Undo(ctx, by, host.Undo{Request: key, Event: r.GetEventId(), Reason: r.GetReason()})
	if err != nil {
		return nil, s.fail(ctx, err)
	}
	return &hanteiv1.UndoResponse{Outcome: outcome(o)}, nil
}

// Override implements hanteiv1.PlayServiceServer.
func (s *playService) Override(ctx context.Context, r *hanteiv1.OverrideRequest) (*hanteiv1.OverrideResponse, error) {
	by, refusal := player(ctx, r.GetTableId())
	if refusal != nil {
		return nil, s.fail(ctx, refusal)
	}
	key, refusal := request(r.GetRequestId(), r)
	if refusal != nil {
		return nil, s.fail(ctx, refusal)
	}
	o, err := s.host.Override(ctx, by, host.Override{Request: key, Override: &tablev1.Override{
		Character: r.GetCharacter(), Operation: r.GetOperation(), Reason: r.GetReason(),
	}})
	if err != nil {
		return nil, s.fail(ctx, err)
	}
	return &hanteiv1.OverrideResponse{Outcome: outcome(o)}, nil
}

// Preview implements hanteiv1.PlayServiceServer.
func (s *playService) Preview(ctx context.Context, r *hanteiv1.PreviewRequest) (*hanteiv1.PreviewResponse, error) {
	by, refusal := player(ctx, r.GetTableId())
	if refusal != nil {
		return nil, s.fail(ctx, refusal)
	}
	if r.GetPromptId() == "" {
		if refusal := checkWhat(r.GetAction(), r.GetOffer()); refusal != nil {
			return nil, s.fail(ctx, refusal)
		}
	}
	p := host.Preview{Prompt: r.GetPromptId(), Actor: r.GetActor(), Action: r.GetAction(), Offer: r.GetOffer().GetOfferId(), Values: r.GetOffer().GetValues()}
	for _, a := range r.GetAnswers() {
		p.Answers = append(p.Answers, odds.Answer{Prompt: a.GetPrompt(), Character: a.GetCharacter(), Choice: a.GetChoice(), Values: a.GetValues()})
	}
	o, err := s.host.Preview(ctx, by, p)
	if err != nil {
		return nil, s.fail(ctx, err)
	}
	return &hanteiv1.PreviewResponse{Odds: o}, nil
}

func outcome(o *host.Outcome) *hanteiv1.Outcome {
	state := hanteiv1.StepState_STEP_STATE_DONE
	if o.Waits {
		state = hanteiv1.StepState_STEP_STATE_WAITING
	}
	return &hanteiv1.Outcome{
		StepId: o.Step, State: state, WaitingOn: o.WaitingOn, Events: o.Events, Prompts: o.Prompts, Cursor: o.Cursor,
	}
}

// ListEvents implements hanteiv1.PlayServiceServer.
func (s *playService) ListEvents(ctx context.Context, r *hanteiv1.ListEventsRequest) (*hanteiv1.ListEventsResponse, error) {
	by, refusal := player(ctx, r.GetTableId())
	if refusal != nil {
		return nil, s.fail(ctx, refusal)
	}
	size, refusal := pageSize(r.GetPageSize(), eventsPage, maxEvents)
	if refusal != nil {
		return nil, s.fail(ctx, refusal)
	}
	page, err := s.host.Events(ctx, by, r.GetAsSeat(), r.GetCursor(), size)
	if err != nil {
		return nil, s.fail(ctx, err)
	}
	return &hanteiv1.ListEventsResponse{Events: page.Events, Cursor: page.Cursor, More: page.More}, nil
}
