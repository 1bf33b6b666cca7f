// Package app puts the server together and runs it: gRPC and HTTP on a port
// each, with the same services and interceptors behind both, in the clear or, with
// a certificate, over TLS (HTTP/2 and HTTP/1.1 then); and, if asked for, metrics
// and probes on a third port, always in the clear.
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
	"github.com/hantei/hantei/server/telemetry"
)

// Deps are what the server is put together from.
type Deps struct {
	// Log is where the server tells of itself.
	Log *slog.Logger
	// Services are the API.
	Services Services
	// Auth knows the tokens.
	Auth auth.Authenticator
	// Version is the program's.
	Version string
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
	metrics *http.Server // nil if they are off
	close   []func() error

	grpcLis, httpLis, metricsLis net.Listener
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
	proxies, err := cfg.Proxies()
	if err != nil {
		return nil, fmt.Errorf("app: %w", err)
	}
	a := &App{cfg: cfg, log: deps.Log, drain: interceptor.NewDrain(), ready: newReadiness(deps.Store, deps.Log), close: deps.Close}
	options := interceptor.Options{
		Log: deps.Log, Auth: deps.Auth, Drain: a.drain,
		Limits: interceptor.Limits{
			Rate: cfg.RateLimit, Burst: cfg.RateBurst, Bridge: cfg.BridgeLimit, AuthFailures: cfg.AuthFailures, Proxies: proxies,
		},
	}
	if cfg.MetricsAddr != "" {
		m := telemetry.NewMetrics()
		options.Metrics = m
		a.metrics = newMetricsHTTP(m, a.ready.err, deps.Log)
	}
	chain, err := interceptor.Chain(options)
	if err != nil {
		return nil, fmt.Errorf("app: %w", err)
	}
	secure, err := newTLS(cfg, deps.Log)
	if err != nil {
		return nil, fmt.Errorf("app: %w", err)
	}
	a.grpc = newGRPC(cfg, secure, chain, deps.Services, a.ready.health)
	handler, err := gateway.New(gateway.Options{
		Conn:         inProcess(chain, deps.Services),
		MaxBody:      int64(cfg.MaxBody),
		WriteTimeout: frameTimeout,
		Origins:      cfg.CORSOrigins,
		Ready:        a.ready.err,
		Version:      deps.Version,
	})
	if err != nil {
		return nil, fmt.Errorf("app: %w", err)
	}
	a.http = newHTTP(handler, secure, deps.Log)
	if err := a.listen(); err != nil {
		return nil, err
	}
	return a, nil
}

// Run serves until the context is done or one of the servers fails. Then it
// shuts down, which may take as long as the configured grace, and closes the
// dependencies. It is called once.
func (a *App) Run(ctx context.Context) error {
	// What serves stops by shutdown alone, not by the context, which says when
	// to begin with it.
	served := make(chan error, 3)
	running := 2
	go func() { served <- named("gRPC", a.grpc.Serve(a.grpcLis)) }()
	go func() { served <- named("HTTP", a.serveHTTP()) }()
	if a.metrics != nil {
		running++
		go func() { served <- named("metrics", a.metrics.Serve(a.metricsLis)) }()
		a.log.Info("metrics", "http", a.MetricsAddr().String())
	}

	probing, stopProbing := context.WithCancel(context.WithoutCancel(ctx))
	probed := make(chan struct{})
	go func() { defer close(probed); a.ready.run(probing) }()

	a.log.Info("serving", "grpc", a.GRPCAddr().String(), "http", a.HTTPAddr().String(), "tls", a.cfg.TLSCert != "")
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
	return Deps{Close: append([]func() error{a.closePorts}, a.close...)}.Abandon(cause)
}
