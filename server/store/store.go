// Package store says what the server keeps and what it asks of whatever keeps
// it. Backends are in packages below; package storetest has the tests that
// every one of them must pass.
package store

import "context"

// Store keeps tables, their seats and their logs.
//
// A method that writes does so wholly or not at all, and returns after the
// write is durable. If it returns the context's error, it has written nothing;
// once it has begun to write, it finishes whatever becomes of the context. An
// error that is neither the context's nor one of this package's leaves open
// what was written: read Head before the next Append.
//
// What is kept of a table, a seat, a commit or a request comes with ErrDamaged where
// it is not as it was written, and is not changed then. Lists of tables, SeatByToken
// and AdmittedSeats, with which things are found, have it all the same.
//
// A method that reads sees every write that has returned. Slices that are
// passed in are not kept, and those that come out belong to the caller; an
// empty one may come out as nil.
//
// Methods may be called by any number of goroutines.
type Store interface {
	// CreateTable makes a table with its seats, the commits that its log begins
	// with, and the record of the request. ErrExists if the id of the table or a
	// seat, a token or the request is there already; ErrConflict if the commits
	// are not the first that a log may have, in order.
	CreateTable(ctx context.Context, n NewTable) error
	// Table describes a table. ErrNotFound if there is none.
	Table(ctx context.Context, id string) (Table, error)
	// Tables lists a page of all tables, newest first, and where the next page
	// begins: 0 if there is none. A table that is made or removed meanwhile moves
	// nothing between pages; a new one appears on no later page, unless the
	// newest ones were removed.
	Tables(ctx context.Context, p Page) ([]Table, Position, error)
	// TablesByID is Tables of those ids only. Unknown ids are left out.
	TablesByID(ctx context.Context, ids []string, p Page) ([]Table, Position, error)

	// Wakes lists when somebody must look after tables, the first one first.
	Wakes(ctx context.Context) ([]Wake, error)
	// UpdateTable changes what is kept of a table beside its log. ErrNotFound if
	// there is no such table.
	UpdateTable(ctx context.Context, tableID string, u TableUpdate) error
	// DeleteTable removes a table with its log, its snapshots, its seats with
	// their tokens and pairing codes, its admissions of bridges, its requests, and
	// the secrets of those names. ErrNotFound if there is no such table.
	DeleteTable(ctx context.Context, tableID string, secrets ...string) error

	// CreateSeat makes a seat, and the record of the request. ErrNotFound if
	// the table does not exist; ErrExists if the seat's id, the token, the
	// pairing code or the request does already.
	CreateSeat(ctx context.Context, n NewSeat) error
	// Seats lists a table's seats in the order in which they were made, also
	// those that were revoked. ErrNotFound if there is no such table.
	Seats(ctx context.Context, tableID string) ([]Seat, error)
	// UpdateSeat replaces the name, role, characters and policies of a seat of a table.
	// ErrNotFound if it has no such seat, or it was revoked.
	UpdateSeat(ctx context.Context, s Seat) error
	// RevokeSeat revokes a seat of a table: its tokens and its pairing code are
	// gone with it, and bridges may not act for it any more; admissions to no other
	// seat are gone. ErrNotFound if it has no such seat, or it was revoked.
	RevokeSeat(ctx context.Context, tableID, seatID string, timeMS int64) error
	// SeatByToken finds the seat that has a token with this hash. ErrNotFound
	// if there is none.
	SeatByToken(ctx context.Context, token Hash) (Seat, error)
	// Tokens lists a seat's tokens in the order in which they were made; none
	// for a seat that does not exist.
	Tokens(ctx context.Context, seatID string) ([]Token, error)
	// SavePairing keeps a pairing code of a seat in place of an older one, and
	// may forget those that have expired at nowMS. ErrNotFound if there is no
	// such seat, or it was revoked; ErrExists if another seat has the code.
	SavePairing(ctx context.Context, seatID string, p Pairing, nowMS int64) error
	// Pair exchanges a pairing code for a token, whose time is that of the
	// exchange: it returns the seat and what was kept of the code, which is gone.
	// ErrNotFound if there is no such code or it has expired; ErrExists if the
	// token is there already.
	Pair(ctx context.Context, code Hash, t Token) (Seat, Pairing, error)

	// CreateBridge makes a bridge, and the record of the request. ErrExists if its
	// id, its token or the request is there already.
	CreateBridge(ctx context.Context, n NewBridge) error
	// Bridge describes a bridge. ErrNotFound if there is none.
	Bridge(ctx context.Context, id string) (Bridge, error)
	// BridgeByToken finds the bridge that has the token with this hash. ErrNotFound
	// if there is none.
	BridgeByToken(ctx context.Context, token Hash) (Bridge, error)
	// Bridges lists a page of all bridges as Tables does of tables.
	Bridges(ctx context.Context, p Page) ([]Bridge, Position, error)
	// DeleteBridge removes a bridge with its token and its admissions. ErrNotFound
	// if there is no such bridge.
	DeleteBridge(ctx context.Context, id string) error
	// Admit lets a bridge act for seats of a table, in place of what was said of
	// the two before. ErrNotFound if there is no such table or bridge, the table
	// has no such seat or it was revoked, or no seat is named at all.
	Admit(ctx context.Context, a Admission) error
	// Dismiss takes an admission away. ErrNotFound if there is none.
	Dismiss(ctx context.Context, tableID, bridgeID string) error
	// Admissions lists a table's admissions in the order in which the bridges were
	// first admitted. ErrNotFound if there is no such table.
	Admissions(ctx context.Context, tableID string) ([]Admission, error)
	// AdmittedTables lists the ids of the tables that admit a bridge, in no order.
	AdmittedTables(ctx context.Context, bridgeID string) ([]string, error)
	// AdmittedSeats lists those of the seats for which a bridge may act, in no
	// order. All others are left out, whether they exist or not.
	AdmittedSeats(ctx context.Context, bridgeID string, seatIDs []string) ([]Seat, error)

	// Append adds a commit to a table's log, with all that must become true
	// with it. ErrConflict if the commit does not follow the log's head;
	// ErrExists if the request is recorded already; ErrNotFound if the table or
	// a seat of it does not exist.
	Append(ctx context.Context, tableID string, e Entry) error
	// Record records a request that changed nothing under the table's id.
	// ErrExists if it is recorded already; ErrNotFound if there is no such table.
	Record(ctx context.Context, tableID string, r Request) error
	// Head says how far a table's log has come. ErrNotFound if there is no such
	// table.
	Head(ctx context.Context, tableID string) (Head, error)
	// Commits lists at most limit commits of a table whose numbers are above
	// after, in order. ErrNotFound if there is no such table.
	Commits(ctx context.Context, tableID string, after int64, limit int) ([]Commit, error)
	// CommitOfEvent returns the number of the commit that holds an event.
	// ErrNotFound if there is no such event or table.
	CommitOfEvent(ctx context.Context, tableID string, event int64) (int64, error)
	// Request returns what was recorded of a request. The scope is a table's
	// id, or AdminScope. ErrNotFound if nothing was.
	Request(ctx context.Context, scope, principal, id string) (Request, error)

	// PruneRequests forgets at most limit requests, the oldest first, that were
	// carried out before a time, and returns how many. A request that is recorded
	// with an earlier time than one before it may wait until that one is forgotten.
	PruneRequests(ctx context.Context, beforeMS int64, limit int) (int, error)

	// SaveSnapshot keeps a snapshot of a table in place of an older one; if
	// there is a newer one, it does nothing. ErrConflict if it is of a commit
	// beyond the head; ErrNotFound if there is no such table.
	SaveSnapshot(ctx context.Context, tableID string, s Snapshot) error
	// Snapshot returns a table's newest snapshot. ErrNotFound if there is none.
	// Snapshots may vanish: everything in them can be made from the commits.
	Snapshot(ctx context.Context, tableID string) (Snapshot, error)

	// Secret returns the secret of that name. If there is none, it stores what
	// generate returns, in one step: whoever asks at the same time gets the
	// same secret. What one of them generated may then be dropped, so use only
	// what is returned.
	Secret(ctx context.Context, name string, generate func() []byte) ([]byte, error)

	// SetSecret stores a secret in the place of the one of that name, if there is
	// one.
	SetSecret(ctx context.Context, name string, value []byte) error

	// Ping reports whether the store can read and begin to write at this moment.
	// It writes nothing, so it does not notice a full disk.
	Ping(ctx context.Context) error
	// Close finishes the writes that have begun and releases everything. Later
	// calls of any other method return ErrClosed.
	Close() error
}
