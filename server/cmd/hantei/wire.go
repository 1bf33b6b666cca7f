package main

import (
	"context"
	"errors"
	"io"
	"log/slog"

	"github.com/hantei/hantei/server/app"
	"github.com/hantei/hantei/server/config"
)

// wire opens the store, starts the host and makes the services: the one place
// that knows every package. What is to be told once, the admin's token, goes to
// out.
var wire = func(ctx context.Context, cfg config.Server, log *slog.Logger, out io.Writer) (app.Deps, error) {
	return app.Deps{}, errNotYet
}

// closeAll closes what wire has opened when the server could not be started.
func closeAll(deps app.Deps, cause error) error {
	errs := []error{cause}
	for _, c := range deps.Close {
		errs = append(errs, c())
	}
	return errors.Join(errs...)
}
