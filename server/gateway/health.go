package gateway

import (
	"io"
	"net/http"

	"google.golang.org/grpc/codes"
)

// Probes serves the liveness and the readiness, for a listener of their own too.
func Probes(mux *http.ServeMux, ready func() error) {
	mux.Handle("/healthz", getOnly(serveHealth(func() error { return nil })))
	mux.Handle("/readyz", getOnly(serveHealth(ready)))
}

// serveHealth answers probes: 200, or 503 and why.
func serveHealth(check func() error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		if err := check(); err != nil {
			// The fault itself may tell of the machine, and probes need no token.
			newProblem(codes.Unavailable, 0, reasonNotReady, sentence{}).write(w, r)
			return
		}
		w.Header().Set("Content-Type", mimeJSON)
		_, _ = io.WriteString(w, `{"status":"OK"}`+"\n")
	})
}

// getOnly refuses other methods than GET and HEAD.
func getOnly(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			methodNotAllowed(w, r, "GET, HEAD")
			return
		}
		next.ServeHTTP(w, r)
	})
}
