package auth

import (
	"context"
	"fmt"
)

// adminSecret is the name under which the hash of the admin's token is kept.
const adminSecret = "admin_token_sha256"

// Secrets keeps secrets by name. Secret returns the one of that name, and makes
// it in the same step if there is none.
type Secrets interface {
	Secret(ctx context.Context, name string, generate func() []byte) ([]byte, error)
}

// EnsureAdmin returns the hash of the admin's token. At the first start it makes
// the token and returns it too, to be shown this once; later it is "".
func EnsureAdmin(ctx context.Context, s Secrets) (h Hash, token string, err error) {
	made := NewToken(KindAdmin)
	kept, err := s.Secret(ctx, adminSecret, func() []byte {
		h := HashToken(made)
		return h[:]
	})
	if err != nil {
		return Hash{}, "", fmt.Errorf("admin token: %w", err)
	}
	if len(kept) != len(h) {
		return Hash{}, "", fmt.Errorf("admin token: the stored hash has %d bytes, not %d", len(kept), len(h))
	}
	copy(h[:], kept)
	// Another process may have made its own at the same time: only the token
	// that was kept is worth showing.
	if h.Equal(HashToken(made)) {
		return h, made, nil
	}
	return h, "", nil
}

// SecretSetter replaces secrets.
type SecretSetter interface {
	SetSecret(ctx context.Context, name string, value []byte) error
}

// RenewAdmin makes a new token for the admin and returns it. The one before it dies
// with the next start of the server, which must not run meanwhile.
func RenewAdmin(ctx context.Context, s SecretSetter) (token string, err error) {
	token = NewToken(KindAdmin)
	h := HashToken(token)
	if err := s.SetSecret(ctx, adminSecret, h[:]); err != nil {
		return "", fmt.Errorf("admin token: %w", err)
	}
	return token, nil
}
