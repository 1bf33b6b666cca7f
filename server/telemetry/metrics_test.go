package telemetry_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"

	"github.com/hantei/hantei/server/telemetry"
)

func TestMetrics(t *testing.T) {
	m := telemetry.NewMetrics()
	m.Ended("/p.S/M", codes.OK)
	m.Ended("/p.S/M", codes.OK)
	m.Ended("/p.S/M", codes.NotFound)
	m.Took("/p.S/M", 3*time.Millisecond)
	m.Streams("/p.S/W", 1)
	m.Streams("/p.S/W", 1)
	m.Streams("/p.S/W", -1)
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	for _, want := range []string{
		`hantei_calls_total{code="OK",method="p.S/M"} 2`,
		`hantei_calls_total{code="NotFound",method="p.S/M"} 1`,
		`hantei_call_duration_seconds_bucket{method="p.S/M",le="0.0025"} 0`,
		`hantei_call_duration_seconds_bucket{method="p.S/M",le="0.005"} 1`,
		`hantei_streams_open{method="p.S/W"} 1`,
		"go_goroutines ", "go_build_info{",
	} {
		if !strings.Contains(w.Body.String(), want) {
			t.Errorf("no %s in %s", want, w.Body)
		}
	}
	// Two servers in a process do not share them.
	w = httptest.NewRecorder()
	telemetry.NewMetrics().Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	if strings.Contains(w.Body.String(), "p.S/M") {
		t.Error("metrics are shared")
	}
}
