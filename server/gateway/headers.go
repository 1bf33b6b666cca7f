package gateway

import (
	"net/http"
	"net/textproto"

	"github.com/hantei/hantei/server/auth"
	"github.com/hantei/hantei/server/interceptor"
	"github.com/hantei/hantei/server/language"
)

var headerRequestID = textproto.CanonicalMIMEHeaderKey(interceptor.RequestIDKey)

// headerRetryAfter says how many seconds to wait.
const headerRetryAfter = "Retry-After"

// incomingHeader says which headers become metadata. Authorization does without
// being asked for.
func incomingHeader(name string) (key string, ok bool) {
	switch name {
	case "Accept-Language":
		return language.Header, true
	case headerRequestID:
		return interceptor.RequestIDKey, true
	case auth.SeatHeader:
		return auth.SeatHeader, true
	default:
		return "", false
	}
}

// withRequestID gives every request an id, so that an answer that comes before
// any call, such as 404, has one too.
func withRequestID(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := r.Header.Get(headerRequestID)
		if !interceptor.GoodRequestID(id) {
			id = interceptor.NewRequestID()
			r.Header.Set(headerRequestID, id)
		}
		w.Header().Set(headerRequestID, id)
		w.Header().Set("X-Content-Type-Options", "nosniff")
		next.ServeHTTP(w, r)
	})
}
