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

// SeatHeader is the header in which a bridge names the seat for which it calls: over
// HTTP, in the metadata of gRPC, which writes it small, and in what refusals say.
const SeatHeader = "Hantei-Seat"

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

type contextKey struct{}

// held is who calls, with the hash of the token that says so.
type held struct {
	by    Principal
	token Hash
}

// NewContext returns a context that carries who calls, and the hash of the token
// that was shown; the zero one if there is none to be looked for again.
func NewContext(ctx context.Context, p Principal, token Hash) context.Context {
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
