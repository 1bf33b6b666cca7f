package interceptor

import (
	"context"
	"crypto/rand"

	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"
)

// RequestIDKey is the metadata key and, over HTTP, the header by which a call is
// found again in the log. A caller may choose it.
const RequestIDKey = "x-request-id"

type requestIDKey struct{}

// RequestID returns the id of the call that the context belongs to.
func RequestID(ctx context.Context) string {
	id, _ := ctx.Value(requestIDKey{}).(string)
	return id
}

// GoodRequestID says whether an id may stand in logs and headers as it is.
func GoodRequestID(id string) bool {
	if id == "" || len(id) > 64 {
		return false
	}
	for _, c := range []byte(id) {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '-', c == '_', c == '.':
		default:
			return false
		}
	}
	return true
}

// NewRequestID makes an id.
func NewRequestID() string { return rand.Text() }

// requestID takes the caller's id if it can be used, or makes one, and returns
// it in the header.
func requestID() Interceptor {
	return around(func(ctx context.Context, _ string, next func(context.Context) error) error {
		id := ""
		if v := metadata.ValueFromIncomingContext(ctx, RequestIDKey); len(v) == 1 && GoodRequestID(v[0]) {
			id = v[0]
		} else {
			id = NewRequestID()
		}
		// It fails only when there is nobody left to send a header to.
		_ = grpc.SetHeader(ctx, metadata.Pairs(RequestIDKey, id))
		return next(context.WithValue(ctx, requestIDKey{}, id))
	})
}
