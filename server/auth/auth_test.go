package auth_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/hantei/hantei/server/auth"
)

func TestTokens(t *testing.T) {
	for _, k := range []auth.Kind{auth.KindAdmin, auth.KindSeat, auth.KindBridge} {
		a, b := auth.NewToken(k), auth.NewToken(k)
		if a == b {
			t.Fatalf("two tokens are the same: %s", a)
		}
		if got, ok := auth.KindOf(a); !ok || got != k {
			t.Errorf("KindOf(%q) = %q, %v, want %q", a, got, ok, k)
		}
		if !auth.HashToken(a).Equal(auth.HashToken(a)) || auth.HashToken(a).Equal(auth.HashToken(b)) {
			t.Error("hashes do not tell tokens apart")
		}
	}
	seat := auth.NewToken(auth.KindSeat)
	for _, bad := range []string{"", "hts_", "hts_abc", seat + "x", seat[:len(seat)-1], "htx_" + strings.TrimPrefix(seat, "hts_")} {
		if k, ok := auth.KindOf(bad); ok {
			t.Errorf("KindOf(%q) = %q, want none", bad, k)
		}
	}
}

func TestWithAdmin(t *testing.T) {
	admin := auth.HashToken(auth.NewToken(auth.KindAdmin))
	seat := auth.Principal{Seat: "s", Table: "t"}
	down := errors.New("down")
	a := auth.WithAdmin(admin, auth.AuthenticatorFunc(func(_ context.Context, h auth.Hash) (auth.Principal, error) {
		if h == (auth.Hash{1}) {
			return seat, nil
		}
		return auth.Principal{}, down
	}))
	if p, err := a.PrincipalByToken(t.Context(), admin); err != nil || p != auth.Admin {
		t.Errorf("admin: %v, %v", p, err)
	}
	if p, err := a.PrincipalByToken(t.Context(), auth.Hash{1}); err != nil || p != seat {
		t.Errorf("seat: %v, %v", p, err)
	}
	if _, err := a.PrincipalByToken(t.Context(), auth.Hash{2}); !errors.Is(err, down) {
		t.Errorf("unknown: %v", err)
	}
}

func TestContext(t *testing.T) {
	if _, ok := auth.FromContext(t.Context()); ok {
		t.Error("an empty context carries a principal")
	}
	for _, p := range []auth.Principal{auth.Admin, {Seat: "s", Table: "t"}, {Bridge: "b"}} {
		if got, ok := auth.FromContext(auth.NewContext(t.Context(), p, auth.Hash{})); !ok || got != p {
			t.Errorf("got %v, %v, want %v", got, ok, p)
		}
	}
}

func TestPrincipalKinds(t *testing.T) {
	for _, c := range []struct {
		p    auth.Principal
		kind string
	}{
		{auth.Admin, "admin"},
		{auth.Principal{Seat: "s", Table: "t"}, "seat"},
		{auth.Principal{Bridge: "b"}, "bridge"},
		{auth.Principal{}, "none"},
	} {
		if c.p.Kind() != c.kind {
			t.Errorf("%+v: %q", c.p, c.p.Kind())
		}
	}
}

// secrets keeps one secret.
type secrets struct{ kept []byte }

func (s *secrets) Secret(_ context.Context, _ string, generate func() []byte) ([]byte, error) {
	if s.kept == nil {
		s.kept = generate()
	}
	return s.kept, nil
}

func TestEnsureAdmin(t *testing.T) {
	var s secrets
	h, token, err := auth.EnsureAdmin(t.Context(), &s)
	if err != nil || !auth.HashToken(token).Equal(h) {
		t.Fatalf("first start: %q, %v", token, err)
	}
	if bytes.Contains(s.kept, []byte(token)) {
		t.Error("the token itself is kept")
	}
	again, token, err := auth.EnsureAdmin(t.Context(), &s)
	if err != nil || again != h || token != "" {
		t.Errorf("second start: %q, %v", token, err)
	}
	s.kept = []byte("short")
	if _, _, err := auth.EnsureAdmin(t.Context(), &s); err == nil {
		t.Error("a spoilt hash is accepted")
	}
}

func (s *secrets) SetSecret(_ context.Context, _ string, value []byte) error {
	s.kept = value
	return nil
}

func TestRenewAdmin(t *testing.T) {
	var s secrets
	old, _, err := auth.EnsureAdmin(t.Context(), &s)
	if err != nil {
		t.Fatal(err)
	}
	token, err := auth.RenewAdmin(t.Context(), &s)
	if err != nil || bytes.Contains(s.kept, []byte(token)) {
		t.Fatalf("%v, or the token itself is kept", err)
	}
	now, shown, err := auth.EnsureAdmin(t.Context(), &s)
	if err != nil || shown != "" || now == old || !now.Equal(auth.HashToken(token)) {
		t.Errorf("the next start: %v", err)
	}
}
