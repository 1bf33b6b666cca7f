package auth

import (
	"context"
	"errors"
)

// ErrUnknownToken says that nobody holds the token.
var ErrUnknownToken = errors.New("unknown token")

// Authenticator finds who holds a token.
type Authenticator interface {
	// PrincipalByToken returns who holds the token with this hash.
	// ErrUnknownToken if nobody does; any other error means that it cannot be
	// told at present.
	PrincipalByToken(ctx context.Context, h Hash) (Principal, error)
}

// AuthenticatorFunc is a function as an Authenticator.
type AuthenticatorFunc func(context.Context, Hash) (Principal, error)

// PrincipalByToken implements Authenticator.
func (f AuthenticatorFunc) PrincipalByToken(ctx context.Context, h Hash) (Principal, error) {
	return f(ctx, h)
}

// WithAdmin knows the admin by the hash of its token, and asks next about every
// other one.
func WithAdmin(admin Hash, next Authenticator) Authenticator {
	return AuthenticatorFunc(func(ctx context.Context, h Hash) (Principal, error) {
		if h.Equal(admin) {
			return Admin, nil
		}
		return next.PrincipalByToken(ctx, h)
	})
}
