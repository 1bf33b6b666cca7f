package gateway

import (
	"mime"
	"net/http"
	"strings"
)

// prepareStream sets what every stream needs before its first frame.
func prepareStream(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Accel-Buffering", "no") // nginx would collect the frames
	w.Header().Add("Vary", "Accept")

	// The mux compares the header as a whole with what it has.
	if acceptsSSE(r.Header.Values("Accept")) {
		r.Header["Accept"] = []string{mimeSSE}
	} else {
		r.Header.Del("Accept")
	}

	// A client that comes back repeats the URL, whose cursor is an old one.
	if id := r.Header.Get("Last-Event-ID"); id != "" {
		q := r.URL.Query()
		q.Set("cursor", id)
		r.URL.RawQuery = q.Encode()
	}
}

// acceptsSSE says whether server-sent events are asked for by name.
func acceptsSSE(accept []string) bool {
	for _, a := range strings.Split(strings.Join(accept, ","), ",") {
		if t, _, err := mime.ParseMediaType(a); err == nil && t == mimeSSE {
			return true
		}
	}
	return false
}
