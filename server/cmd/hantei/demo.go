package main

import (
	"context"
	"fmt"

	"github.com/alecthomas/kong"

	"github.com/hantei/hantei/server/app"
	"github.com/hantei/hantei/server/config"
)

// demoOrigins are those of a Foundry VTT that runs on this machine as it comes. The
// demo is started by a double click, where nobody can name an origin.
var demoOrigins = []string{"http://localhost:30000", "http://127.0.0.1:30000"}

// demoCmd runs a server with tables that are ready to play, or tells a scene.
type demoCmd struct {
	config.Server `embed:""`

	Ruleset string `arg:"" optional:"" help:"Tell a scene of this ruleset instead of running a server."`
	Lang    string `enum:"${languages}" default:"en" help:"Language in which the scene is told: ${enum}."`
	Seat    string `help:"Tell the scene as this seat sees it: gm, observer or a player's character; everybody's by default."`
}

// Help is shown by hantei demo --help.
func (*demoCmd) Help() string {
	return `Makes two new tables at each start, one of coc and one of persona, and prints the lines
that play a round of a fight and the first steps in a dungeon. The dice of these tables
are fixed, so that the lines always meet the same prompts.
Unless origins are named, a Foundry VTT on this machine (port 30000) may connect.

With a ruleset it plays a short scene and tells it as a table would read it.

Examples:
  hantei demo
  hantei demo --db /tmp/demo.db --http-addr 127.0.0.1:9090
  hantei demo coc
  hantei demo coc --lang ja --seat nurse
  hantei demo persona --seat c`
}

// complete lists the rulesets for the shell.
func (*demoCmd) complete() []string { return rulesetNames() }

// Validate refuses flags that mean nothing: those of a scene for a server, and the
// other way round.
func (c *demoCmd) Validate(k *kong.Context) error {
	for _, p := range k.Path {
		if p.Flag == nil || p.Resolved {
			continue
		}
		ofScene := p.Flag.Name == "lang" || p.Flag.Name == "seat"
		switch {
		case ofScene && c.Ruleset == "":
			return fmt.Errorf("--%s is for a scene: name a ruleset, as in: hantei demo coc --%[1]s ...", p.Flag.Name)
		case !ofScene && c.Ruleset != "":
			return fmt.Errorf("--%s is for a server: no ruleset is named then", p.Flag.Name)
		}
	}
	return nil
}

// Run implements the command.
func (c *demoCmd) Run(ctx context.Context, s streams) error {
	if c.Ruleset != "" {
		return tellScene(s.out, c.Ruleset, c.Lang, c.Seat)
	}
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
	dungeon, err := app.NewDungeonDemo(ctx, h)
	if err != nil {
		return server.Abandon(err)
	}
	fmt.Fprintf(s.out, "gRPC on %s, HTTP on %s\n", server.GRPCAddr(), server.URL())
	ready.Print(s.out, server.URL())
	dungeon.Print(s.out)
	return server.Run(ctx)
}
