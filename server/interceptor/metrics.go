package interceptor

import (
	"context"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// Metrics is told of calls. Methods are full names with a slash before them.
type Metrics interface {
	// Ended tells of a call that has ended, streams included.
	Ended(method string, code codes.Code)
	// Took tells how long a call took that is no stream.
	Took(method string, d time.Duration)
	// Streams tells of one that has opened (1) or ended (-1).
	Streams(method string, by int)
}

// countCalls tells m of every call; m may be nil.
func countCalls(m Metrics) Interceptor {
	if m == nil {
		return chain{}
	}
	return counter{m}
}

type counter struct{ m Metrics }

// Unary implements Interceptor.
func (c counter) Unary(ctx context.Context, req any, info *grpc.UnaryServerInfo, next grpc.UnaryHandler) (any, error) {
	start := time.Now()
	resp, err := next(ctx, req)
	c.m.Took(info.FullMethod, time.Since(start))
	c.m.Ended(info.FullMethod, status.Code(err))
	return resp, err
}

// Stream implements Interceptor.
func (c counter) Stream(srv any, ss grpc.ServerStream, info *grpc.StreamServerInfo, next grpc.StreamHandler) error {
	c.m.Streams(info.FullMethod, 1)
	defer c.m.Streams(info.FullMethod, -1)
	err := next(srv, ss)
	c.m.Ended(info.FullMethod, status.Code(err))
	return err
}
