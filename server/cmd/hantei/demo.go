package main

import (
	"context"

	"github.com/hantei/hantei/server/config"
)

// demoCmd runs a server with a table that is ready to play.
type demoCmd struct {
	config.Server `embed:""`
}

// Run implements the command.
func (c *demoCmd) Run(ctx context.Context, s streams) error {
	return errNotYet // the lead's: serve, then make a table through the API
}
