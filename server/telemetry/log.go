// Package telemetry sets up what the server tells of itself: its log, and numbers
// for Prometheus.
package telemetry

import (
	"fmt"
	"io"
	"log/slog"

	"google.golang.org/grpc/grpclog"
)

// NewLogger makes a logger that writes to w. Levels are debug, info, warn and
// error; formats are json and text.
func NewLogger(w io.Writer, level, format string) (*slog.Logger, error) {
	var l slog.Level
	if err := l.UnmarshalText([]byte(level)); err != nil {
		return nil, fmt.Errorf("log level: %w", err)
	}
	o := &slog.HandlerOptions{Level: l}
	switch format {
	case "json":
		return slog.New(slog.NewJSONHandler(w, o)), nil
	case "text":
		return slog.New(slog.NewTextHandler(w, o)), nil
	default:
		return nil, fmt.Errorf("log format: %q is neither json nor text", format)
	}
}

// CaptureGRPC sends what the gRPC and gateway libraries log by themselves to
// log, for the whole process. They call errors what is mostly a client that has
// gone away, so it is told at level debug. Call it before any use of gRPC.
func CaptureGRPC(log *slog.Logger) {
	w := slog.NewLogLogger(log.With("from", "grpc").Handler(), slog.LevelDebug).Writer()
	grpclog.SetLoggerV2(grpclog.NewLoggerV2(io.Discard, io.Discard, w))
}
