package interceptor

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"github.com/hantei/hantei/server/auth"
)

// TestRefusalsSpeakTheCallersLanguage goes through all that an interceptor
// refuses by itself; shapes have a test of their own.
func TestRefusalsSpeakTheCallersLanguage(t *testing.T) {
	closed := NewDrain()
	closed.Close()
	nobody := authorize(auth.AuthenticatorFunc(func(context.Context, auth.Hash) (auth.Principal, error) {
		return auth.Principal{}, auth.ErrUnknownToken
	}), newLimits(Limits{}))
	down := authorize(auth.AuthenticatorFunc(func(context.Context, auth.Hash) (auth.Principal, error) {
		return auth.Principal{}, errors.New("store down")
	}), newLimits(Limits{}))
	token := "Bearer " + auth.NewToken(auth.KindSeat)
	for reason, c := range map[string]struct {
		call   func(ctx context.Context) error
		en, ja string // how the sentences begin
	}{
		"TOKEN_MISSING": {
			func(ctx context.Context) error { _, err := unary(ctx, nobody, method, nil, nil); return err },
			"No token was sent.", "トークンが送られていません。",
		},
		"TOKEN_UNKNOWN": {
			func(ctx context.Context) error {
				_, err := unary(withHeader(ctx, "authorization", token), nobody, method, nil, nil)
				return err
			},
			"Nobody holds this token.", "このトークンの持ち主がいません。",
		},
		"UNAVAILABLE": {
			func(ctx context.Context) error {
				_, err := unary(withHeader(ctx, "authorization", token), down, method, nil, nil)
				return err
			},
			"The server cannot tell at present.", "いまは確認できません。",
		},
		"TOO_MANY_REQUESTS": {
			func(ctx context.Context) error { return tooMany(ctx, 1500*time.Millisecond) },
			"Too many requests in a short time. Try again in 2 s.", "短時間にリクエストが多すぎます。2秒待ってから",
		},
		"SHUTTING_DOWN": {
			func(ctx context.Context) error { _, err := unary(ctx, closed, method, nil, nil); return err },
			"The server is shutting down.", "サーバーは終了処理中です。",
		},
		"INTERNAL": {
			func(ctx context.Context) error {
				_, err := unary(ctx, recovery(slog.New(slog.DiscardHandler)), method, nil, func(context.Context, any) (any, error) { panic("secret") })
				return err
			},
			"Something went wrong inside.", "内部でエラーが起きました。",
		},
	} {
		for lang, want := range map[string]string{"en": c.en, "ja": c.ja} {
			err := c.call(incoming(t, "accept-language", lang))
			if got := infoOf(err).GetReason(); got != reason {
				t.Errorf("%s: the reason is %s", reason, got)
			}
			if got := said(t, err, lang); !strings.HasPrefix(got, want) {
				t.Errorf("%s in %s: %q", reason, lang, got)
			}
			if got := status.Convert(err).Message(); !strings.HasPrefix(got, c.en) {
				t.Errorf("%s to programmers in %s: %q", reason, lang, got)
			}
		}
	}
}

// withHeader is a call with one header more.
func withHeader(ctx context.Context, key, value string) context.Context {
	md, _ := metadata.FromIncomingContext(ctx)
	return metadata.NewIncomingContext(ctx, metadata.Join(md, metadata.Pairs(key, value)))
}
