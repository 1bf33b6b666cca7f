package interceptor

import (
	"context"
	"errors"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/hantei/hantei/server/auth"
)

func TestAuthorize(t *testing.T) {
	seat := auth.Principal{Seat: "s1", Table: "t1"}
	good, stranger, broken := auth.NewToken(auth.KindSeat), auth.NewToken(auth.KindSeat), auth.NewToken(auth.KindSeat)
	asked := 0
	i := authorize(auth.AuthenticatorFunc(func(_ context.Context, h auth.Hash) (auth.Principal, error) {
		asked++
		switch h {
		case auth.HashToken(good):
			return seat, nil
		case auth.HashToken(broken):
			return auth.Principal{}, errors.New("store down")
		}
		return auth.Principal{}, auth.ErrUnknownToken
	}), newLimits(Limits{}))
	for name, c := range map[string]struct {
		headers []string
		method  string
		code    codes.Code
		reason  string
		asks    int
	}{
		"good":         {[]string{"authorization", "Bearer " + good}, method, codes.OK, "", 1},
		"small letter": {[]string{"authorization", "bearer  " + good}, method, codes.OK, "", 1},
		"none":         {nil, method, codes.Unauthenticated, "TOKEN_MISSING", 0},
		"no scheme":    {[]string{"authorization", good}, method, codes.Unauthenticated, "TOKEN_MISSING", 0},
		"basic":        {[]string{"authorization", "Basic " + good}, method, codes.Unauthenticated, "TOKEN_MISSING", 0},
		"two":          {[]string{"authorization", "Bearer " + good, "authorization", "Bearer " + good}, method, codes.Unauthenticated, "TOKEN_MISSING", 0},
		"malformed":    {[]string{"authorization", "Bearer x"}, method, codes.Unauthenticated, "TOKEN_UNKNOWN", 0},
		"stranger":     {[]string{"authorization", "Bearer " + stranger}, method, codes.Unauthenticated, "TOKEN_UNKNOWN", 1},
		"store down":   {[]string{"authorization", "Bearer " + broken}, method, codes.Unavailable, "UNAVAILABLE", 1},
		"rulesets":     {nil, "/hantei.v1.RulesetService/GetRuleset", codes.OK, "", 0},
		"health":       {nil, "/grpc.health.v1.Health/Check", codes.OK, "", 0},
		"reflection":   {nil, "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo", codes.OK, "", 0},
		"like open":    {nil, "/hantei.v1.RulesetServiceX/GetRuleset", codes.Unauthenticated, "TOKEN_MISSING", 0},
	} {
		asked = 0
		r := &record{principal: "none"}
		_, err := unary(withRecord(incoming(t, c.headers...), r), i, c.method, nil, func(ctx context.Context, _ any) (any, error) {
			if p, ok := auth.FromContext(ctx); ok != (c.headers != nil) || ok && (p != seat || r.principal != "seat") {
				t.Errorf("%s: principal %v, %v, log %q", name, p, ok, r.principal)
			}
			return "done", nil
		})
		if status.Code(err) != c.code || infoOf(err).GetReason() != c.reason || asked != c.asks {
			t.Errorf("%s: %v, asked %d times", name, err, asked)
		}
	}
}
