package app

import (
	"log/slog"
	"net"
	"net/http"

	"github.com/hantei/hantei/server/gateway"
	"github.com/hantei/hantei/server/telemetry"
)

// newMetricsHTTP makes the server for those who watch over this one: metrics, and
// the probes, which need no certificate here. It has a port of its own, since
// metrics are not for everybody.
func newMetricsHTTP(m *telemetry.Metrics, ready func() error, log *slog.Logger) *http.Server {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", m.Handler())
	gateway.Probes(mux, ready)
	s := newHTTP(mux, nil, log)
	s.WriteTimeout = frameTimeout // nothing here is a stream
	return s
}

// MetricsAddr is where metrics are; nil if they are off.
func (a *App) MetricsAddr() net.Addr {
	if a.metricsLis == nil {
		return nil
	}
	return a.metricsLis.Addr()
}
