package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/hantei/hantei/server/auth"
	"github.com/hantei/hantei/server/store"
	"github.com/hantei/hantei/server/store/sqlite"
)

// adminTokenCmd makes a new token for the admin.
type adminTokenCmd struct {
	DB string `name:"db" default:"hantei.db" placeholder:"FILE" help:"The SQLite database (${default})."`
}

// Help is shown by hantei admin-token --help.
func (*adminTokenCmd) Help() string {
	return `Stop the server before. The old token is worth nothing when it runs again; the tokens of
seats stay. The new one is shown this once.

Examples:
  hantei admin-token --db campaign.db
  sudo systemctl stop hantei && sudo hantei admin-token --db /var/lib/hantei/hantei.db`
}

// Run implements the command.
func (c *adminTokenCmd) Run(ctx context.Context, s streams) error {
	if _, err := os.Stat(c.DB); err != nil { // rather than make a database
		return err
	}
	db, err := sqlite.Open(ctx, c.DB, sqlite.Options{})
	if errors.Is(err, store.ErrLocked) {
		return fmt.Errorf("the server is running: stop it first (%w)", err)
	}
	if err != nil {
		return err
	}
	token, err := auth.RenewAdmin(ctx, db)
	if err := errors.Join(err, db.Close()); err != nil {
		return err
	}
	fmt.Fprintf(s.out, "Admin token, shown this once: %s\n", token)
	return nil
}
