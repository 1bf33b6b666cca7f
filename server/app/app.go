// Package app puts the server together and runs it: gRPC and HTTP on a port
// each, with the same services and interceptors behind both.
package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"

	"google.golang.org/grpc"

	"github.com/hantei/hantei/server/auth"
	"github.com/hantei/hantei/server/config"
	"github.com/hantei/hantei/server/gateway"
	"github.com/hantei/hantei/server/interceptor"
)

// Deps are what the server is put together from.
type Deps struct {
	// Log is where the server tells of itself.
	Log *slog.Logger
	// Services are the API.
	Services Services
	// Auth knows the tokens.
	Auth auth.Authenticator
	// Store is asked whether the server can do its work.
	Store Pinger
	// Close is called in this order when no call runs any more: what uses others
	// before what it uses, the host before the store.
	Close []func() error
}

// App is a server.
type App struct {
	cfg     config.Server
	log     *slog.Logger
	drain   *interceptor.Drain
	ready   *readiness
	grpc    *grpc.Server
	http    *http.Server
	grpcLis net.Listener
	httpLis net.Listener
	close   []func() error
}

// New puts a server together and listens, so that its addresses are known; it
// answers when Run is called. If New fails, the caller closes the dependencies;
// otherwise Run does.
func New(cfg config.Server, deps Deps) (*App, error) {
	if err := cfg.Validate(); err != nil {
		return nil, fmt.Errorf("app: %w", err)
	}
	if err := deps.Services.check(); err != nil {
		return nil, fmt.Errorf("app: %w", err)
	}
	a := &App{cfg: cfg, log: deps.Log, drain: interceptor.NewDrain(), ready: newReadiness(deps.Store, deps.Log), close: deps.Close}
	chain, err := interceptor.Chain(interceptor.Options{Log: deps.Log, Auth: deps.Auth, Drain: a.drain})
	if err != nil {
		return nil, fmt.Errorf("app: %w", err)
	}
	a.grpc = newGRPC(cfg, chain, deps.Services, a.ready.health)
	handler, err := gateway.New(gateway.Options{
		Conn:         inProcess(chain, deps.Services),
		MaxBody:      int64(cfg.MaxBody),
		WriteTimeout: frameTimeout,
		Origins:      cfg.CORSOrigins,
		Ready:        a.ready.err,
	})
	if err != nil {
		return nil, fmt.Errorf("app: %w", err)
	}
	a.http = newHTTP(handler, deps.Log)

	if a.grpcLis, err = net.Listen("tcp", cfg.GRPCAddr); err != nil {
		return nil, fmt.Errorf("app: gRPC: %w", err)
	}
	if a.httpLis, err = net.Listen("tcp", cfg.HTTPAddr); err != nil {
		return nil, errors.Join(fmt.Errorf("app: HTTP: %w", err), a.grpcLis.Close())
	}
	return a, nil
}

// GRPCAddr is where gRPC listens.
func (a *App) GRPCAddr() net.Addr { return a.grpcLis.Addr() }

// HTTPAddr is where HTTP listens.
func (a *App) HTTPAddr() net.Addr { return a.httpLis.Addr() }

// Run serves until the context is done or one of the two servers fails. Then it
// shuts down, which may take as long as the configured grace, and closes the
// dependencies. It is called once.
func (a *App) Run(ctx context.Context) error {
	// What serves stops by shutdown alone, not by the context, which says when
	// to begin with it.
	served := make(chan error, 2)
	go func() { served <- named("gRPC", a.grpc.Serve(a.grpcLis)) }()
	go func() { served <- named("HTTP", a.http.Serve(a.httpLis)) }()

	probing, stopProbing := context.WithCancel(context.WithoutCancel(ctx))
	probed := make(chan struct{})
	go func() { defer close(probed); a.ready.run(probing) }()

	a.log.Info("serving", "grpc", a.GRPCAddr().String(), "http", a.HTTPAddr().String())
	running := 2
	var failed error
	select {
	case <-ctx.Done():
	case failed = <-served:
		running--
	}

	a.log.Info("shutting down", "grace", a.cfg.ShutdownGrace)
	stopProbing()
	<-probed
	err := a.shutdown()
	for ; running > 0; running-- {
		failed = errors.Join(failed, <-served)
	}
	a.log.Info("stopped")
	return errors.Join(failed, err)
}

// named says which server's error it is; nil if it only was told to stop.
func named(server string, err error) error {
	if err == nil || errors.Is(err, http.ErrServerClosed) || errors.Is(err, grpc.ErrServerStopped) {
		return nil
	}
	return fmt.Errorf("app: %s: %w", server, err)
}

// Abandon closes what Open has opened when New could not make a server of it. It
// returns the cause with whatever went wrong besides.
func (d Deps) Abandon(cause error) error {
	errs := []error{cause}
	for _, c := range d.Close {
		errs = append(errs, c())
	}
	return errors.Join(errs...)
}

// Abandon closes a server that never ran.
func (a *App) Abandon(cause error) error {
	return Deps{Close: append([]func() error{a.grpcLis.Close, a.httpLis.Close}, a.close...)}.Abandon(cause)
}
