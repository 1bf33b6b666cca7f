package interceptor

import (
	"context"
	"errors"
	"sync"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"

	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
)

// ErrShutdown is the cause with which the contexts of streams are cancelled when
// the server shuts down.
var ErrShutdown = errors.New("the server shuts down")

// EndShutdown is the end reason of a stream's last frame when the server shuts
// down: connect again, with the frame's cursor.
const EndShutdown = "SHUTTING_DOWN"

// Drain knows the calls that run, and ends them when the server shuts down:
// streams at once, with a last frame, since they would never end; other calls
// may finish. Calls over REST are in no HTTP or gRPC server's count of what runs,
// once their client has gone, so the store may be closed only after Wait.
type Drain struct {
	ctx    context.Context
	cancel context.CancelCauseFunc

	mu      sync.Mutex
	running int
	closed  bool
	idle    chan struct{} // closed when closed and nothing runs
}

// NewDrain makes a Drain that lets calls in.
func NewDrain() *Drain {
	ctx, cancel := context.WithCancelCause(context.Background())
	return &Drain{ctx: ctx, cancel: cancel, idle: make(chan struct{})}
}

// Close refuses further calls and cancels the streams' contexts. It does not
// wait.
func (d *Drain) Close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return
	}
	d.closed = true
	d.cancel(ErrShutdown)
	if d.running == 0 {
		close(d.idle)
	}
}

// Wait returns when Close was called and no call runs any more, or with the
// context's error.
func (d *Drain) Wait(ctx context.Context) error {
	select {
	case <-d.idle:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// enter counts a call, or refuses it.
func (d *Drain) enter(ctx context.Context) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return shuttingDown(ctx)
	}
	d.running++
	return nil
}

// shuttingDown is the refusal of who comes too late.
func shuttingDown(ctx context.Context) error {
	return refuse(ctx, refusal{code: codes.Unavailable, reason: ReasonShuttingDown})
}

// leave counts a call off.
func (d *Drain) leave() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.running--
	if d.closed && d.running == 0 {
		close(d.idle)
	}
}

// Unary implements Interceptor.
func (d *Drain) Unary(ctx context.Context, req any, _ *grpc.UnaryServerInfo, next grpc.UnaryHandler) (any, error) {
	if err := d.enter(ctx); err != nil {
		return nil, err
	}
	defer d.leave()
	return next(ctx, req)
}

// Stream implements Interceptor.
func (d *Drain) Stream(srv any, ss grpc.ServerStream, _ *grpc.StreamServerInfo, next grpc.StreamHandler) error {
	if err := d.enter(ss.Context()); err != nil {
		return err
	}
	defer d.leave()

	ctx, cancel := context.WithCancelCause(ss.Context())
	defer cancel(nil)
	stop := context.AfterFunc(d.ctx, func() { cancel(ErrShutdown) })
	defer stop()

	s := &drained{ServerStream: ss, ctx: ctx}
	err := next(srv, s)
	if context.Cause(ctx) != ErrShutdown {
		return err
	}
	return s.end(err)
}

// drained is a stream that remembers where its reader stands.
type drained struct {
	grpc.ServerStream
	ctx    context.Context
	watch  bool
	cursor string
	ended  bool
}

// Context implements grpc.ServerStream.
func (s *drained) Context() context.Context { return s.ctx }

// RecvMsg implements grpc.ServerStream.
func (s *drained) RecvMsg(m any) error {
	err := s.ServerStream.RecvMsg(m)
	if w, ok := m.(*hanteiv1.WatchRequest); ok && err == nil {
		s.watch, s.cursor = true, w.GetCursor()
	}
	return err
}

// SendMsg implements grpc.ServerStream.
func (s *drained) SendMsg(m any) error {
	if err := s.ServerStream.SendMsg(m); err != nil {
		return err
	}
	if w, ok := m.(*hanteiv1.WatchResponse); ok {
		s.ended = w.GetEndReason() != "" && !w.GetGoesOn()
		if c := w.GetCursor(); c != "" {
			s.cursor = c
		}
	}
	return nil
}

// end sends the last frame of a watch, unless the handler has. The stream's own
// context, unlike the handler's, is not cancelled, so that it can still be sent.
// With it the stream has come to a good end, whatever the handler made of its
// cancelled context; a stream that is no watch ends with an error.
func (s *drained) end(err error) error {
	switch {
	case s.ended:
		return nil
	case !s.watch:
		if err == nil {
			return nil
		}
		return shuttingDown(s.ctx)
	default:
		return s.ServerStream.SendMsg(&hanteiv1.WatchResponse{Cursor: s.cursor, EndReason: EndShutdown})
	}
}
