package app_test

import (
	"strings"
	"testing"

	"github.com/hantei/hantei/server/config"
)

// preflight asks as a browser does before a page's first call.
func (s *server) preflight(origin string, more ...string) answer {
	s.t.Helper()
	return s.do("OPTIONS", "/v1/tables/t1:act", "", append([]string{"Origin: " + origin, "Authorization: ",
		"Access-Control-Request-Method: POST", "Access-Control-Request-Headers: authorization,content-type,hantei-seat"}, more...)...)
}

func TestCORS(t *testing.T) {
	s := start(t)
	const listed, evil, private = "https://vtt.example", "https://evil.example", "Access-Control-Request-Private-Network: true"

	a := s.preflight(listed)
	if a.StatusCode != 204 || a.Header.Get("Access-Control-Allow-Origin") != listed ||
		a.Header.Get("Access-Control-Allow-Methods") != "POST" || a.Header.Get("Access-Control-Allow-Headers") != "authorization,content-type,hantei-seat" {
		t.Errorf("listed: %d %v", a.StatusCode, a.Header)
	}
	if a.Header.Get("Access-Control-Allow-Private-Network") != "" || a.Header.Get("Access-Control-Allow-Credentials") != "" {
		t.Errorf("more than was asked for: %v", a.Header)
	}
	if a := s.preflight(listed, private); a.Header.Get("Access-Control-Allow-Private-Network") != "true" || a.Header.Get("Access-Control-Allow-Origin") != listed {
		t.Errorf("private network: %v", a.Header)
	}
	for _, origin := range []string{evil, "null", "https://vtt.example.evil.example", "http://vtt.example", "https://vtt.example:8443"} {
		a := s.preflight(origin, private)
		if a.Header.Get("Access-Control-Allow-Origin") != "" || a.Header.Get("Access-Control-Allow-Private-Network") != "" {
			t.Errorf("%s: %v", origin, a.Header)
		}
	}

	a = s.get("/v1/nothing", "Origin: "+listed)
	if a.Header.Get("Access-Control-Allow-Origin") != listed {
		t.Error("a page cannot read errors")
	}
	for _, name := range []string{"X-Request-Id", "Retry-After"} {
		if !strings.Contains(a.Header.Get("Access-Control-Expose-Headers"), name) {
			t.Errorf("a page cannot read %s", name)
		}
	}
	if a := s.get("/v1/rulesets", "Origin: "+evil); a.Header.Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("%v", a.Header)
	}
}

func TestCORSIsOffByDefault(t *testing.T) {
	s := start(t, func(c *config.Server) { c.CORSOrigins = nil })
	if a := s.get("/v1/rulesets", "Origin: https://vtt.example"); a.StatusCode != 200 || a.Header.Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("%d %v", a.StatusCode, a.Header)
	}
	a := s.preflight("https://vtt.example", "Access-Control-Request-Private-Network: true")
	if a.StatusCode != 405 || a.Header.Get("Access-Control-Allow-Private-Network") != "" {
		t.Errorf("%d %v", a.StatusCode, a.Header)
	}
}
