package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"

	"github.com/hantei/hantei/server/api"
	"github.com/hantei/hantei/server/auth"
	"github.com/hantei/hantei/server/config"
	"github.com/hantei/hantei/server/host"
	"github.com/hantei/hantei/server/store/sqlite"
	"github.com/hantei/hantei/server/stream"
)

// Open opens the store, starts the host and makes the services: the one place
// that knows every package. It returns what New needs, and the host for what is
// done without the API. The admin's token, made at the first start, goes to out.
func Open(ctx context.Context, cfg config.Server, log *slog.Logger, out io.Writer) (Deps, *host.Host, error) {
	s, err := sqlite.Open(ctx, cfg.DB, sqlite.Options{Relaxed: cfg.DBSync == "normal"})
	if err != nil {
		return Deps{}, nil, err
	}
	deps, h, err := open(ctx, s, cfg, log, out)
	if err != nil {
		return Deps{}, nil, errors.Join(err, s.Close())
	}
	return deps, h, nil
}

func open(ctx context.Context, s *sqlite.Store, cfg config.Server, log *slog.Logger, out io.Writer) (Deps, *host.Host, error) {
	var games []*host.Game
	for _, r := range Rulesets() {
		g, err := host.NewGame(r.New, r.DefaultPack())
		if err != nil {
			return Deps{}, nil, err
		}
		games = append(games, g)
	}
	hub := stream.NewHub(cfg.WatchBuffer)
	h, err := host.New(ctx, host.Options{Store: s, Games: games, Publisher: hub, Log: log})
	if err != nil {
		return Deps{}, nil, err
	}
	services := api.New(api.Options{Host: h, Hub: hub, Log: log, Heartbeat: cfg.Heartbeat, RequestBytes: int(cfg.MaxBody)})
	admin, token, err := auth.EnsureAdmin(ctx, s)
	if err != nil {
		return Deps{}, nil, errors.Join(err, h.Close())
	}
	if token != "" {
		fmt.Fprintf(out, "Admin token, shown this once: %s\n", token)
	}
	return Deps{
		Log:      log,
		Services: Services(*services),
		Auth:     auth.WithAdmin(admin, h),
		Store:    s,
		Close:    []func() error{h.Close, s.Close},
	}, h, nil
}
