package main

import (
	"context"
	"fmt"

	"github.com/hantei/hantei/server/store/sqlite"
)

// backupCmd copies a database.
type backupCmd struct {
	DB  string `name:"db" default:"hantei.db" placeholder:"FILE" help:"The SQLite database (${default})."`
	Out string `arg:"" name:"out" help:"The copy. It must not be there yet."`
}

// Help is shown by hantei backup --help.
func (*backupCmd) Help() string {
	return `The server may run meanwhile; it goes on answering. Everything that it has answered
before is in the copy, which holds the server's keys and is readable for its owner alone.

To restore, start the server on the copy. If you move the copy to the place of the old
database, first move away the old one with its -wal and -shm files: an old -wal would
destroy the copy.

Examples:
  hantei backup backup.db
  hantei backup --db campaign.db "campaign-$(date +%F).db"
  hantei serve --db campaign-2026-11-30.db     go on from a copy`
}

// Run implements the command.
func (c *backupCmd) Run(ctx context.Context, s streams) error {
	if err := sqlite.Backup(ctx, c.DB, c.Out); err != nil {
		return err
	}
	fmt.Fprintf(s.out, "%s is written and checked\n", c.Out)
	return nil
}
