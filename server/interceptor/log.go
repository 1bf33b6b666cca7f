package interceptor

import (
	"context"
	"log/slog"
	"strings"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// logCalls writes a line when a call ends. Tokens and bodies never stand in it,
// nor does the message of an error, which may quote them.
func logCalls(log *slog.Logger) Interceptor {
	return around(func(ctx context.Context, method string, next func(context.Context) error) error {
		r := &record{principal: "none"}
		start := time.Now()
		err := next(withRecord(ctx, r))
		code := status.Code(err)
		level := levelOf(code, method)
		if !log.Enabled(ctx, level) {
			return err
		}
		attrs := []slog.Attr{
			slog.String("method", strings.TrimPrefix(method, "/")),
			slog.String("code", code.String()),
			slog.String("principal", r.principal),
			slog.Duration("duration", time.Since(start)),
			slog.String("request_id", RequestID(ctx)),
		}
		if r.cause != nil {
			attrs = append(attrs, slog.String("cause", r.cause.Error()))
		}
		log.LogAttrs(ctx, level, "call", attrs...)
		return err
	})
}

// levelOf is the level at which a call is told: an error is what somebody should
// look at. That callers are refused is the server's daily work.
func levelOf(code codes.Code, method string) slog.Level {
	switch code {
	case codes.Internal, codes.Unknown, codes.DataLoss:
		return slog.LevelError
	case codes.Unavailable, codes.DeadlineExceeded:
		return slog.LevelWarn
	}
	if strings.HasPrefix(method, healthService) { // every few seconds
		return slog.LevelDebug
	}
	return slog.LevelInfo
}
