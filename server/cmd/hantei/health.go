package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
)

// healthCmd asks a running server whether it is ready.
type healthCmd struct {
	Addr    string        `default:"127.0.0.1:8080" env:"HANTEI_HTTP_ADDR" placeholder:"HOST:PORT" help:"The server's HTTP address (${default})."`
	Timeout time.Duration `default:"3s" placeholder:"TIME" help:"How long it may take to answer (${default})."`
}

// Help is shown by hantei health --help.
func (*healthCmd) Help() string {
	return `Exit code 0 if the server is ready, 1 if not. It needs no token.

Examples:
  hantei health
  hantei health --addr 10.0.0.5:8080 --timeout 1s
  HEALTHCHECK CMD ["hantei", "health"]           (in a Dockerfile)`
}

// Run implements the command.
func (c *healthCmd) Run(ctx context.Context, s streams) error {
	host, port, err := net.SplitHostPort(c.Addr)
	if err != nil {
		return fmt.Errorf("--addr: %w", err)
	}
	// The address may be the one that the server listens on, which for all of a
	// machine's addresses has no host.
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "localhost"
	}
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+net.JoinHostPort(host, port)+"/readyz", nil)
	if err != nil {
		return fmt.Errorf("--addr: %w", err)
	}
	// One question: no connection is kept, no proxy asked.
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Do(req)
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
