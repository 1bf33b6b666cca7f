package app

import (
	"crypto/tls"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/hantei/hantei/server/config"
)

// certEvery is how often, at most, the certificate's files are looked at.
const certEvery = time.Second

// newTLS is what both listeners need for TLS; nil if none is configured.
func newTLS(cfg config.Server, log *slog.Logger) (*tls.Config, error) {
	if cfg.TLSCert == "" {
		return nil, nil
	}
	c := &certificate{certFile: cfg.TLSCert, keyFile: cfg.TLSKey, log: log}
	if err := c.load(); err != nil {
		return nil, err
	}
	c.looked = time.Now()
	return &tls.Config{
		MinVersion:     tls.VersionTLS12,
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return c.get(time.Now()), nil },
	}, nil
}

// certificate is read again when its files change, so that a renewed one needs no
// restart. Connections that are open keep theirs.
type certificate struct {
	certFile, keyFile string
	log               *slog.Logger

	mu      sync.Mutex
	now     *tls.Certificate
	version [2]fileVersion // of the files that now was read from
	looked  time.Time
}

// fileVersion tells apart what a file was and is.
type fileVersion struct {
	changed time.Time
	size    int64
}

// get returns the certificate. If the files cannot be used, it stays as it was:
// they may be halfway through a change.
func (c *certificate) get(now time.Time) *tls.Certificate {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now.Sub(c.looked) < certEvery {
		return c.now
	}
	c.looked = now
	if c.versions() == c.version {
		return c.now
	}
	if err := c.load(); err != nil {
		c.log.Error("the certificate has changed and cannot be used; the old one stays", "cause", err)
		return c.now
	}
	c.log.Info("certificate read again", "file", c.certFile)
	return c.now
}

// load reads the files. Versions are taken before, so that a change in between
// is noticed.
func (c *certificate) load() error {
	version := c.versions()
	read, err := tls.LoadX509KeyPair(c.certFile, c.keyFile)
	if err != nil {
		return fmt.Errorf("TLS: %w", err)
	}
	c.now, c.version = &read, version
	return nil
}

func (c *certificate) versions() (v [2]fileVersion) {
	for i, name := range []string{c.certFile, c.keyFile} {
		if info, err := os.Stat(name); err == nil {
			v[i] = fileVersion{info.ModTime(), info.Size()}
		}
	}
	return v
}
