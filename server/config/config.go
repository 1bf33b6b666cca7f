// Package config holds the server's settings. The tags are read by kong: each
// setting is a flag and, in capitals after HANTEI_, an environment variable.
package config

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"time"
)

// Server is all that can be set.
type Server struct {
	GRPCAddr string `name:"grpc-addr" default:"127.0.0.1:50051" placeholder:"HOST:PORT" help:"Where gRPC listens (${default})."`
	HTTPAddr string `name:"http-addr" default:"127.0.0.1:8080" placeholder:"HOST:PORT" help:"Where REST and streams over HTTP listen (${default})."`
	TLSCert  string `name:"tls-cert" placeholder:"FILE" help:"The certificate (PEM, with its chain) for gRPC and HTTP; read again when it changes. Without one both are in the clear."`
	TLSKey   string `name:"tls-key" placeholder:"FILE" help:"The certificate's key (PEM)."`
	DB       string `name:"db" default:"hantei.db" placeholder:"FILE" help:"The SQLite database; it is made if it does not exist (${default})."`
	DBSync   string `name:"db-sync" enum:"full,normal" default:"full" help:"When a commit counts: full, when it is on the disk; or normal, which is faster and may lose the last moments if the machine loses power, never if the program ends (${default})."`

	LogLevel  string `enum:"debug,info,warn,error" default:"info" help:"What to log: ${enum} (${default})."`
	LogFormat string `enum:"json,text" default:"json" help:"How to log: ${enum} (${default})."`

	MaxBody       int           `default:"1048576" placeholder:"BYTES" help:"The largest request (${default})."`
	Heartbeat     time.Duration `default:"15s" placeholder:"TIME" help:"How often a quiet stream sends a heartbeat; proxies cut idle streams after 60s (${default})."`
	ShutdownGrace time.Duration `default:"10s" placeholder:"TIME" help:"How long calls may take to finish at shutdown (${default})."`

	RateLimit    float64 `default:"100" placeholder:"CALLS" help:"How many calls a second each token may make, and each address without one; 0 sets no limit (${default})."`
	RateBurst    int     `default:"500" placeholder:"CALLS" help:"How many calls may come at once after a pause (${default})."`
	BridgeLimit  float64 `default:"10" placeholder:"TIMES" help:"How many times the calls of a seat's token a bridge's token may make, which calls for the seats of many tables (${default})."`
	AuthFailures int     `default:"120" placeholder:"CALLS" help:"How many calls a minute without a good token each address may make; 0 sets no limit (${default})."`

	TrustedProxies []string `name:"trusted-proxies" placeholder:"CIDR,..." help:"Networks of the proxies before the server, for example 127.0.0.1/32. Calls from there count for the address that X-Forwarded-For names. None by default."`

	WatchBuffer int `default:"256" placeholder:"COMMITS" help:"How many commits may wait for a watcher before it is cut off as too slow (${default})."`

	MetricsAddr string `placeholder:"HOST:PORT" help:"Where metrics for Prometheus and the health probes listen, always in the clear. Off by default."`

	CORSOrigins []string `name:"cors-origin" placeholder:"ORIGIN" help:"An origin whose pages may call, for example https://vtt.example; may be repeated. None by default."`
}

// The bounds of the settings.
const (
	minBody, maxBody           = 64 << 10, 64 << 20
	minHeartbeat, maxHeartbeat = time.Second, 50 * time.Second
	maxRate                    = 1e6
	maxTimes                   = 1000
	maxWatchBuffer             = 65536
)

