package store

// Table is a campaign.
type Table struct {
	// ID is opaque and unique.
	ID string
	// Name is what people call it.
	Name string
	// Ruleset is the name of its rules.
	Ruleset string
	// Options are the caller's own bytes.
	Options []byte
	// PackHash is the hash of its pack's content, in hex.
	PackHash string
	// CreateTimeMS is when it was made, in milliseconds since 1970, UTC.
	CreateTimeMS int64
	// WakeTimeMS is when somebody must look after it, as in TableUpdate.
	WakeTimeMS int64
}

// NewTable is a table that is to be made, with all that it begins with.
type NewTable struct {
	// Table is the table.
	Table Table
	// Seat is its first seat. Its TableID is the table's.
	Seat Seat
	// Token is the hash of the seat's token.
	Token Hash
	// Pairing is the seat's first pairing code; nil for none.
	Pairing *Pairing
	// Seats are further seats. Their TableID is the table's.
	Seats []NewSeat
	// Commits are those that the log begins with, in order: the first has number 1
	// and first event 1. None for a table with an empty log.
	Commits []Commit
	// Request is recorded under AdminScope; nil for a call without a request id.
	Request *Request
}

// TableUpdate changes what is kept of a table beside its log. What is nil stays.
type TableUpdate struct {
	// Name is the new name.
	Name *string
	// Options are the new options, in the caller's own bytes.
	Options []byte
	// WakeTimeMS is when somebody must look after the table though nobody plays at
	// it, in milliseconds since 1970, UTC; 0 for never.
	WakeTimeMS *int64
}

// Wake is when somebody must look after a table.
type Wake struct {
	// TableID is the table.
	TableID string
	// TimeMS is when, in milliseconds since 1970, UTC.
	TimeMS int64
}

// Page says which part of a list to return.
type Page struct {
	// After is where the page before ended, as returned with it; 0 for the
	// first page.
	After Position
	// Limit is the most items to return. Values below 1 count as 1.
	Limit int
}

// Position is a place in a list. It has no meaning outside the store.
type Position int64
