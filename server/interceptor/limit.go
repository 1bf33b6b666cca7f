package interceptor

import (
	"context"
	"math"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/protoadapt"
	"google.golang.org/protobuf/types/known/durationpb"
)

// Limits say how often one may call. 0 sets no limit.
type Limits struct {
	// Rate is how many calls a second each token may make, and each address in
	// the methods that need none. A stream is one call.
	Rate float64
	// Burst is how many of them may come at once.
	Burst int
	// Bridge is how many times as much a bridge's token may: it calls for the seats
	// of many tables. 0 is once.
	Bridge float64
	// AuthFailures is how many calls without a good token, or with a pairing code
	// that is none, each address may make in a minute.
	AuthFailures int
	// Proxies are the networks of the proxies before the server. Of a call that
	// comes from there, x-forwarded-for says whose it is.
	Proxies []netip.Prefix
}

// limits holds callers to Limits.
type limits struct {
	proxies
	calls, bridges, failures *buckets
}

func newLimits(l Limits) *limits {
	times := l.Bridge
	if times == 0 {
		times = 1
	}
	return &limits{
		proxies:  l.Proxies,
		calls:    newBuckets(l.Rate, l.Burst),
		bridges:  newBuckets(l.Rate*times, int(float64(l.Burst)*times)),
		failures: newBuckets(float64(l.AuthFailures)/60, l.AuthFailures),
	}
}

// of are the buckets in which a caller's is.
func (l *limits) of(c caller) *buckets {
	if c.bridge {
		return l.bridges
	}
	return l.calls
}

// limitCalls refuses callers that call too often. Probes may always ask.
func (l *limits) limitCalls() Interceptor {
	return around(func(ctx context.Context, method string, next func(context.Context) error) error {
		if strings.HasPrefix(method, healthService) {
			return next(ctx)
		}
		c := l.callerOf(ctx)
		if wait := l.of(c).take(c, time.Now()); wait > 0 {
			return tooMany(ctx, wait)
		}
		return next(ctx)
	})
}

// mayTry refuses a token unseen where too many bad ones came from. Tokens that
// were good lately are let through: a stranger must not lock out those who share
// an address or a proxy with him.
func (l *limits) mayTry(ctx context.Context, c caller) error {
	if l.of(c).knows(c) {
		return nil
	}
	if wait := l.failures.wait(l.stranger(ctx), time.Now()); wait > 0 {
		return tooMany(ctx, wait)
	}
	return nil
}

// failed counts a call without a good token, and returns what it is refused with.
func (l *limits) failed(ctx context.Context, refusal error) error {
	if wait := l.failures.take(l.stranger(ctx), time.Now()); wait > 0 {
		return tooMany(ctx, wait)
	}
	return refusal
}

// guess lets a call through that has a pairing code in the place of a token.
func (l *limits) guess(ctx context.Context, next func(context.Context) error) error {
	if wait := l.failures.wait(l.stranger(ctx), time.Now()); wait > 0 {
		return tooMany(ctx, wait)
	}
	err := next(ctx)
	if status.Code(err) == codes.NotFound {
		return l.failed(ctx, err)
	}
	return err
}

// tooMany is the refusal of who has to wait.
func tooMany(ctx context.Context, wait time.Duration) error {
	return refuse(ctx, refusal{
		code: codes.ResourceExhausted, reason: ReasonTooManyRequests,
		says: func(string) map[string]string {
			return map[string]string{"seconds": strconv.Itoa(int(math.Ceil(wait.Seconds())))}
		},
		more: []protoadapt.MessageV1{&errdetails.RetryInfo{RetryDelay: durationpb.New(wait)}},
	})
}
