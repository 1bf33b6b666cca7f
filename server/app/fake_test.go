package app_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
	"github.com/hantei/hantei/server/app"
	"github.com/hantei/hantei/server/auth"
)

// The fake services answer in ways that the tests need, by the table's id.

const heartbeat = 20 * time.Millisecond

type fakeRuleset struct {
	hanteiv1.UnimplementedRulesetServiceServer
}

func (fakeRuleset) ListRulesets(context.Context, *hanteiv1.ListRulesetsRequest) (*hanteiv1.ListRulesetsResponse, error) {
	return &hanteiv1.ListRulesetsResponse{Rulesets: []*hanteiv1.RulesetSummary{{Name: "coc"}}}, nil
}

func (fakeRuleset) ValidatePack(context.Context, *hanteiv1.ValidatePackRequest) (*hanteiv1.ValidatePackResponse, error) {
	return &hanteiv1.ValidatePackResponse{}, nil
}

type fakeTable struct {
	hanteiv1.UnimplementedTableServiceServer
}

// GetTable tells who called and in which language.
func (fakeTable) GetTable(ctx context.Context, r *hanteiv1.GetTableRequest) (*hanteiv1.GetTableResponse, error) {
	p, _ := auth.FromContext(ctx)
	language := metadata.ValueFromIncomingContext(ctx, "accept-language")
	return &hanteiv1.GetTableResponse{Table: &hanteiv1.Table{
		Id: r.GetTableId(), Name: fmt.Sprint(p.Kind(), " ", p.Seat, " ", language),
	}}, nil
}

func (fakeTable) ListTables(_ context.Context, r *hanteiv1.ListTablesRequest) (*hanteiv1.ListTablesResponse, error) {
	return &hanteiv1.ListTablesResponse{NextPageToken: fmt.Sprint(r.GetPageSize(), r.GetPageToken())}, nil
}

type fakeBridge struct {
	hanteiv1.UnimplementedBridgeServiceServer
}

type fakeCharacter struct {
	hanteiv1.UnimplementedCharacterServiceServer
}

type fakeSeat struct {
	hanteiv1.UnimplementedSeatServiceServer
}

func (fakeSeat) InviteSeat(_ context.Context, r *hanteiv1.InviteSeatRequest) (*hanteiv1.InviteSeatResponse, error) {
	return &hanteiv1.InviteSeatResponse{Seat: &tablev1.Seat{Name: r.GetName(), Role: r.GetRole()}}, nil
}

// PairSeat knows one code.
func (fakeSeat) PairSeat(_ context.Context, r *hanteiv1.PairSeatRequest) (*hanteiv1.PairSeatResponse, error) {
	if r.GetCode() != "good" {
		return nil, status.Error(codes.NotFound, "no such code")
	}
	return &hanteiv1.PairSeatResponse{Token: "t"}, nil
}

type fakePlay struct {
	hanteiv1.UnimplementedPlayServiceServer
	watching atomic.Int32  // watches that run
	slowed   atomic.Int32  // calls of GetView of "slow"
	slow     chan struct{} // closed lets them go on
}

func (f *fakePlay) GetView(ctx context.Context, r *hanteiv1.GetViewRequest) (*hanteiv1.GetViewResponse, error) {
	switch r.GetTableId() {
	case "panic":
		panic("a secret that nobody may read")
	case "fault":
		return nil, errors.New("a secret that nobody may read")
	case "slow":
		f.slowed.Add(1)
		<-f.slow
	}
	return &hanteiv1.GetViewResponse{View: &tablev1.TableView{TableId: r.GetTableId()}}, nil
}

func (f *fakePlay) Act(_ context.Context, r *hanteiv1.ActRequest) (*hanteiv1.ActResponse, error) {
	if r.GetActor() == "locked" {
		s, err := status.New(codes.FailedPrecondition, "defence is locked").WithDetails(
			&errdetails.ErrorInfo{Reason: "DEFENCE_LOCKED", Domain: "hantei/coc",
				Metadata: map[string]string{"rule": "COC-DEF-03", "field": "action.coc", "cursor": "c9"}},
			&errdetails.LocalizedMessage{Locale: "ja", Message: "防御できない"},
		)
		if err != nil {
			return nil, err
		}
		return nil, s.Err()
	}
	return &hanteiv1.ActResponse{Outcome: &hanteiv1.Outcome{StepId: "s1", State: hanteiv1.StepState_STEP_STATE_DONE}, Action: r.GetAction()}, nil
}

// Watch sends one commit and then heartbeats.
func (f *fakePlay) Watch(r *hanteiv1.WatchRequest, s grpc.ServerStreamingServer[hanteiv1.WatchResponse]) error {
	f.watching.Add(1)
	defer f.watching.Add(-1)
	table := "t1"
	if len(r.GetTableId()) > 0 {
		table = r.GetTableId()[0]
	}
	if table == "refused" {
		return status.Error(codes.NotFound, "no such table")
	}
	first := &hanteiv1.WatchResponse{
		Cursor: r.GetCursor() + "1", TableId: table,
		Events: []*tablev1.EventView{{EventId: "e1", Name: "attack_hit", Text: nil}},
	}
	if err := s.Send(first); err != nil {
		return err
	}
	if table == "fails" {
		return status.Error(codes.OutOfRange, "fell behind")
	}
	tick := time.NewTicker(heartbeat)
	defer tick.Stop()
	for {
		select {
		case <-s.Context().Done():
			return s.Context().Err()
		case <-tick.C:
			if table == "quiet" {
				continue
			}
			if err := s.Send(&hanteiv1.WatchResponse{Cursor: first.GetCursor()}); err != nil {
				return err
			}
		}
	}
}

func fakes(p *fakePlay) app.Services {
	return app.Services{Ruleset: fakeRuleset{}, Table: fakeTable{}, Seat: fakeSeat{}, Bridge: fakeBridge{}, Character: fakeCharacter{}, Play: p}
}
