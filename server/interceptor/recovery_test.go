package interceptor

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

func TestRecovery(t *testing.T) {
	log, out := logTo()
	i := recovery(log)
	isInternal := func(what string, err error) {
		t.Helper()
		info := infoOf(err)
		if status.Code(err) != codes.Internal || info.GetReason() != "INTERNAL" || info.GetDomain() != "hantei" || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v %v", what, err, info)
		}
	}
	resp, err := unary(t.Context(), i, method, nil, func(context.Context, any) (any, error) { panic("secret") })
	isInternal("panic", err)
	if resp != nil {
		t.Errorf("panic: answer %v", resp)
	}
	if !strings.Contains(out.String(), "recovery_test.go") {
		t.Errorf("no stack in %s", out)
	}
	isInternal("panic in a stream", stream(&fakeStream{ctx: t.Context()}, i, method, func(any, grpc.ServerStream) error {
		panic(errors.New("secret"))
	}))

	r := &record{}
	fault := errors.New("secret")
	_, err = unary(withRecord(t.Context(), r), i, method, nil, func(context.Context, any) (any, error) { return nil, fault })
	isInternal("error without a code", err)
	if r.cause != fault {
		t.Errorf("the log hears of %v", r.cause)
	}
	_, err = unary(t.Context(), i, method, nil, func(context.Context, any) (any, error) {
		return nil, fmt.Errorf("secret: %w", status.Error(codes.NotFound, "x"))
	})
	isInternal("status within a text", err)

	refusal := status.Error(codes.NotFound, "no such table")
	if _, err := unary(t.Context(), i, method, nil, func(context.Context, any) (any, error) { return nil, refusal }); err != refusal {
		t.Errorf("refusal became %v", err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := unary(gone, i, method, nil, func(context.Context, any) (any, error) { return nil, fault }); status.Code(err) != codes.Canceled {
		t.Errorf("caller gone: %v", err)
	}
}
