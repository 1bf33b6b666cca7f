package api

import (
	"context"
	"crypto/sha256"
	"strings"

	"github.com/hantei/hantei/engine/rule"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"github.com/hantei/hantei/server/auth"
	"github.com/hantei/hantei/server/host"
	"github.com/hantei/hantei/server/language"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"
)

// anybody is the caller where no table is named: the admin, a seat with its own
// table, or a bridge, with the seat that it names if it names one. Whatever else
// finds out who calls begins with this.
func anybody(ctx context.Context) (host.Caller, *rule.Refusal) {
	p, ok := auth.FromContext(ctx)
	by := host.Caller{Table: p.Table, Seat: p.Seat, Admin: p.Admin, Via: p.Bridge, Lang: language.Of(ctx)}
	if !ok || !p.Admin && p.Seat == "" && p.Bridge == "" {
		return by, rule.Core(tablev1.Reason_REASON_TOKEN_MISSING, "")
	}
	named := metadata.ValueFromIncomingContext(ctx, auth.SeatHeader)
	switch {
	case len(named) == 0:
	case len(named) > 1 || !seatID(named[0]):
		return by, rule.Core(tablev1.Reason_REASON_INVALID_FIELD, auth.SeatHeader).Say("seat_header")
	case p.Bridge != "":
		by.Seat = named[0]
	case named[0] != p.Seat:
		return by, rule.Core(tablev1.Reason_REASON_NOT_YOUR_SEAT, auth.SeatHeader).Say("only_bridges_for_others")
	}
	return by, nil
}

// seatID reports whether a text can be the id of a seat.
func seatID(id string) bool {
	return id != "" && len(id) <= 24 && !strings.ContainsFunc(id, func(r rune) bool { return r <= ' ' || r > '~' })
}

// known is the caller as somebody who may know of a table. To a seat of another
// table this one does not exist; of a bridge the host knows whether it is admitted.
func known(ctx context.Context, table string) (host.Caller, *rule.Refusal) {
	by, refusal := anybody(ctx)
	if refusal == nil && !by.Admin && by.Via == "" && by.Table != table {
		refusal = noTable()
	}
	by.Table = table
	return by, refusal
}

// seated is the caller as somebody who manages the table or a seat of it. A bridge
// does not: it never mints or widens access, nor takes the whole log out. It is
// told so of whatever table, before anybody looks whether there is one.
func seated(ctx context.Context, table string) (host.Caller, *rule.Refusal) {
	by, refusal := known(ctx, table)
	if refusal == nil && by.Via != "" {
		refusal = rule.Core(tablev1.Reason_REASON_NOT_FOR_BRIDGES, "")
	}
	return by, refusal
}

// leader is the caller as the admin or a seat, for which a bridge may call.
func leader(ctx context.Context, table string) (host.Caller, *rule.Refusal) {
	by, refusal := known(ctx, table)
	if refusal == nil && by.Via != "" && by.Seat == "" {
		refusal = rule.Core(tablev1.Reason_REASON_SEAT_MISSING, "")
	}
	return by, refusal
}

// player is the caller as a seat of the table, for which a bridge may call; the
// admin has none.
func player(ctx context.Context, table string) (host.Caller, *rule.Refusal) {
	by, refusal := leader(ctx, table)
	if refusal == nil && by.Admin {
		refusal = rule.Core(tablev1.Reason_REASON_NOT_YOUR_SEAT, "").Say("only_seats_play")
	}
	return by, refusal
}

// noTable is the one answer to a table that does not exist and to one that is
// not the caller's.
func noTable() *rule.Refusal {
	return rule.Core(tablev1.Reason_REASON_NOT_FOUND, "table_id")
}

// request identifies a request by its key and by what it asks for.
func request(id string, body proto.Message) (host.Request, *rule.Refusal) {
	if id == "" {
		return host.Request{}, nil
	}
	if len(id) > maxRequestID {
		return host.Request{}, rule.Core(tablev1.Reason_REASON_INVALID_FIELD, "request_id").Say("string.max_bytes", rule.Number("max_bytes", maxRequestID))
	}
	b, err := proto.MarshalOptions{Deterministic: true}.Marshal(body)
	if err != nil {
		return host.Request{}, rule.Core(tablev1.Reason_REASON_INVALID_FIELD, "").Say("utf8")
	}
	h := sha256.New()
	h.Write([]byte(body.ProtoReflect().Descriptor().FullName()))
	h.Write([]byte{0})
	h.Write(b)
	r := host.Request{ID: id}
	h.Sum(r.Hash[:0])
	return r, nil
}

// maxRequestID is the longest idempotency key.
const maxRequestID = 64
