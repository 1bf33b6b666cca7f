package store

// Commit is one entry of a table's log.
type Commit struct {
	// Number counts the commits of a table from 1, without gaps.
	Number int64
	// FirstEvent is the sequence number of the first event, from 1, without
	// gaps over the table. A commit without events has the number that the next
	// event will get.
	FirstEvent int64
	// Events is how many events there are.
	Events int
	// Bytes are the commit itself. The store gives back exactly these.
	Bytes []byte
}

// Entry is a commit with what must become true with it.
type Entry struct {
	// Commit is the commit.
	Commit Commit
	// Request is recorded under the table's id; nil for a command without a
	// request id.
	Request *Request
	// Characters are the seats whose characters change.
	Characters []SeatCharacters
	// Table is what changes of the table; the zero value changes nothing.
	Table TableUpdate
}

// Head is how far a table's log has come.
type Head struct {
	// Number is the last commit's; 0 if the log is empty.
	Number int64
	// NextEvent is the sequence number that the next event gets.
	NextEvent int64
}

// Next says whether c may follow h.
func (h Head) Next(c Commit) bool {
	return c.Number == h.Number+1 && c.FirstEvent == h.NextEvent && c.Events >= 0
}

// AdminScope is the scope of requests that belong to no table.
const AdminScope = ""

// Request is the record of a request that was carried out: who repeats it gets
// the response again, and nothing is done twice.
type Request struct {
	// Principal is who made it.
	Principal string
	// ID is the request's id, chosen by its maker; unique for each scope and
	// principal.
	ID string
	// BodyHash is the hash of what was asked, which tells a repetition from
	// another request under the same id.
	BodyHash Hash
	// Response is what was answered, in the caller's own bytes.
	Response []byte
	// CreateTimeMS is when it was carried out, in milliseconds since 1970, UTC.
	CreateTimeMS int64
}

// Snapshot is a table's state after a commit.
type Snapshot struct {
	// Number is the commit's number; 0 for the state before the first.
	Number int64
	// Bytes are the state, in the caller's own bytes.
	Bytes []byte
}
