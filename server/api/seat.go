package api

import (
	"context"
	"time"

	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
	"github.com/hantei/hantei/server/host"
	"google.golang.org/protobuf/types/known/timestamppb"
)

// seatService says who sits at a table.
type seatService struct {
	hanteiv1.UnimplementedSeatServiceServer
	*edge
	host *host.Host
}

// InviteSeat implements hanteiv1.SeatServiceServer.
func (s *seatService) InviteSeat(ctx context.Context, r *hanteiv1.InviteSeatRequest) (*hanteiv1.InviteSeatResponse, error) {
	by, refusal := seated(ctx, r.GetTableId())
	if refusal != nil {
		return nil, s.fail(ctx, refusal)
	}
	key, refusal := request(r.GetRequestId(), r)
	if refusal != nil {
		return nil, s.fail(ctx, refusal)
	}
	made, err := s.host.Invite(ctx, by, host.Invitation{
		Request: key, Name: r.GetName(), Role: r.GetRole(), Characters: r.GetCharacters(),
	})
	if err != nil {
		return nil, s.fail(ctx, err)
	}
	return &hanteiv1.InviteSeatResponse{Seat: made.Seat, Token: made.Token, PairingCode: pairingCode(made.Code)}, nil
}

// ListSeats implements hanteiv1.SeatServiceServer.
func (s *seatService) ListSeats(ctx context.Context, r *hanteiv1.ListSeatsRequest) (*hanteiv1.ListSeatsResponse, error) {
	by, refusal := known(ctx, r.GetTableId())
	if refusal != nil {
		return nil, s.fail(ctx, refusal)
	}
	seats, err := s.host.Seats(ctx, by)
	if err != nil {
		return nil, s.fail(ctx, err)
	}
	return &hanteiv1.ListSeatsResponse{Seats: seats}, nil
}

// UpdateSeat implements hanteiv1.SeatServiceServer.
func (s *seatService) UpdateSeat(ctx context.Context, r *hanteiv1.UpdateSeatRequest) (*hanteiv1.UpdateSeatResponse, error) {
	by, refusal := seated(ctx, r.GetTableId())
	if refusal != nil {
		return nil, s.fail(ctx, refusal)
	}
	n := host.SeatChange{Seat: r.GetSeatId(), Name: r.Name, Role: r.Role}
	if c := r.GetCharacters(); c != nil {
		n.Characters = &c.Ids
	}
	seat, err := s.host.UpdateSeat(ctx, by, n)
	if err != nil {
		return nil, s.fail(ctx, err)
	}
	return &hanteiv1.UpdateSeatResponse{Seat: seat}, nil
}

// SetPolicies implements hanteiv1.SeatServiceServer.
func (s *seatService) SetPolicies(ctx context.Context, r *hanteiv1.SetPoliciesRequest) (*hanteiv1.SetPoliciesResponse, error) {
	by, refusal := player(ctx, r.GetTableId())
	if refusal != nil {
		return nil, s.fail(ctx, refusal)
	}
	seat, err := s.host.SetPolicies(ctx, by, r.GetSeatId(), r.GetPolicies())
	if err != nil {
		return nil, s.fail(ctx, err)
	}
	return &hanteiv1.SetPoliciesResponse{Seat: seat}, nil
}

// RevokeSeat implements hanteiv1.SeatServiceServer.
func (s *seatService) RevokeSeat(ctx context.Context, r *hanteiv1.RevokeSeatRequest) (*hanteiv1.RevokeSeatResponse, error) {
	by, refusal := seated(ctx, r.GetTableId())
	if refusal != nil {
		return nil, s.fail(ctx, refusal)
	}
	if err := s.host.RevokeSeat(ctx, by, r.GetSeatId()); err != nil {
		return nil, s.fail(ctx, err)
	}
	return &hanteiv1.RevokeSeatResponse{}, nil
}

// CreatePairingCode implements hanteiv1.SeatServiceServer.
func (s *seatService) CreatePairingCode(ctx context.Context, r *hanteiv1.CreatePairingCodeRequest) (*hanteiv1.CreatePairingCodeResponse, error) {
	by, refusal := seated(ctx, r.GetTableId())
	if refusal != nil {
		return nil, s.fail(ctx, refusal)
	}
	code, err := s.host.PairingCode(ctx, by, r.GetSeatId(), r.GetReplace())
	if err != nil {
		return nil, s.fail(ctx, err)
	}
	return &hanteiv1.CreatePairingCodeResponse{PairingCode: pairingCode(code)}, nil
}

// PairSeat implements hanteiv1.SeatServiceServer.
func (s *seatService) PairSeat(ctx context.Context, r *hanteiv1.PairSeatRequest) (*hanteiv1.PairSeatResponse, error) {
	got, err := s.host.Pair(ctx, r.GetCode(), r.GetName())
	if err != nil {
		return nil, s.fail(ctx, err)
	}
	return &hanteiv1.PairSeatResponse{Seat: got.Seat, TableId: got.Table, Token: got.Token}, nil
}

// pairingCode is nil for a seat that was made before there were codes.
func pairingCode(c host.Code) *hanteiv1.PairingCode {
	if c.Text == "" {
		return nil
	}
	return &hanteiv1.PairingCode{Code: c.Text, ExpireTime: timestamppb.New(time.UnixMilli(c.ExpireTimeMS))}
}
