package main

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"

	"github.com/hantei/hantei/server/app"
	"github.com/hantei/hantei/server/config"
	"github.com/hantei/hantei/server/host"
	"github.com/hantei/hantei/server/telemetry"
)

// serveCmd runs the server.
type serveCmd struct {
	config.Server `embed:""`
}

// Help is shown by hantei serve --help.
func (*serveCmd) Help() string {
	return `The admin's token is shown once, at the first start. Without further settings only
this machine can reach the server.

Examples:
  hantei serve
  hantei serve --db campaign.db --log-format text
  hantei serve --http-addr :8080 --cors-origin https://vtt.example`
}

// Run implements the command.
func (c *serveCmd) Run(ctx context.Context, s streams) error {
	server, _, err := start(ctx, c.Server, s)
	if err != nil {
		return err
	}
	fmt.Fprintf(s.out, "gRPC on %s, HTTP on %s\n", server.GRPCAddr(), server.URL())
	return server.Run(ctx)
}

// start opens everything and listens. It returns the host for what is done
// without the API.
func start(ctx context.Context, cfg config.Server, s streams) (*app.App, *host.Host, error) {
	log, err := telemetry.NewLogger(s.err, cfg.LogLevel, cfg.LogFormat)
	if err != nil {
		return nil, nil, err
	}
	telemetry.CaptureGRPC(log)
	slog.SetDefault(log)
	deps, h, err := app.Open(ctx, cfg, log, s.out)
	if err != nil {
		return nil, nil, err
	}
	info, _ := debug.ReadBuildInfo()
	deps.Version, _ = release(info)
	server, err := app.New(cfg, deps)
	if err != nil {
		return nil, nil, deps.Abandon(err)
	}
	return server, h, nil
}
