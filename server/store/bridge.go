package store

// Bridge is a bot or a relay that acts for seats.
type Bridge struct {
	// ID is opaque and unique.
	ID string
	// Name is what people call it.
	Name string
	// CreateTimeMS is when it was made, in milliseconds since 1970, UTC.
	CreateTimeMS int64
}

// NewBridge is a bridge that is to be made.
type NewBridge struct {
	// Bridge is the bridge.
	Bridge Bridge
	// Token is the hash of its token.
	Token Hash
	// Request is recorded under AdminScope; nil for a call without a request id.
	Request *Request
}

// Admission says for which seats of a table a bridge may act.
type Admission struct {
	// TableID is the table.
	TableID string
	// BridgeID is the bridge, BridgeName its name, which is only read.
	BridgeID, BridgeName string
	// All is true for every seat, also for those to come.
	All bool
	// SeatIDs are the seats unless All is true. They come out in the order in which
	// the seats were made.
	SeatIDs []string
}
