package gateway

import (
	"net/http"
	"time"
)

// withWriteTimeout bounds each write by itself. The HTTP server's WriteTimeout
// bounds a whole answer, and so cuts every stream.
func withWriteTimeout(timeout time.Duration, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(&timedWriter{w, http.NewResponseController(w), timeout}, r)
	})
}

// timedWriter is a response writer whose writes have a deadline.
type timedWriter struct {
	http.ResponseWriter
	control *http.ResponseController
	timeout time.Duration
}

// Write implements http.ResponseWriter.
func (w *timedWriter) Write(b []byte) (int, error) {
	w.setDeadline(time.Now().Add(w.timeout))
	return w.ResponseWriter.Write(b)
}

// FlushError sends what has been written, for http.ResponseController. What
// follows a flush is the pause before the next frame, which may be long: over
// HTTP/2 a deadline that passes ends the stream even if nothing is being written.
func (w *timedWriter) FlushError() error {
	w.setDeadline(time.Now().Add(w.timeout))
	err := w.control.Flush()
	w.setDeadline(time.Time{})
	return err
}

// Unwrap is for http.ResponseController.
func (w *timedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// setDeadline fails where a writer has no deadlines, as in tests.
func (w *timedWriter) setDeadline(t time.Time) { _ = w.control.SetWriteDeadline(t) }
