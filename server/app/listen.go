package app

import (
	"errors"
	"fmt"
	"net"
)

// listen opens the ports; all of them, or none.
func (a *App) listen() error {
	ports := []struct {
		name, addr string
		lis        *net.Listener
	}{{"gRPC", a.cfg.GRPCAddr, &a.grpcLis}, {"HTTP", a.cfg.HTTPAddr, &a.httpLis}, {"metrics", a.cfg.MetricsAddr, &a.metricsLis}}
	for _, p := range ports {
		if p.addr == "" { // metrics that are off
			continue
		}
		lis, err := net.Listen("tcp", p.addr)
		if err != nil {
			return errors.Join(fmt.Errorf("app: %s: %w", p.name, err), a.closePorts())
		}
		*p.lis = lis
	}
	return nil
}

// closePorts closes the ports that are open, for a server that will not run.
func (a *App) closePorts() error {
	var errs []error
	for _, l := range []net.Listener{a.grpcLis, a.httpLis, a.metricsLis} {
		if l != nil {
			errs = append(errs, l.Close())
		}
	}
	return errors.Join(errs...)
}

// GRPCAddr is where gRPC listens.
func (a *App) GRPCAddr() net.Addr { return a.grpcLis.Addr() }

// HTTPAddr is where HTTP listens.
func (a *App) HTTPAddr() net.Addr { return a.httpLis.Addr() }

// serveHTTP serves in the clear, or over TLS with HTTP/2.
func (a *App) serveHTTP() error {
	if a.cfg.TLSCert != "" {
		return a.http.ServeTLS(a.httpLis, "", "")
	}
	return a.http.Serve(a.httpLis)
}

// URL is the address of HTTP with its scheme.
func (a *App) URL() string {
	scheme := "http://"
	if a.cfg.TLSCert != "" {
		scheme = "https://"
	}
	return scheme + a.HTTPAddr().String()
}
