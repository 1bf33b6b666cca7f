package gateway

import (
	"net/http"
	"time"

	"github.com/rs/cors"

	"github.com/hantei/hantei/server/auth"
)

// withCORS lets the pages of the listed origins call. It stands around
// everything, since the services' routes answer no OPTIONS.
func withCORS(origins []string, next http.Handler) http.Handler {
	if len(origins) == 0 { // to the library it would mean: all
		return next
	}
	return cors.New(cors.Options{
		AllowedOrigins: origins,
		AllowedMethods: []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete},
		AllowedHeaders: []string{"Accept", "Accept-Language", "Authorization", "Content-Type", "Last-Event-ID", headerRequestID, auth.SeatHeader},
		ExposedHeaders: []string{headerRequestID, headerRetryAfter},
		// The token is in a header that a page must set: no cookies.
		AllowCredentials: false,
		// A page out in the network may call the server on its reader's machine.
		AllowPrivateNetwork: true,
		MaxAge:              int((10 * time.Minute).Seconds()),
	}).Handler(next)
}
