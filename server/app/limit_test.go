package app_test

import (
	"strings"
	"testing"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
	"github.com/hantei/hantei/server/auth"
	"github.com/hantei/hantei/server/config"
)

// tooMany says that an answer tells its reader to wait.
func tooMany(a answer) bool {
	after := a.Header.Get("Retry-After")
	return a.StatusCode == 429 && a.field("status") == "RESOURCE_EXHAUSTED" && a.field("reason") == "TOO_MANY_REQUESTS" &&
		a.field("domain") == "hantei" && after != "" && strings.Trim(after, "0123456789") == "" && after != "0"
}

// A token has one budget over REST and gRPC, and its own.
func TestRateLimit(t *testing.T) {
	s := start(t, func(c *config.Server) { c.RateLimit, c.RateBurst = 0.01, 3 })
	_, next := s.lines(t.Context(), "/v1/watch?table_id=t1") // counts once, however much comes
	for range 5 {
		next()
	}
	for i := range 2 {
		if a := s.get("/v1/tables/t1"); a.StatusCode != 200 || a.Header.Get("Retry-After") != "" {
			t.Errorf("call %d: %d %v", i, a.StatusCode, a.Header)
		}
	}
	for _, path := range []string{"/v1/tables/t1", "/v1/watch?table_id=t1"} {
		if a := s.get(path); !tooMany(a) {
			t.Errorf("%s: %d %v %s", path, a.StatusCode, a.Header, a.body)
		}
	}
	_, err := hanteiv1.NewPlayServiceClient(s.conn).GetView(s.ctx(), &hanteiv1.GetViewRequest{TableId: "t1"})
	var wait *errdetails.RetryInfo
	for _, d := range status.Convert(err).Details() {
		if r, ok := d.(*errdetails.RetryInfo); ok {
			wait = r
		}
	}
	if status.Code(err) != codes.ResourceExhausted || wait.GetRetryDelay().AsDuration() <= 0 {
		t.Errorf("gRPC: %v", err)
	}
	// The stream goes on, and so may others, and probes.
	if line := next(); !strings.HasPrefix(line, `{"result"`) {
		t.Errorf("stream: %s", line)
	}
	for range 3 {
		if a := s.get("/v1/tables/t1", "Authorization: Bearer "+s.admin); a.StatusCode != 200 {
			t.Errorf("another token: %d %s", a.StatusCode, a.body)
		}
	}
	for range 5 {
		if _, err := grpc_health_v1.NewHealthClient(s.conn).Check(t.Context(), &grpc_health_v1.HealthCheckRequest{}); err != nil {
			t.Errorf("probe: %v", err)
		}
	}
	if a := s.get("/readyz"); a.StatusCode != 200 {
		t.Errorf("probe: %d", a.StatusCode)
	}
}

// Where there is no token, the address counts, which nobody can choose.
func TestRateLimitByAddress(t *testing.T) {
	s := start(t, func(c *config.Server) { c.RateLimit, c.RateBurst = 0.01, 2 })
	for i := range 4 {
		a := s.get("/v1/rulesets", "Authorization: ", "X-Forwarded-For: 10.0.0."+string(rune('1'+i)))
		if (i < 2) != (a.StatusCode == 200) || (i >= 2) != tooMany(a) {
			t.Errorf("call %d: %d %s", i, a.StatusCode, a.body)
		}
	}
	ctx := metadata.AppendToOutgoingContext(t.Context(), "x-forwarded-for", "10.0.0.9")
	if _, err := hanteiv1.NewRulesetServiceClient(s.conn).ListRulesets(ctx, &hanteiv1.ListRulesetsRequest{}); status.Code(err) != codes.ResourceExhausted {
		t.Errorf("gRPC: %v", err)
	}
}

// Behind a proxy that is known, each of those for whom it speaks counts for himself,
// whatever he claims to be.
func TestRateLimitBehindProxy(t *testing.T) {
	s := start(t, func(c *config.Server) {
		c.RateLimit, c.RateBurst, c.TrustedProxies = 0.01, 2, []string{"127.0.0.1"}
	})
	for i, c := range []struct {
		header string
		good   bool
	}{
		{"192.0.2.1", true},
		{"203.0.113.1, 192.0.2.1", true},  // the second of two
		{"203.0.113.2, 192.0.2.1", false}, // another claim, the same caller
		{"127.0.0.1, 192.0.2.1", false},
		{"192.0.2.1, 192.0.2.2", true}, // somebody else, who claims to be the first
		{"2001:db8:1:2::1", true},
		{"2001:db8:1:2::2", true},
		{"2001:db8:1:2::3", false}, // one customer's network
	} {
		a := s.get("/v1/rulesets", "Authorization: ", "X-Forwarded-For: "+c.header)
		if c.good != (a.StatusCode == 200) || !c.good != tooMany(a) {
			t.Errorf("call %d, %s: %d %s", i, c.header, a.StatusCode, a.body)
		}
	}
	// Over gRPC too: the first one has spent his calls, a third one has not.
	for from, want := range map[string]codes.Code{"192.0.2.1": codes.ResourceExhausted, "192.0.2.3": codes.OK} {
		ctx := metadata.AppendToOutgoingContext(t.Context(), "x-forwarded-for", from)
		if _, err := hanteiv1.NewRulesetServiceClient(s.conn).ListRulesets(ctx, &hanteiv1.ListRulesetsRequest{}); status.Code(err) != want {
			t.Errorf("gRPC from %s: %v, want %v", from, err, want)
		}
	}
}

func TestAuthFailures(t *testing.T) {
	s := start(t, func(c *config.Server) { c.AuthFailures = 3 })
	if a := s.get("/v1/tables/t1"); a.StatusCode != 200 {
		t.Fatal(a.body)
	}
	if a := s.do("POST", "/v1/pair", `{"code": "bad"}`, "Authorization: "); a.StatusCode != 404 {
		t.Errorf("bad code: %d %s", a.StatusCode, a.body)
	}
	if a := s.do("POST", "/v1/pair", `{"code": "good"}`, "Authorization: "); a.StatusCode != 200 { // costs nothing
		t.Errorf("good code: %d %s", a.StatusCode, a.body)
	}
	stranger := "Authorization: Bearer " + auth.NewToken(auth.KindSeat)
	for _, header := range []string{"Authorization: ", stranger} {
		if a := s.get("/v1/tables/t1", header); a.StatusCode != 401 {
			t.Errorf("%s: %d %s", header, a.StatusCode, a.body)
		}
	}
	// From here on nothing is tried any more, not even what would be good.
	for _, header := range []string{"Authorization: ", stranger, "Authorization: Bearer x", "Authorization: Bearer " + s.admin} {
		if a := s.get("/v1/tables/t1", header, "X-Forwarded-For: 10.0.0.1"); !tooMany(a) {
			t.Errorf("%s: %d %s", header, a.StatusCode, a.body)
		}
	}
	if a := s.do("POST", "/v1/pair", `{"code": "good"}`, "Authorization: "); !tooMany(a) {
		t.Errorf("pair: %d %s", a.StatusCode, a.body)
	}
	// Who is known at the same address plays on, and what needs no token is read.
	if a := s.get("/v1/tables/t1"); a.StatusCode != 200 {
		t.Errorf("known: %d %s", a.StatusCode, a.body)
	}
	if a := s.get("/v1/rulesets", "Authorization: "); a.StatusCode != 200 {
		t.Errorf("open: %d %s", a.StatusCode, a.body)
	}
}
