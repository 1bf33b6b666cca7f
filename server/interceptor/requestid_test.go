package interceptor

import (
	"context"
	"strings"
	"testing"

	"google.golang.org/grpc"
)

func TestRequestID(t *testing.T) {
	for sent, keeps := range map[string]bool{"": false, "abc-1._X": true, "a b": false, "a\nb": false, strings.Repeat("x", 64): true, strings.Repeat("x", 65): false} {
		transport := &fakeTransport{}
		ctx := grpc.NewContextWithServerTransportStream(incoming(t, RequestIDKey, sent), transport)
		var id string
		_, err := unary(ctx, requestID(), method, nil, func(ctx context.Context, _ any) (any, error) {
			id = RequestID(ctx)
			return "done", nil
		})
		if err != nil || (id == sent) != keeps || !GoodRequestID(id) {
			t.Errorf("sent %q: id %q, %v", sent, id, err)
		}
		if h := transport.header.Get(RequestIDKey); len(h) != 1 || h[0] != id {
			t.Errorf("sent %q: header %q, want %q", sent, h, id)
		}
	}
}
