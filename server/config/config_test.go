package config_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"

	"github.com/hantei/hantei/server/config"
)

// parse reads flags as the command does.
func parse(t *testing.T, args ...string) (config.Server, error) {
	t.Helper()
	var s config.Server
	p, err := kong.New(&s, kong.DefaultEnvars("HANTEI"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = p.Parse(args)
	return s, err
}

func TestDefaults(t *testing.T) {
	s, err := parse(t)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(s.GRPCAddr, "127.0.0.1:") || !strings.HasPrefix(s.HTTPAddr, "127.0.0.1:") {
		t.Errorf("not on loopback: %q, %q", s.GRPCAddr, s.HTTPAddr)
	}
	if s.TLSCert != "" || s.MetricsAddr != "" || s.RateLimit <= 0 || s.RateBurst < int(s.RateLimit) || s.AuthFailures <= 0 {
		t.Errorf("defaults: %+v", s)
	}
	if s.MaxBody != 1<<20 || s.Heartbeat != 15*time.Second || len(s.CORSOrigins) != 0 {
		t.Errorf("defaults: %+v", s)
	}
}

func TestEnvironment(t *testing.T) {
	t.Setenv("HANTEI_HTTP_ADDR", "127.0.0.1:9000")
	t.Setenv("HANTEI_CORS_ORIGIN", "https://a.example,http://localhost:30000")
	s, err := parse(t)
	if err != nil {
		t.Fatal(err)
	}
	if s.HTTPAddr != "127.0.0.1:9000" || len(s.CORSOrigins) != 2 {
		t.Errorf("%+v", s)
	}
}

func TestValidate(t *testing.T) {
	for name, args := range map[string][]string{
		"grpc-addr":      {"--grpc-addr=here"},
		"need a port":    {"--grpc-addr=:8080", "--http-addr=:8080"},
		"metrics-addr":   {"--metrics-addr=9090"},
		"both":           {"--http-addr=:8080", "--metrics-addr=:8080"},
		"tls-key":        {"--tls-cert=cert.pem"},
		"tls-cert":       {"--tls-key=key.pem"},
		"rate-limit":     {"--rate-limit=-1"},
		"NaN":            {"--rate-limit=NaN"},
		"rate-burst":     {"--rate-burst=0"},
		"bridge-limit":   {"--bridge-limit=0.5"},
		"auth-failures":  {"--auth-failures=-1"},
		"watch-buffer":   {"--watch-buffer=100000"},
		"not a network":  {"--trusted-proxies=127.0.0.1,proxy.example"},
		"everybody":      {"--trusted-proxies=::/0"},
		"as IPv4":        {"--trusted-proxies=::ffff:10.0.0.0/104"},
		"max-body":       {"--max-body=10"},
		"heartbeat":      {"--heartbeat=2m"},
		"shutdown-grace": {"--shutdown-grace=-1s"},
		`"*"`:            {"--cors-origin=*"},
		"a.example/x":    {"--cors-origin=https://a.example/x"},
		"log-level":      {"--log-level=loud"},
		"db":             {"--db="},
	} {
		if _, err := parse(t, args...); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%v: %v, want an error with %q", args, err, name)
		}
	}
	_, err := parse(t, "--max-body=10", "--heartbeat=2m")
	if err == nil || !strings.Contains(err.Error(), "max-body") || !strings.Contains(err.Error(), "heartbeat") {
		t.Errorf("not everything is reported: %v", err)
	}
	for _, args := range [][]string{
		{"--grpc-addr=127.0.0.1:0", "--http-addr=127.0.0.1:0", "--metrics-addr=127.0.0.1:0"}, // of the system's choice
		{"--rate-limit=0", "--rate-burst=0", "--auth-failures=0"},
		{"--tls-cert=cert.pem", "--tls-key=key.pem", "--metrics-addr=:9090"},
	} {
		if _, err := parse(t, args...); err != nil {
			t.Errorf("%v: %v", args, err)
		}
	}
}

func TestProxies(t *testing.T) {
	t.Setenv("HANTEI_TRUSTED_PROXIES", "127.0.0.1,10.0.0.0/8,2001:db8::/32,::1")
	s, err := parse(t)
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.Proxies()
	if want := "[127.0.0.1/32 10.0.0.0/8 2001:db8::/32 ::1/128]"; err != nil || fmt.Sprint(got) != want {
		t.Errorf("%v, %v, want %s", got, err, want)
	}
}
