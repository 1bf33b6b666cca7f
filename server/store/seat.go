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
	// CreateTimeMS is when it was made, in milliseconds since 1970, UTC.
	CreateTimeMS int64
}

// NewSeat is a seat that is to be made.
type NewSeat struct {
	// Seat is the seat.
	Seat Seat
	// Token is the hash of its token.
	Token Hash
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
