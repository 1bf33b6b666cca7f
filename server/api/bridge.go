package api

import (
	"context"
	"time"

	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
	"github.com/hantei/hantei/server/host"
	"github.com/hantei/hantei/server/store"
	"google.golang.org/protobuf/types/known/timestamppb"
)

// bridgeService says who may act for the seats of which tables.
type bridgeService struct {
	hanteiv1.UnimplementedBridgeServiceServer
	*edge
	host *host.Host
}

// bridgesPage is how many bridges a page has unless the caller says otherwise;
// maxBridges is the most.
const (
	bridgesPage = 50
	maxBridges  = 100
)

// CreateBridge implements hanteiv1.BridgeServiceServer.
func (s *bridgeService) CreateBridge(ctx context.Context, r *hanteiv1.CreateBridgeRequest) (*hanteiv1.CreateBridgeResponse, error) {
	by, refusal := anybody(ctx)
	if refusal != nil {
		return nil, s.fail(ctx, refusal)
	}
	key, refusal := request(r.GetRequestId(), r)
	if refusal != nil {
		return nil, s.fail(ctx, refusal)
	}
	made, err := s.host.CreateBridge(ctx, by, host.NewBridge{Request: key, Name: r.GetName()})
	if err != nil {
		return nil, s.fail(ctx, err)
	}
	return &hanteiv1.CreateBridgeResponse{Bridge: bridgeOf(made.Bridge), Token: made.Token}, nil
}

// ListBridges implements hanteiv1.BridgeServiceServer.
func (s *bridgeService) ListBridges(ctx context.Context, r *hanteiv1.ListBridgesRequest) (*hanteiv1.ListBridgesResponse, error) {
	by, refusal := anybody(ctx)
	if refusal != nil {
		return nil, s.fail(ctx, refusal)
	}
	size, refusal := pageSize(r.GetPageSize(), bridgesPage, maxBridges)
	if refusal != nil {
		return nil, s.fail(ctx, refusal)
	}
	all, next, err := s.host.Bridges(ctx, by, size, r.GetPageToken())
	if err != nil {
		return nil, s.fail(ctx, err)
	}
	out := &hanteiv1.ListBridgesResponse{NextPageToken: next}
	for _, b := range all {
		out.Bridges = append(out.Bridges, bridgeOf(b))
	}
	return out, nil
}

// DeleteBridge implements hanteiv1.BridgeServiceServer.
func (s *bridgeService) DeleteBridge(ctx context.Context, r *hanteiv1.DeleteBridgeRequest) (*hanteiv1.DeleteBridgeResponse, error) {
	by, refusal := anybody(ctx)
	if refusal != nil {
		return nil, s.fail(ctx, refusal)
	}
	if err := s.host.DeleteBridge(ctx, by, r.GetBridgeId()); err != nil {
		return nil, s.fail(ctx, err)
	}
	return &hanteiv1.DeleteBridgeResponse{}, nil
}

// AdmitBridge implements hanteiv1.BridgeServiceServer.
func (s *bridgeService) AdmitBridge(ctx context.Context, r *hanteiv1.AdmitBridgeRequest) (*hanteiv1.AdmitBridgeResponse, error) {
	by, refusal := seated(ctx, r.GetTableId())
	if refusal != nil {
		return nil, s.fail(ctx, refusal)
	}
	a, err := s.host.Admit(ctx, by, host.Admission{Bridge: r.GetBridgeId(), All: r.GetAllSeats(), Seats: r.GetSeatIds()})
	if err != nil {
		return nil, s.fail(ctx, err)
	}
	return &hanteiv1.AdmitBridgeResponse{Admission: admissionOf(a)}, nil
}

// ListAdmittedBridges implements hanteiv1.BridgeServiceServer.
func (s *bridgeService) ListAdmittedBridges(ctx context.Context, r *hanteiv1.ListAdmittedBridgesRequest) (*hanteiv1.ListAdmittedBridgesResponse, error) {
	by, refusal := known(ctx, r.GetTableId())
	if refusal != nil {
		return nil, s.fail(ctx, refusal)
	}
	all, err := s.host.Admissions(ctx, by)
	if err != nil {
		return nil, s.fail(ctx, err)
	}
	out := &hanteiv1.ListAdmittedBridgesResponse{}
	for _, a := range all {
		out.Admissions = append(out.Admissions, admissionOf(a))
	}
	return out, nil
}

// DismissBridge implements hanteiv1.BridgeServiceServer.
func (s *bridgeService) DismissBridge(ctx context.Context, r *hanteiv1.DismissBridgeRequest) (*hanteiv1.DismissBridgeResponse, error) {
	by, refusal := seated(ctx, r.GetTableId())
	if refusal != nil {
		return nil, s.fail(ctx, refusal)
	}
	if err := s.host.Dismiss(ctx, by, r.GetBridgeId()); err != nil {
		return nil, s.fail(ctx, err)
	}
	return &hanteiv1.DismissBridgeResponse{}, nil
}

func bridgeOf(b store.Bridge) *hanteiv1.Bridge {
	return &hanteiv1.Bridge{Id: b.ID, Name: b.Name, CreateTime: timestamppb.New(time.UnixMilli(b.CreateTimeMS))}
}

func admissionOf(a host.Admission) *hanteiv1.Admission {
	return &hanteiv1.Admission{BridgeId: a.Bridge, Name: a.Name, SeatIds: a.Seats, AllSeats: a.All}
}
