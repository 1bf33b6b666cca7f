package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"time"
)

// healthCmd asks a running server whether it is ready.
type healthCmd struct {
	Addr    string        `default:"127.0.0.1:8080" env:"HANTEI_HTTP_ADDR" placeholder:"HOST:PORT" help:"The server's HTTP address; with https:// before it for TLS (${default})."`
	TLSCert string        `name:"tls-cert" placeholder:"FILE" help:"The server's own certificate, as for serve: TLS, and the server must have this one."`
	TLSCA   string        `name:"tls-ca" placeholder:"FILE" help:"Certificates (PEM) of those who may vouch for the server, instead of the system's: TLS."`
	Timeout time.Duration `default:"3s" placeholder:"TIME" help:"How long it may take to answer (${default})."`
}

// Help is shown by hantei health --help.
func (*healthCmd) Help() string {
	return `Exit code 0 if the server is ready, 1 if not. It needs no token.

With --tls-cert it does not matter by which name or address the server is asked: it
shows by its key that it is the one of the certificate. Otherwise the certificate must
be good for the host of --addr.

Examples:
  hantei health
  hantei health --tls-cert /etc/hantei/cert.pem
  hantei health --addr https://hantei.example:443
  hantei health --addr 10.0.0.5:8080 --timeout 1s
  HEALTHCHECK CMD ["hantei", "health"]           (in a Dockerfile)`
}

// Run implements the command.
func (c *healthCmd) Run(ctx context.Context, s streams) error {
	addr, secure := strings.CutPrefix(c.Addr, "https://")
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return fmt.Errorf("--addr: %w", err)
	}
	// The address may be the one that the server listens on, which for all of a
	// machine's addresses has no host.
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "localhost"
	}
	// One question: no connection is kept, no proxy asked.
	transport := &http.Transport{DisableKeepAlives: true}
	scheme := "http"
	if secure || c.TLSCert != "" || c.TLSCA != "" {
		scheme = "https"
		if transport.TLSClientConfig, err = c.trust(); err != nil {
			return err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, scheme+"://"+net.JoinHostPort(host, port)+"/readyz", nil)
	if err != nil {
		return fmt.Errorf("--addr: %w", err)
	}
	resp, err := (&http.Client{Transport: transport}).Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, 4096))
	if err != nil {
		return err
	}
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", resp.Status, strings.TrimSpace(string(body)))
	}
	fmt.Fprintln(s.out, "ready")
	return nil
}

// trust says which server is taken for ours.
func (c *healthCmd) trust() (*tls.Config, error) {
	switch {
	case c.TLSCert != "" && c.TLSCA != "":
		return nil, errors.New("--tls-cert and --tls-ca: one is enough")
	case c.TLSCA != "":
		b, err := os.ReadFile(c.TLSCA)
		if err != nil {
			return nil, fmt.Errorf("--tls-ca: %w", err)
		}
		roots := x509.NewCertPool()
		if !roots.AppendCertsFromPEM(b) {
			return nil, fmt.Errorf("--tls-ca: there is no certificate in %s", c.TLSCA)
		}
		return &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: roots}, nil
	case c.TLSCert != "":
		own, err := firstCert(c.TLSCert)
		if err != nil {
			return nil, fmt.Errorf("--tls-cert: %w", err)
		}
		// The certificate vouches for itself, by whatever name it has.
		roots := x509.NewCertPool()
		roots.AddCert(own)
		return &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: roots, ServerName: nameIn(own)}, nil
	}
	return &tls.Config{MinVersion: tls.VersionTLS12}, nil
}

// firstCert is the first certificate of a file: the server's own, before those of
// its chain.
func firstCert(file string) (*x509.Certificate, error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	for block, rest := pem.Decode(b); block != nil; block, rest = pem.Decode(rest) {
		if block.Type == "CERTIFICATE" {
			return x509.ParseCertificate(block.Bytes)
		}
	}
	return nil, fmt.Errorf("there is no certificate in %s", file)
}

// nameIn is a name that a certificate is good for; empty if it has none.
func nameIn(c *x509.Certificate) string {
	switch {
	case len(c.DNSNames) > 0:
		return strings.Replace(c.DNSNames[0], "*", "any", 1)
	case len(c.IPAddresses) > 0:
		return c.IPAddresses[0].String()
	}
	return ""
}
