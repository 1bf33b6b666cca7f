package interceptor

import (
	"context"
	"slices"
	"testing"

	"google.golang.org/grpc"
)

func TestChainOrder(t *testing.T) {
	var order []string
	step := func(name string) Interceptor {
		return around(func(ctx context.Context, _ string, next func(context.Context) error) error {
			order = append(order, name)
			defer func() { order = append(order, "/"+name) }()
			return next(context.WithValue(ctx, nameKey(name), true))
		})
	}
	c := chain{step("a"), step("b")}
	want := []string{"a", "b", "call", "/b", "/a"}
	check := func(ctx context.Context) {
		order = append(order, "call")
		for _, n := range []string{"a", "b"} {
			if ctx.Value(nameKey(n)) == nil {
				t.Errorf("the context of %s got lost", n)
			}
		}
	}
	resp, err := unary(t.Context(), c, method, "req", func(ctx context.Context, req any) (any, error) {
		check(ctx)
		return req, nil
	})
	if err != nil || resp != "req" || !slices.Equal(order, want) {
		t.Errorf("unary: %v, %v, %v", resp, err, order)
	}
	order = nil
	err = stream(&fakeStream{ctx: t.Context()}, c, method, func(_ any, ss grpc.ServerStream) error {
		check(ss.Context())
		return nil
	})
	if err != nil || !slices.Equal(order, want) {
		t.Errorf("stream: %v, %v", err, order)
	}
}

type nameKey string