// Validate reports everything that is wrong, at once. Kong calls it too.
func (s *Server) Validate() error {
	var errs []error
	refuse := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }

	users := map[string]string{} // of addresses
	for _, a := range []struct{ name, addr string }{{"grpc-addr", s.GRPCAddr}, {"http-addr", s.HTTPAddr}, {"metrics-addr", s.MetricsAddr}} {
		if a.addr == "" && a.name == "metrics-addr" {
			continue
		}
		if _, port, err := net.SplitHostPort(a.addr); err != nil || port == "" {
			refuse("%s: %q is not HOST:PORT", a.name, a.addr)
		}
		if other := users[a.addr]; other != "" && !anyPort(a.addr) {
			refuse("%s and %s are both %q: they need a port each", other, a.name, a.addr)
		}
		users[a.addr] = a.name
	}
	if (s.TLSCert == "") != (s.TLSKey == "") {
		refuse("tls-cert and tls-key: one needs the other")
	}
	if s.DB == "" {
		refuse("db: no file is named")
	}
	if s.MaxBody < minBody || s.MaxBody > maxBody {
		refuse("max-body: %d is not between %d and %d", s.MaxBody, minBody, maxBody)
	}
	if s.Heartbeat < minHeartbeat || s.Heartbeat > maxHeartbeat {
		refuse("heartbeat: %v is not between %v and %v", s.Heartbeat, minHeartbeat, maxHeartbeat)
	}
	if s.ShutdownGrace < 0 {
		refuse("shutdown-grace: %v is negative", s.ShutdownGrace)
	}
	if !(s.RateLimit >= 0 && s.RateLimit <= maxRate) {
		refuse("rate-limit: %v is not between 0 and %v", s.RateLimit, maxRate)
	}
	if s.RateLimit > 0 && s.RateBurst < 1 {
		refuse("rate-burst: %d lets no call in", s.RateBurst)
	}
	if !(s.BridgeLimit == 0 || s.BridgeLimit >= 1 && s.BridgeLimit <= maxTimes) {
		refuse("bridge-limit: %v is not between 1 and %v", s.BridgeLimit, maxTimes)
	}
	if s.AuthFailures < 0 {
		refuse("auth-failures: %d is negative", s.AuthFailures)
	}
	if s.WatchBuffer < 0 || s.WatchBuffer > maxWatchBuffer {
		refuse("watch-buffer: %d is not between 1 and %d", s.WatchBuffer, maxWatchBuffer)
	}
	if _, err := s.Proxies(); err != nil {
		errs = append(errs, err)
	}
	for _, o := range s.CORSOrigins {
		if err := checkOrigin(o); err != nil {
			refuse("cors-origin: %w", err)
		}
	}
	return errors.Join(errs...)
}

// Proxies are the networks of TrustedProxies. An address stands for itself. The
// error says which are none.
func (s *Server) Proxies() ([]netip.Prefix, error) {
	var all []netip.Prefix
	var errs []error
	for _, text := range s.TrustedProxies {
		p, err := netip.ParsePrefix(text)
		if a, alone := netip.ParseAddr(text); alone == nil && a.Zone() == "" {
			p, err = netip.PrefixFrom(a, a.BitLen()), nil
		}
		switch {
		case err != nil:
			errs = append(errs, fmt.Errorf("trusted-proxies: %q is not a network such as 10.0.0.0/8", text))
		case p.Bits() == 0:
			errs = append(errs, fmt.Errorf("trusted-proxies: %q is everybody, who could claim any address then", text))
		case p.Addr().Is4In6():
			errs = append(errs, fmt.Errorf("trusted-proxies: write %q as IPv4", text))
		}
		all = append(all, p)
	}
	return all, errors.Join(errs...)
}

// anyPort says that the system chooses the port, for tests.
func anyPort(addr string) bool {
	_, port, err := net.SplitHostPort(addr)
	return err == nil && port == "0"
}

// checkOrigin wants exactly what browsers send, so that nobody waits for a match
// that cannot come. A wildcard is refused: the list is there to be a list.
func checkOrigin(o string) error {
	u, err := url.Parse(o)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.Scheme+"://"+u.Host != o {
		return fmt.Errorf("%q is not an origin such as https://vtt.example:30000", o)
	}
	return nil
}
