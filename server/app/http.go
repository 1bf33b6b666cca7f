package app

import (
	"crypto/tls"
	"log/slog"
	"net/http"
	"time"
)

// frameTimeout is how long a client may take to read one answer or one frame of
// a stream.
const frameTimeout = 30 * time.Second

// newHTTP makes an HTTP server; secure may be nil. It has no WriteTimeout, which
// would cut every stream; each write has its own in the gateway.
func newHTTP(handler http.Handler, secure *tls.Config, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler:           handler,
		TLSConfig:         secure,
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       30 * time.Second, // of the request; a stream's answer may go on
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          slog.NewLogLogger(log.With("from", "http").Handler(), slog.LevelWarn),
	}
}
