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
}

// Admin is who runs the server.
var Admin = Principal{Admin: true}

// Kind is the kind of principal, for the log: "admin", "seat", or "none".
func (p Principal) Kind() string {
	switch {
	case p.Admin:
		return "admin"
	case p.Seat != "":
		return "seat"
	default:
		return "none"
	}
}

// ID tells principals apart, for example in idempotency records: the seat's id,
// or "admin", which no seat has, since seats' ids have 16 characters.
func (p Principal) ID() string {
	if p.Admin {
		return "admin"
	}
	return p.Seat
}

type contextKey struct{}

// NewContext returns a context that carries who calls.
func NewContext(ctx context.Context, p Principal) context.Context {
	return context.WithValue(ctx, contextKey{}, p)
}

// FromContext returns who calls; false if it is nobody that the server knows,
// which only happens in methods that anybody may call.
func FromContext(ctx context.Context) (Principal, bool) {
	p, ok := ctx.Value(contextKey{}).(Principal)
	return p, ok
}
