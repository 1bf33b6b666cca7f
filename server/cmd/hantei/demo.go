package main

import (
	"context"
	"fmt"

	"github.com/hantei/hantei/server/app"
	"github.com/hantei/hantei/server/config"
)

// demoCmd runs a server with a table that is ready to play.
type demoCmd struct {
	config.Server `embed:""`
}

// Help is shown by hantei demo --help.
func (*demoCmd) Help() string {
	return `Makes a new table at each start and prints the lines that play a round of a fight.
The dice of this table are fixed, so that the lines always meet the same prompts.

Examples:
  hantei demo
  hantei demo --db /tmp/demo.db --http-addr 127.0.0.1:9090`
}

// Run implements the command.
func (c *demoCmd) Run(ctx context.Context, s streams) error {
	if c.LogLevel == "info" {
		c.LogLevel = "warn" // the lines to paste shall not scroll away
	}
	server, h, err := start(ctx, c.Server, s)
	if err != nil {
		return err
	}
	ready, err := app.NewDemo(ctx, h)
	if err != nil {
		return server.Abandon(err)
	}
	fmt.Fprintf(s.out, "gRPC on %s, HTTP on %s\n", server.GRPCAddr(), server.URL())
	ready.Print(s.out, server.URL())
	return server.Run(ctx)
}
