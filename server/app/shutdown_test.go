package app_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"

	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
	"github.com/hantei/hantei/server/app"
	"github.com/hantei/hantei/server/config"
)

func TestGRPC(t *testing.T) {
	s := start(t)
	play := hanteiv1.NewPlayServiceClient(s.conn)
	if v, err := play.GetView(s.ctx(), &hanteiv1.GetViewRequest{TableId: "t1"}); err != nil || v.GetView().GetTableId() != "t1" {
		t.Errorf("%v, %v", v, err)
	}
	for table, want := range map[string]codes.Code{"panic": codes.Internal, "fault": codes.Internal, "": codes.InvalidArgument} {
		if _, err := play.GetView(s.ctx(), &hanteiv1.GetViewRequest{TableId: table}); status.Code(err) != want || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v", table, err)
		}
	}
	if _, err := play.GetView(t.Context(), &hanteiv1.GetViewRequest{TableId: "t1"}); status.Code(err) != codes.Unauthenticated {
		t.Errorf("without token: %v", err)
	}
	if _, err := hanteiv1.NewRulesetServiceClient(s.conn).ListRulesets(t.Context(), &hanteiv1.ListRulesetsRequest{}); err != nil {
		t.Errorf("rulesets without token: %v", err)
	}
	h, err := grpc_health_v1.NewHealthClient(s.conn).Check(t.Context(), &grpc_health_v1.HealthCheckRequest{})
	if err != nil || h.GetStatus() != grpc_health_v1.HealthCheckResponse_SERVING {
		t.Errorf("health: %v, %v", h, err)
	}
}

// What runs may finish, and only then are host and store closed.
func TestShutdownWaitsForCalls(t *testing.T) {
	s := start(t)
	viaHTTP, viaGRPC := make(chan int, 1), make(chan error, 1)
	go func() { viaHTTP <- s.get("/v1/tables/slow/view").StatusCode }()
	go func() {
		_, err := hanteiv1.NewPlayServiceClient(s.conn).GetView(s.ctx(), &hanteiv1.GetViewRequest{TableId: "slow"})
		viaGRPC <- err
	}()
	s.eventually("both calls run", func() bool { return s.play.slowed.Load() == 2 })
	stopped := make(chan error, 1)
	go func() { stopped <- s.stop() }()
	time.Sleep(50 * time.Millisecond)
	select {
	case err := <-stopped:
		t.Fatalf("did not wait: %v", err)
	default:
	}
	close(s.play.slow)
	if code, err := <-viaHTTP, <-viaGRPC; code != 200 || err != nil {
		t.Errorf("HTTP %d, gRPC %v", code, err)
	}
	if err := <-stopped; err != nil {
		t.Errorf("Run: %v", err)
	}
}

// Calls that do not end are cut when the grace is over; the store stays open until
// their handlers have ended, which no server waits for any more.
func TestShutdownHasADeadline(t *testing.T) {
	s := start(t, func(c *config.Server) { c.ShutdownGrace = 50 * time.Millisecond })
	viaHTTP, viaGRPC := make(chan error, 1), make(chan error, 1)
	go func() {
		req, _ := http.NewRequest(http.MethodGet, s.url+"/v1/tables/slow/view", nil)
		req.Header.Set("Authorization", "Bearer "+s.token)
		resp, err := s.http.Do(req)
		if err == nil {
			resp.Body.Close()
		}
		viaHTTP <- err
	}()
	go func() {
		_, err := hanteiv1.NewPlayServiceClient(s.conn).GetView(s.ctx(), &hanteiv1.GetViewRequest{TableId: "slow"})
		viaGRPC <- err
	}()
	s.eventually("both calls run", func() bool { return s.play.slowed.Load() == 2 })
	stopped := make(chan error, 1)
	go func() { stopped <- s.stop() }()
	if <-viaHTTP == nil || <-viaGRPC == nil {
		t.Error("a call was not cut")
	}
	select {
	case err := <-stopped:
		t.Fatalf("closed under a running handler: %v", err)
	case <-time.After(100 * time.Millisecond):
	}
	close(s.play.slow)
	if err := <-stopped; err != nil {
		t.Errorf("Run: %v", err)
	}
}

func TestNewRefuses(t *testing.T) {
	if _, err := app.New(config.Server{}, app.Deps{}); err == nil {
		t.Error("an empty configuration is accepted")
	}
}
