package main

import (
	"context"
	"fmt"

	"github.com/hantei/hantei/server/app"
	"github.com/hantei/hantei/server/config"
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
	log, err := telemetry.NewLogger(s.err, c.LogLevel, c.LogFormat)
	if err != nil {
		return err
	}
	telemetry.CaptureGRPC(log)
	deps, err := wire(ctx, c.Server, log, s.out)
	if err != nil {
		return err
	}
	server, err := app.New(c.Server, deps)
	if err != nil {
		return closeAll(deps, err)
	}
	fmt.Fprintf(s.out, "gRPC on %s, HTTP on http://%s\n", server.GRPCAddr(), server.HTTPAddr())
	return server.Run(ctx)
}
