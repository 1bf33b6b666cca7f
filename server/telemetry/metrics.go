package telemetry

import (
	"net/http"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"google.golang.org/grpc/codes"
)

// Metrics are the numbers of one server. None has a label that a caller can
// choose: tables, seats and addresses are not in them.
type Metrics struct {
	registry *prometheus.Registry
	calls    *prometheus.CounterVec
	duration *prometheus.HistogramVec
	streams  *prometheus.GaugeVec
}

// NewMetrics makes them, with those of the process, the Go runtime and the build.
func NewMetrics() *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		calls: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "hantei_calls_total", Help: "Calls that have ended, streams included, over gRPC and REST.",
		}, []string{"method", "code"}),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "hantei_call_duration_seconds", Help: "How long calls took that are no streams.",
			Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 5, 30},
		}, []string{"method"}),
		streams: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "hantei_streams_open", Help: "Streams that are open.",
		}, []string{"method"}),
	}
	m.registry.MustRegister(m.calls, m.duration, m.streams,
		collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		collectors.NewBuildInfoCollector(),
	)
	return m
}

// Handler answers Prometheus.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}

// Ended implements interceptor.Metrics.
func (m *Metrics) Ended(method string, code codes.Code) {
	m.calls.WithLabelValues(strings.TrimPrefix(method, "/"), code.String()).Inc()
}

// Took implements interceptor.Metrics.
func (m *Metrics) Took(method string, d time.Duration) {
	m.duration.WithLabelValues(strings.TrimPrefix(method, "/")).Observe(d.Seconds())
}

// Streams implements interceptor.Metrics.
func (m *Metrics) Streams(method string, by int) {
	m.streams.WithLabelValues(strings.TrimPrefix(method, "/")).Add(float64(by))
}
