package api

import (
	"context"

	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
	"github.com/hantei/hantei/server/host"
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
	return &hanteiv1.InviteSeatResponse{Seat: made.Seat, Token: made.Token}, nil
}

// ListSeats implements hanteiv1.SeatServiceServer.
func (s *seatService) ListSeats(ctx context.Context, r *hanteiv1.ListSeatsRequest) (*hanteiv1.ListSeatsResponse, error) {
	by, refusal := seated(ctx, r.GetTableId())
	if refusal != nil {
		return nil, s.fail(ctx, refusal)
	}
	seats, err := s.host.Seats(ctx, by)
	if err != nil {
		return nil, s.fail(ctx, err)
	}
	return &hanteiv1.ListSeatsResponse{Seats: seats}, nil
}
