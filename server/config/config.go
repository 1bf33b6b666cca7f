// Package config holds the server's settings. The tags are read by kong: each
// setting is a flag and, in capitals after HANTEI_, an environment variable.
package config

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"time"
)

// Server is all that can be set.
type Server struct {
	GRPCAddr string `name:"grpc-addr" default:"127.0.0.1:50051" placeholder:"HOST:PORT" help:"Where gRPC listens (${default})."`
	HTTPAddr string `name:"http-addr" default:"127.0.0.1:8080" placeholder:"HOST:PORT" help:"Where REST and streams over HTTP listen (${default})."`
	DB       string `name:"db" default:"hantei.db" placeholder:"FILE" help:"The SQLite database; it is made if it does not exist (${default})."`

	LogLevel  string `enum:"debug,info,warn,error" default:"info" help:"What to log: ${enum} (${default})."`
	LogFormat string `enum:"json,text" default:"json" help:"How to log: ${enum} (${default})."`

	MaxBody       int           `default:"1048576" placeholder:"BYTES" help:"The largest request (${default})."`
	Heartbeat     time.Duration `default:"15s" placeholder:"TIME" help:"How often a quiet stream sends a heartbeat; proxies cut idle streams after 60s (${default})."`
	ShutdownGrace time.Duration `default:"10s" placeholder:"TIME" help:"How long calls may take to finish at shutdown (${default})."`

	CORSOrigins []string `name:"cors-origin" placeholder:"ORIGIN" help:"An origin whose pages may call, for example https://vtt.example; may be repeated. None by default."`
}

// The bounds of the settings.
const (
	minBody, maxBody           = 64 << 10, 64 << 20
	minHeartbeat, maxHeartbeat = time.Second, 50 * time.Second
)

// Validate reports everything that is wrong, at once. Kong calls it too.
func (s *Server) Validate() error {
	var errs []error
	refuse := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }

	for _, a := range []struct{ name, addr string }{{"grpc-addr", s.GRPCAddr}, {"http-addr", s.HTTPAddr}} {
		if _, port, err := net.SplitHostPort(a.addr); err != nil || port == "" {
			refuse("%s: %q is not HOST:PORT", a.name, a.addr)
		}
	}
	if s.GRPCAddr == s.HTTPAddr && !anyPort(s.GRPCAddr) {
		refuse("grpc-addr and http-addr are both %q: gRPC and HTTP need a port each", s.GRPCAddr)
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
	for _, o := range s.CORSOrigins {
		if err := checkOrigin(o); err != nil {
			refuse("cors-origin: %w", err)
		}
	}
	return errors.Join(errs...)
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
