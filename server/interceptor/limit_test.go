package interceptor

import (
	"context"
	"testing"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/peer"
	"google.golang.org/grpc/status"

	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
	"github.com/hantei/hantei/server/auth"
)

func at(ctx context.Context, addr string) context.Context {
	return peer.NewContext(ctx, &peer.Peer{Addr: fakeAddr{"tcp", addr + ":1"}})
}

// reasonOf is an error's reason; it also looks whether who must wait hears how long.
func reasonOf(t *testing.T, err error) string {
	t.Helper()
	var wait *errdetails.RetryInfo
	for _, d := range status.Convert(err).Details() {
		if r, ok := d.(*errdetails.RetryInfo); ok {
			wait = r
		}
	}
	if (status.Code(err) == codes.ResourceExhausted) != (wait.GetRetryDelay().AsDuration() > 0) {
		t.Errorf("%v: wait %v", err, wait)
	}
	return infoOf(err).GetReason()
}

func TestLimitCalls(t *testing.T) {
	i := newLimits(Limits{Rate: 0.001, Burst: 2}).limitCalls()
	token := withCaller(at(t.Context(), "10.0.0.1"), caller{token: auth.Hash{1}})
	call := func(ctx context.Context, method string) string {
		_, err := unary(ctx, i, method, nil, nil)
		return reasonOf(t, err)
	}
	watch := func() string {
		return reasonOf(t, stream(&fakeStream{ctx: token}, i, method, func(_ any, ss grpc.ServerStream) error {
			for range 5 {
				if err := ss.SendMsg(&hanteiv1.WatchResponse{}); err != nil {
					t.Error(err)
				}
			}
			return nil
		}))
	}
	if call(token, method) != "" || watch() != "" {
		t.Error("the first calls are refused")
	}
	if call(token, method) != "TOO_MANY_REQUESTS" || watch() != "TOO_MANY_REQUESTS" {
		t.Error("no end of calls")
	}
	if call(token, "/grpc.health.v1.Health/Check") != "" {
		t.Error("a probe is refused")
	}
	if call(withCaller(t.Context(), caller{token: auth.Hash{2}}), method) != "" || call(at(t.Context(), "10.0.0.1"), method) != "" {
		t.Error("one waits for another")
	}
}

// TestLimitBridges: a bridge's token may make more calls than a seat's, and has
// an end, too.
func TestLimitBridges(t *testing.T) {
	i := newLimits(Limits{Rate: 0.001, Burst: 2, Bridge: 3}).limitCalls()
	for kind, want := range map[auth.Kind]int{auth.KindSeat: 2, auth.KindAdmin: 2, auth.KindBridge: 6} {
		ctx := withCaller(t.Context(), caller{token: auth.HashToken(string(kind)), bridge: kind == auth.KindBridge})
		n := 0
		for n < 20 {
			if _, err := unary(ctx, i, method, nil, nil); err != nil {
				break
			}
			n++
		}
		if n != want {
			t.Errorf("%s: %d calls, want %d", kind, n, want)
		}
	}
}

func TestAuthorizeLimitsFailures(t *testing.T) {
	good, revoked := auth.NewToken(auth.KindSeat), auth.NewToken(auth.KindSeat)
	known := map[auth.Hash]bool{auth.HashToken(good): true, auth.HashToken(revoked): true}
	asked := 0
	l := newLimits(Limits{AuthFailures: 2})
	i := chain{authorize(auth.AuthenticatorFunc(func(_ context.Context, h auth.Hash) (auth.Principal, error) {
		asked++
		if !known[h] {
			return auth.Principal{}, auth.ErrUnknownToken
		}
		return auth.Principal{Seat: "s"}, nil
	}), l), l.limitCalls()}
	call := func(addr, token string) string {
		_, err := unary(at(incoming(t, "authorization", "Bearer "+token), addr), i, method, nil, nil)
		return reasonOf(t, err)
	}
	pair := func(addr string, err error) string {
		_, err = unary(at(t.Context(), addr), i, hanteiv1.SeatService_PairSeat_FullMethodName, nil, func(context.Context, any) (any, error) {
			asked++
			return nil, err
		})
		return reasonOf(t, err)
	}
	wants := func(what, got, want string, asks int) {
		t.Helper()
		if got != want || asked != asks {
			t.Errorf("%s: %q, want %q; asked %d times, want %d", what, got, want, asked, asks)
		}
		asked = 0
	}
	const here, there, wait = "10.0.0.1", "10.0.0.2", "TOO_MANY_REQUESTS"
	wants("good", call(here, good), "", 1)
	wants("to be revoked", call(here, revoked), "", 1)
	wants("first", call(here, auth.NewToken(auth.KindSeat)), "TOKEN_UNKNOWN", 1)
	wants("wrong code", pair(here, refuse(t.Context(), refusal{code: codes.NotFound, reason: "NOT_FOUND"})), "NOT_FOUND", 1)
	wants("third", call(here, auth.NewToken(auth.KindSeat)), wait, 0)
	wants("malformed", call(here, "x"), wait, 0)
	wants("a code", pair(here, nil), wait, 0)
	wants("known", call(here, good), "", 1)
	delete(known, auth.HashToken(revoked))
	wants("revoked", call(here, revoked), wait, 1)
	wants("revoked again", call(here, revoked), wait, 0)
	wants("from elsewhere", call(there, auth.NewToken(auth.KindSeat)), "TOKEN_UNKNOWN", 1)
	wants("a good code", pair(there, nil), "", 1)
	wants("a misshapen code", pair(there, refuse(t.Context(), refusal{code: codes.InvalidArgument, reason: "INVALID_FIELD"})), "INVALID_FIELD", 1)
	wants("a wrong code", pair(there, refuse(t.Context(), refusal{code: codes.NotFound, reason: "NOT_FOUND"})), "NOT_FOUND", 1)
	wants("another", pair(there, refuse(t.Context(), refusal{code: codes.NotFound, reason: "NOT_FOUND"})), wait, 0)
}
