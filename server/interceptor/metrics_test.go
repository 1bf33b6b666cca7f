package interceptor

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
)

// told is what a Metrics has heard.
type told []string

func (m *told) Ended(method string, code codes.Code) { *m = append(*m, method+" "+code.String()) }
func (m *told) Took(method string, d time.Duration) {
	if d <= 0 {
		method += " no time"
	}
	*m = append(*m, method)
}
func (m *told) Streams(method string, by int) { *m = append(*m, fmt.Sprint("streams ", by)) }

func TestCountCalls(t *testing.T) {
	log, _ := logTo()
	const rulesets = "/hantei.v1.RulesetService/ListRulesets" // needs no token
	var m told
	i, err := Chain(Options{Log: log, Drain: NewDrain(), Metrics: &m})
	if err != nil {
		t.Fatal(err)
	}
	// Refused by an inner interceptor, and a panic: both are counted.
	if _, err := unary(t.Context(), i, method, nil, nil); err == nil {
		t.Error("no token was needed")
	}
	_ = stream(&fakeStream{ctx: t.Context()}, i, rulesets, func(any, grpc.ServerStream) error { panic("x") })
	want := told{method, method + " Unauthenticated", "streams 1", rulesets + " Internal", "streams -1"}
	if !slices.Equal(m, want) {
		t.Errorf("%q", m)
	}
	m = nil
	_, _ = unary(t.Context(), countCalls(&m), method, nil, func(context.Context, any) (any, error) {
		time.Sleep(time.Millisecond)
		return nil, nil
	})
	if !slices.Equal(m, told{method, method + " OK"}) {
		t.Errorf("%q", m)
	}
}

// Without metrics calls run as well.
func TestCountNothing(t *testing.T) {
	if resp, err := unary(t.Context(), countCalls(nil), method, nil, nil); resp != "done" || err != nil {
		t.Errorf("%v, %v", resp, err)
	}
}
