// Package interceptor holds what happens around every call, over gRPC and REST
// alike. Each interceptor is a file; their order stands in Chain and nowhere
// else.
package interceptor

import (
	"context"
	"fmt"
	"log/slog"

	"google.golang.org/grpc"

	"github.com/hantei/hantei/server/auth"
)

// Interceptor stands around calls.
type Interceptor interface {
	// Unary is a grpc.UnaryServerInterceptor.
	Unary(ctx context.Context, req any, info *grpc.UnaryServerInfo, next grpc.UnaryHandler) (any, error)
	// Stream is a grpc.StreamServerInterceptor.
	Stream(srv any, ss grpc.ServerStream, info *grpc.StreamServerInfo, next grpc.StreamHandler) error
}

// Options are what the interceptors need.
type Options struct {
	// Log gets one line for each call.
	Log *slog.Logger
	// Auth knows the tokens.
	Auth auth.Authenticator
	// Drain ends the calls when the server shuts down.
	Drain *Drain
	// Metrics is told of each call; it may be nil.
	Metrics Metrics
	// Limits say how often one may call.
	Limits Limits
}

// Chain states the order of the interceptors, outermost first, and returns them
// as one.
func Chain(o Options) (Interceptor, error) {
	validate, err := newValidate()
	if err != nil {
		return nil, fmt.Errorf("interceptor: %w", err)
	}
	limits := newLimits(o.Limits)
	return chain{
		requestID(),               // first, so that every line and answer has one
		countCalls(o.Metrics),     // outside of recovery, so that a panic is counted
		logCalls(o.Log),           // outside of recovery, so that a panic has its line
		recovery(o.Log),           // nothing below may end the program
		o.Drain,                   // what is below may use host and store, which close after it
		authorize(o.Auth, limits), // the rest is for those whom we know; it limits strangers itself
		limits.limitCalls(),       // needs to know who calls, and comes before work is done
		validate,                  // the handlers see only what has the right shape
	}, nil
}

// chain is interceptors as one.
type chain []Interceptor

// Unary implements Interceptor.
func (c chain) Unary(ctx context.Context, req any, info *grpc.UnaryServerInfo, next grpc.UnaryHandler) (any, error) {
	if len(c) == 0 {
		return next(ctx, req)
	}
	return c[0].Unary(ctx, req, info, func(ctx context.Context, req any) (any, error) {
		return c[1:].Unary(ctx, req, info, next)
	})
}

// Stream implements Interceptor.
func (c chain) Stream(srv any, ss grpc.ServerStream, info *grpc.StreamServerInfo, next grpc.StreamHandler) error {
	if len(c) == 0 {
		return next(srv, ss)
	}
	return c[0].Stream(srv, ss, info, func(srv any, ss grpc.ServerStream) error {
		return c[1:].Stream(srv, ss, info, next)
	})
}

// around is an interceptor that needs to know of a call no more than its context
// and method, so that unary calls and streams are the same to it. It calls next
// once, or refuses.
type around func(ctx context.Context, method string, next func(context.Context) error) error

// Unary implements Interceptor.
func (a around) Unary(ctx context.Context, req any, info *grpc.UnaryServerInfo, next grpc.UnaryHandler) (resp any, err error) {
	err = a(ctx, info.FullMethod, func(ctx context.Context) error {
		var err error
		resp, err = next(ctx, req)
		return err
	})
	if err != nil {
		return nil, err
	}
	return resp, nil
}

// Stream implements Interceptor.
func (a around) Stream(srv any, ss grpc.ServerStream, info *grpc.StreamServerInfo, next grpc.StreamHandler) error {
	return a(ss.Context(), info.FullMethod, func(ctx context.Context) error {
		return next(srv, withContext{ss, ctx})
	})
}

// withContext is a stream with another context.
type withContext struct {
	grpc.ServerStream
	ctx context.Context
}

// Context implements grpc.ServerStream.
func (s withContext) Context() context.Context { return s.ctx }
