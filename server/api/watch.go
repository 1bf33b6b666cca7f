package api

import (
	"context"

	"github.com/hantei/hantei/engine/rule"
	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
	"github.com/hantei/hantei/server/host"
	"github.com/hantei/hantei/server/stream"
	"google.golang.org/grpc"
)

// Watch implements hanteiv1.PlayServiceServer.
func (s *playService) Watch(r *hanteiv1.WatchRequest, out grpc.ServerStreamingServer[hanteiv1.WatchResponse]) error {
	ctx := out.Context()
	by, refusal := watched(ctx, r.GetTableId())
	if refusal != nil {
		return s.fail(ctx, refusal)
	}
	return s.fail(ctx, s.watcher.Watch(ctx, by, r.GetCursor(), func(f *stream.Frame) error {
		return out.Send(&hanteiv1.WatchResponse{
			Cursor: f.Cursor, Events: f.Events, TableId: f.Table, OffersChanged: f.OffersChanged, EndReason: f.End,
			PromptsTold: f.Asked, WaitingOn: f.WaitingOn, Prompts: f.Prompts,
		})
	}))
}

// watched is who watches which table. A seat has one, which it may leave out.
func watched(ctx context.Context, tables []string) (host.Caller, *rule.Refusal) {
	by, refusal := anybody(ctx)
	for _, id := range tables {
		if refusal == nil {
			by, refusal = seated(ctx, id)
		}
	}
	if refusal != nil {
		return by, refusal
	}
	return player(ctx, by.Table)
}
