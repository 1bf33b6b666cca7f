package api

import (
	"context"
	"slices"

	"github.com/hantei/hantei/engine/rule"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
	"github.com/hantei/hantei/server/host"
	"github.com/hantei/hantei/server/stream"
	"google.golang.org/grpc"
)

// maxWatched is how many seats are watched in one stream.
const maxWatched = 100

// Watch implements hanteiv1.PlayServiceServer.
func (s *playService) Watch(r *hanteiv1.WatchRequest, out grpc.ServerStreamingServer[hanteiv1.WatchResponse]) error {
	ctx := out.Context()
	send := func(f *stream.Frame) error {
		return out.Send(&hanteiv1.WatchResponse{
			Cursor: f.Cursor, Events: f.Events, TableId: f.Table, SeatId: f.Seat, OffersChanged: f.OffersChanged,
			EndReason: f.End, GoesOn: f.GoesOn, PromptsTold: f.Asked, WaitingOn: f.WaitingOn, Prompts: f.Prompts,
		})
	}
	by, refusal := anybody(ctx)
	if refusal != nil {
		return s.fail(ctx, refusal)
	}
	if by.Via != "" {
		return s.fail(ctx, s.watchMany(ctx, by, r, send))
	}
	by, refusal = watched(ctx, r)
	if refusal != nil {
		return s.fail(ctx, refusal)
	}
	return s.fail(ctx, s.watcher.Watch(ctx, by, r.GetCursor(), send))
}

// watched is the seat that watches its own table. It may leave both out.
func watched(ctx context.Context, r *hanteiv1.WatchRequest) (host.Caller, *rule.Refusal) {
	by, refusal := anybody(ctx)
	for _, id := range r.GetTableId() {
		if refusal == nil {
			by, refusal = known(ctx, id)
		}
	}
	if refusal == nil {
		by, refusal = player(ctx, by.Table)
	}
	if refusal == nil && othersThan(by.Seat, r.GetSeatId()) {
		refusal = rule.Core(tablev1.Reason_REASON_NOT_YOUR_SEAT, "seat_id").Say("only_bridges_for_others")
	}
	return by, refusal
}

// watchMany lets a bridge watch for the seats that it names, in the request or, a
// single one, in the header.
func (s *playService) watchMany(ctx context.Context, by host.Caller, r *hanteiv1.WatchRequest, send func(*stream.Frame) error) error {
	seats := r.GetSeatId()
	switch {
	case len(seats) > maxWatched:
		return rule.Core(tablev1.Reason_REASON_TOO_LARGE, "seat_id").Say("repeated.max_items", rule.Number("max_items", maxWatched))
	case by.Seat != "" && othersThan(by.Seat, seats):
		return rule.Core(tablev1.Reason_REASON_NOT_YOUR_SEAT, "seat_id").Say("header_names_another")
	case by.Seat != "":
		seats = []string{by.Seat}
	case len(seats) == 0:
		return rule.Core(tablev1.Reason_REASON_SEAT_MISSING, "seat_id")
	}
	for i, id := range seats {
		if slices.Contains(seats[:i], id) {
			return rule.Core(tablev1.Reason_REASON_INVALID_FIELD, "seat_id").Say("repeated.unique")
		}
	}
	all, missing, err := s.host.Represented(ctx, by, seats)
	if err != nil {
		return err
	}
	// Tables need not be named. Of one that is, at least one of the seats must be.
	for _, id := range r.GetTableId() {
		if !slices.ContainsFunc(all, func(c host.Caller) bool { return c.Table == id }) {
			return noTable()
		}
	}
	return s.watcher.WatchMany(ctx, all, missing, r.GetCursor(), send)
}

// othersThan reports whether seats are named of which one is not the given one.
func othersThan(seat string, named []string) bool {
	return slices.ContainsFunc(named, func(id string) bool { return id != seat })
}
