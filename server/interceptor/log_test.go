package interceptor

import (
	"context"
	"errors"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

func TestLog(t *testing.T) {
	for _, c := range []struct {
		method string
		err    error
		want   []string
	}{
		{method, nil, []string{"level=INFO", "code=OK", "method=hantei.v1.PlayService/GetView", "principal=seat", "duration=", "request_id=r1"}},
		{method, status.Error(codes.NotFound, "secret"), []string{"level=INFO", "code=NotFound"}},
		{method, status.Error(codes.Internal, "secret"), []string{"level=ERROR", "cause=why"}},
		{method, status.Error(codes.Unavailable, "secret"), []string{"level=WARN"}},
		{"/grpc.health.v1.Health/Check", nil, []string{"level=DEBUG"}},
	} {
		log, out := logTo()
		ctx := context.WithValue(t.Context(), requestIDKey{}, "r1")
		_, err := unary(ctx, logCalls(log), c.method, "secret body", func(ctx context.Context, _ any) (any, error) {
			recordOf(ctx).principal, recordOf(ctx).cause = "seat", errors.New("why")
			return "secret answer", c.err
		})
		if err != c.err {
			t.Errorf("error became %v", err)
		}
		line := out.String()
		if strings.Count(line, "\n") != 1 || strings.Contains(line, "secret") {
			t.Errorf("%s", line)
		}
		for _, w := range c.want {
			if !strings.Contains(line, w) {
				t.Errorf("no %s in %s", w, line)
			}
		}
	}
}
