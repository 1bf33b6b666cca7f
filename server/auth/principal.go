// Package auth says who calls: principals, the tokens by which they are known,
// and the context that carries them.
package auth

import "context"

// Principal is who calls.
type Principal struct {
	// Admin is true for who runs the server. An admin has no seat.
	Admin bool
	// Seat is the id of the seat.
	Seat string
	// Table is the id of the seat's table.
	Table string
	// Bridge is the id of the bridge, which has neither seat nor table of its own.
	Bridge string
}

// SeatKey is the metadata key and, over HTTP, the header in which a bridge names
// the seat for which it calls.
const SeatKey = "hantei-seat"

// Admin is who runs the server.
var Admin = Principal{Admin: true}

// Kind is the kind of principal, for the log: "admin", "seat", "bridge",
// or "none".
func (p Principal) Kind() string {
	switch {
	case p.Admin:
		return "admin"
	case p.Seat != "":
		return "seat"
	case p.Bridge != "":
		return "bridge"
	default:
		return "none"
	}
}

// ID tells principals apart: the id of the seat or the bridge, or "admin", which
// neither has, since their ids have 16 characters.
func (p Principal) ID() string {
	switch {
	case p.Admin:
		return "admin"
	case p.Bridge != "":
		return p.Bridge
	}
	return p.Seat
}

type contextKey struct{}

// held is who calls, with the hash of the token that says so.
type held struct {
	by    Principal
	token Hash
}

// NewContext returns a context that carries who calls.
func NewContext(ctx context.Context, p Principal) context.Context {
	return context.WithValue(ctx, contextKey{}, held{by: p})
}

// NewContextWithToken is NewContext with the hash of the token that was shown.
func NewContextWithToken(ctx context.Context, p Principal, token Hash) context.Context {
	return context.WithValue(ctx, contextKey{}, held{p, token})
}

// FromContext returns who calls; false if it is nobody that the server knows,
// which only happens in methods that anybody may call.
func FromContext(ctx context.Context) (Principal, bool) {
	h, ok := ctx.Value(contextKey{}).(held)
	return h.by, ok
}

// TokenFromContext returns the hash of the token that the caller has shown; false
// if the context does not say.
func TokenFromContext(ctx context.Context) (Hash, bool) {
	h, _ := ctx.Value(contextKey{}).(held)
	return h.token, h.token != Hash{}
}
