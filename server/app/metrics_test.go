package app_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
	"github.com/hantei/hantei/server/config"
)

func withMetrics(c *config.Server) { c.MetricsAddr = "127.0.0.1:0" }

// watchdog gets a page of the metrics' listener.
func (s *server) watchdog(path string) (code int, body string) {
	s.t.Helper()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Get("http://" + s.app.MetricsAddr().String() + path)
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return resp.StatusCode, string(b)
}

func TestMetrics(t *testing.T) {
	s := start(t, withMetrics)
	s.get("/v1/tables/t1/view")
	s.get("/v1/tables/panic/view")
	s.get("/v1/tables/t1/view", "Authorization: ")
	if _, err := hanteiv1.NewPlayServiceClient(s.conn).GetView(s.ctx(), &hanteiv1.GetViewRequest{TableId: "t1"}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	_, next := s.lines(ctx, "/v1/watch?table_id=t1")
	next()

	has := func(wants ...string) {
		t.Helper()
		for _, want := range wants {
			s.eventually(want, func() bool { _, body := s.watchdog("/metrics"); return strings.Contains(body, "\n"+want) })
		}
	}
	has(
		`hantei_calls_total{code="OK",method="hantei.v1.PlayService/GetView"} 2`,
		`hantei_calls_total{code="Internal",method="hantei.v1.PlayService/GetView"} 1`,
		`hantei_calls_total{code="Unauthenticated",method="hantei.v1.PlayService/GetView"} 1`,
		`hantei_call_duration_seconds_count{method="hantei.v1.PlayService/GetView"} 4`,
		`hantei_streams_open{method="hantei.v1.PlayService/Watch"} 1`,
		`go_goroutines `, `go_build_info{`, `process_start_time_seconds `,
	)
	cancel()
	has(
		`hantei_streams_open{method="hantei.v1.PlayService/Watch"} 0`,
		`hantei_calls_total{code="Canceled",method="hantei.v1.PlayService/Watch"} 1`,
	)
	if _, body := s.watchdog("/metrics"); strings.Contains(body, `call_duration_seconds_count{method="hantei.v1.PlayService/Watch"}`) || strings.Contains(body, "seat1") {
		t.Error(body)
	}
}

// Probes are on the metrics' port too, and nothing else is.
func TestProbesBesideMetrics(t *testing.T) {
	s := start(t, withMetrics)
	for path, want := range map[string]int{"/healthz": 200, "/readyz": 200, "/v1/rulesets": 404, "/debug/pprof/": 404} {
		if code, _ := s.watchdog(path); code != want {
			t.Errorf("%s: %d", path, code)
		}
	}
	s.store.down.Store(true)
	s.eventually("not ready", func() bool { code, _ := s.watchdog("/readyz"); return code == 503 })
}

func TestMetricsAreOffByDefault(t *testing.T) {
	s := start(t)
	if addr := s.app.MetricsAddr(); addr != nil {
		t.Errorf("on %v", addr)
	}
	if a := s.get("/metrics"); a.StatusCode != 404 {
		t.Errorf("on the players' port: %d", a.StatusCode)
	}
}
