package interceptor

import (
	"context"
	"errors"
	"strings"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"

	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
	"github.com/hantei/hantei/server/auth"
)

// open are the services that anybody may call: what a client must read before it
// can have a token, and what probes and tools ask.
var open = []string{
	"/hantei.v1.RulesetService/",
	healthService,
	"/grpc.reflection.v1.ServerReflection/",
	"/grpc.reflection.v1alpha.ServerReflection/",
}

// healthService is what probes ask.
const healthService = "/grpc.health.v1.Health/"

// authorize lets only those in whose token is known, and puts them into the
// context. What a principal may do, the services know.
func authorize(a auth.Authenticator, l *limits) Interceptor {
	return around(func(ctx context.Context, method string, next func(context.Context) error) error {
		for _, service := range open {
			if strings.HasPrefix(method, service) {
				return next(ctx)
			}
		}
		if method == hanteiv1.SeatService_PairSeat_FullMethodName {
			return l.guess(ctx, next)
		}
		token, err := bearer(ctx)
		if err != nil {
			return l.failed(ctx, err)
		}
		kind, ok := auth.KindOf(token)
		if !ok {
			return l.failed(ctx, unknownToken(ctx))
		}
		hash := auth.HashToken(token)
		holder := caller{token: hash, bridge: kind == auth.KindBridge}
		if err := l.mayTry(ctx, holder); err != nil {
			return err
		}
		p, err := a.PrincipalByToken(ctx, hash)
		switch {
		case errors.Is(err, auth.ErrUnknownToken):
			l.of(holder).forget(holder) // it may have been revoked
			return l.failed(ctx, unknownToken(ctx))
		case err != nil && ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			recordOf(ctx).cause = err
			return refuse(ctx, refusal{code: codes.Unavailable, reason: ReasonUnavailable})
		}
		recordOf(ctx).principal = p.Kind()
		return next(withCaller(auth.NewContext(ctx, p, hash), holder))
	})
}

// bearer returns the token. It is taken from the header alone: what stands in a
// URL ends up in histories and logs.
func bearer(ctx context.Context) (string, error) {
	values := metadata.ValueFromIncomingContext(ctx, "authorization")
	if len(values) == 0 {
		return "", missingToken(ctx)
	}
	scheme, token, ok := strings.Cut(values[0], " ")
	if token = strings.TrimSpace(token); len(values) > 1 || !ok || !strings.EqualFold(scheme, "bearer") || token == "" {
		return "", missingToken(ctx)
	}
	return token, nil
}

func missingToken(ctx context.Context) error {
	return refuse(ctx, refusal{code: codes.Unauthenticated, reason: ReasonTokenMissing})
}

func unknownToken(ctx context.Context) error {
	return refuse(ctx, refusal{code: codes.Unauthenticated, reason: ReasonTokenUnknown})
}
