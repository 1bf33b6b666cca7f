package app

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// lastGrace is for calls that were told to stop and have not yet: longer than
// any of them may take to notice.
const lastGrace = 5 * time.Second

// shutdown states the order in which the server ends.
func (a *App) shutdown() error {
	// No more work comes from balancers and probes.
	a.ready.stop()

	// Streams get their end frame, further calls a refusal; what runs may finish.
	a.drain.Close()
	ctx, cancel := context.WithTimeout(context.Background(), a.cfg.ShutdownGrace)
	defer cancel()
	a.stopServers(ctx)

	// A call over REST may run on when its request has ended. The host and the
	// store must outlive it.
	ctx, cancel = context.WithTimeout(context.Background(), lastGrace)
	defer cancel()
	var errs []error
	if a.drain.Wait(ctx) != nil {
		errs = append(errs, errors.New("app: calls still run at shutdown"))
	}
	if a.metrics != nil { // to the last, whoever watches may see what happens
		_ = a.metrics.Close() // the listener's error tells nobody anything now
	}
	for _, c := range a.close {
		if err := c(); err != nil {
			errs = append(errs, fmt.Errorf("app: close: %w", err))
		}
	}
	return errors.Join(errs...)
}

// stopServers lets both servers finish what runs until the context is done, then
// cancels the rest.
func (a *App) stopServers(ctx context.Context) {
	var stopped sync.WaitGroup
	stopped.Go(func() {
		if a.http.Shutdown(ctx) != nil {
			_ = a.http.Close() // the listener is closed already
		}
	})
	stopped.Go(func() {
		// It waits for every handler, also for one that never ends, in which
		// case this goroutine does not either.
		graceful := make(chan struct{})
		go func() { defer close(graceful); a.grpc.GracefulStop() }()
		select {
		case <-graceful:
		case <-ctx.Done():
			a.grpc.Stop()
		}
	})
	stopped.Wait()
}
