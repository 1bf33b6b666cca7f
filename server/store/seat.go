package store

// Seat is somebody at a table.
type Seat struct {
	// ID is opaque and unique, over all tables.
	ID string
	// TableID is the table.
	TableID string
	// Name is the name at the table.
	Name string
	// Role is the number of the role in the API; the store does not read it.
	Role int32
	// Characters are the characters that the seat controls, in the caller's
	// order.
	Characters []string
	// Policies are the caller's own bytes.
	Policies []byte
	// CreateTimeMS is when it was made, in milliseconds since 1970, UTC.
	CreateTimeMS int64
	// RevokeTimeMS is when it was revoked; 0 for a seat that was not.
	RevokeTimeMS int64
}

// Token is one of a seat's tokens.
type Token struct {
	// Hash is the token's.
	Hash Hash
	// Name says what the token is for; empty for the one that a seat is made with.
	Name string
	// CreateTimeMS is when it was made, in milliseconds since 1970, UTC.
	CreateTimeMS int64
}

// Pairing is a code that can be exchanged for a token of a seat, once.
type Pairing struct {
	// Code is the code's hash.
	Code Hash
	// Replace makes the seat's other tokens die with the exchange.
	Replace bool
	// ExpireTimeMS is from when on it cannot be exchanged any more, in
	// milliseconds since 1970, UTC.
	ExpireTimeMS int64
}

// NewSeat is a seat that is to be made.
type NewSeat struct {
	// Seat is the seat.
	Seat Seat
	// Token is the hash of its token.
	Token Hash
	// Pairing is its first pairing code; nil for none.
	Pairing *Pairing
	// Request is recorded under the table's id; nil for a call without a
	// request id.
	Request *Request
}

// SeatCharacters replaces the characters that a seat controls.
type SeatCharacters struct {
	// SeatID is a seat of the table in whose log this stands.
	SeatID string
	// Characters are all that it controls from now on.
	Characters []string
}

// Hash is a SHA-256. Of a token, the store only ever sees the hash.
type Hash [32]byte
