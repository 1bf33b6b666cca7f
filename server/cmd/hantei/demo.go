package main

import (
	"context"
	"fmt"

	"github.com/hantei/hantei/server/app"
	"github.com/hantei/hantei/server/config"
)

// demoOrigins are those of a Foundry VTT that runs on this machine as it comes. The
// demo is started by a double click, where nobody can name an origin.
var demoOrigins = []string{"http://localhost:30000", "http://127.0.0.1:30000"}

// demoCmd runs a server with a table that is ready to play.
type demoCmd struct {
	config.Server `embed:""`
}

// Help is shown by hantei demo --help.
func (*demoCmd) Help() string {
	return `Makes a new table at each start and prints the lines that play a round of a fight.
The dice of this table are fixed, so that the lines always meet the same prompts.
Unless origins are named, a Foundry VTT on this machine (port 30000) may connect.

Examples:
  hantei demo
  hantei demo --db /tmp/demo.db --http-addr 127.0.0.1:9090`
}

// Run implements the command.
func (c *demoCmd) Run(ctx context.Context, s streams) error {
	if c.LogLevel == "info" {
		c.LogLevel = "warn" // the lines to paste shall not scroll away
	}
	if len(c.CORSOrigins) == 0 {
		c.CORSOrigins = demoOrigins
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
