package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"google.golang.org/grpc/health"
	"google.golang.org/grpc/health/grpc_health_v1"
)

// Pinger can be asked whether it works.
type Pinger interface {
	// Ping returns nil if it does.
	Ping(context.Context) error
}

// How often the store is asked, and how long it may take. Probes are answered
// from what was last heard, so that they cost nothing and never hang.
const (
	pingEvery   = 2 * time.Second
	pingTimeout = 5 * time.Second
)

var (
	errStarting = errors.New("starting")
	errStopping = errors.New("shutting down")
)

// readiness knows whether the server can do its work, and tells it over gRPC
// and HTTP alike. It is not liveness: a server that is not ready is not helped
// by being started again.
type readiness struct {
	health *health.Server
	store  Pinger
	log    *slog.Logger
	state  atomic.Pointer[error]
}

// newReadiness starts as not ready.
func newReadiness(store Pinger, log *slog.Logger) *readiness {
	r := &readiness{health: health.NewServer(), store: store, log: log}
	r.set(errStarting)
	return r
}

// err is why the server is not ready; nil if it is.
func (r *readiness) err() error { return *r.state.Load() }

func (r *readiness) set(err error) {
	r.state.Store(&err)
	status := grpc_health_v1.HealthCheckResponse_SERVING
	if err != nil {
		status = grpc_health_v1.HealthCheckResponse_NOT_SERVING
	}
	r.health.SetServingStatus("", status)
}

// stop says for good that the server is not ready. Run has returned before.
func (r *readiness) stop() {
	r.set(errStopping)
	r.health.Shutdown()
}

// run asks the store until the context is done.
func (r *readiness) run(ctx context.Context) {
	tick := time.NewTicker(pingEvery)
	defer tick.Stop()
	for {
		r.ping(ctx)
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

func (r *readiness) ping(ctx context.Context) {
	pinging, cancel := context.WithTimeout(ctx, pingTimeout)
	defer cancel()
	err := r.store.Ping(pinging)
	if ctx.Err() != nil {
		return // it was cut short, which tells nothing of the store
	}
	if err != nil {
		err = fmt.Errorf("store: %w", err)
	}
	switch was := r.err(); {
	case err != nil && (was == nil || was == errStarting):
		r.log.Error("not ready", "cause", err)
	case err == nil && was != nil:
		r.log.Info("ready")
	}
	r.set(err)
}
