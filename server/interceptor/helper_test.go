package interceptor

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
)

const method = "/hantei.v1.PlayService/GetView"

// unary calls next through an interceptor, as gRPC does.
func unary(ctx context.Context, i Interceptor, method string, req any, next grpc.UnaryHandler) (any, error) {
	if next == nil {
		next = func(context.Context, any) (any, error) { return "done", nil }
	}
	return i.Unary(ctx, req, &grpc.UnaryServerInfo{FullMethod: method}, next)
}

// stream is unary for streams.
func stream(ss grpc.ServerStream, i Interceptor, method string, next grpc.StreamHandler) error {
	return i.Stream(nil, ss, &grpc.StreamServerInfo{FullMethod: method, IsServerStream: true}, next)
}

// fakeStream receives one message and keeps those that are sent.
type fakeStream struct {
	grpc.ServerStream
	ctx    context.Context
	in     proto.Message
	mu     sync.Mutex
	sent   []proto.Message
	header metadata.MD
}

func (s *fakeStream) Context() context.Context { return s.ctx }

func (s *fakeStream) RecvMsg(m any) error {
	proto.Merge(m.(proto.Message), s.in)
	return nil
}

func (s *fakeStream) SendMsg(m any) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sent = append(s.sent, m.(proto.Message))
	return nil
}

// fakeTransport is what grpc.SetHeader finds in a call's context.
type fakeTransport struct {
	grpc.ServerTransportStream
	header metadata.MD
}

func (t *fakeTransport) SetHeader(md metadata.MD) error {
	t.header = metadata.Join(t.header, md)
	return nil
}

// incoming is the context of a call with these headers.
func incoming(t *testing.T, kv ...string) context.Context {
	return metadata.NewIncomingContext(t.Context(), metadata.Pairs(kv...))
}

// infoOf returns the ErrorInfo of an error; empty if it has none.
func infoOf(err error) *errdetails.ErrorInfo {
	for _, d := range status.Convert(err).Details() {
		if i, ok := d.(*errdetails.ErrorInfo); ok {
			return i
		}
	}
	return &errdetails.ErrorInfo{}
}

// logTo returns a logger and what it has written.
func logTo() (*slog.Logger, *strings.Builder) {
	var b strings.Builder
	return slog.New(slog.NewTextHandler(&b, &slog.HandlerOptions{Level: slog.LevelDebug})), &b
}
