package interceptor

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// recovery makes a panic one refused call. An error without a code is as
// unforeseen as a panic, and its text may tell what the caller may not know: of
// both the caller hears only that the fault is the server's.
func recovery(log *slog.Logger) Interceptor {
	return around(func(ctx context.Context, method string, next func(context.Context) error) (err error) {
		defer func() {
			if p := recover(); p != nil {
				log.ErrorContext(ctx, "panic", "method", method, "request_id", RequestID(ctx),
					"panic", fmt.Sprint(p), "stack", string(debug.Stack()))
				recordOf(ctx).cause = errors.New("panic")
				err = internal(ctx)
			}
		}()
		err = next(ctx)
		if err == nil {
			return nil
		}
		// Only an error that is a status itself has a text meant for the caller.
		if s, ok := err.(interface{ GRPCStatus() *status.Status }); ok && s.GRPCStatus().Code() != codes.Unknown {
			return err
		}
		// Whose caller has gone or given up fails in many ways, none a fault.
		if ctx.Err() != nil {
			return status.FromContextError(ctx.Err()).Err()
		}
		recordOf(ctx).cause = err
		return internal(ctx)
	})
}

// internal is the one answer to all that is the server's fault.
func internal(ctx context.Context) error {
	r := refusal{code: codes.Internal, reason: ReasonInternal}
	if id := RequestID(ctx); id != "" {
		r.metadata = map[string]string{"request_id": id}
		r.says = func(string) map[string]string { return r.metadata }
	}
	return refuse(ctx, r)
}
