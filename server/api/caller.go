package api

import (
	"context"
	"crypto/sha256"
	"strconv"
	"strings"

	"github.com/hantei/hantei/engine/rule"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"github.com/hantei/hantei/server/auth"
	"github.com/hantei/hantei/server/host"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"
)

// seated is the caller as somebody at a table. To a seat of another table this
// one does not exist.
func seated(ctx context.Context, table string) (host.Caller, *rule.Refusal) {
	p, ok := auth.FromContext(ctx)
	by := host.Caller{Table: table, Seat: p.Seat, Admin: p.Admin, Lang: language(ctx)}
	switch {
	case !ok || !p.Admin && p.Seat == "":
		return by, rule.Core(tablev1.Reason_REASON_TOKEN_MISSING, "", "")
	case !p.Admin && p.Table != table:
		return by, noTable()
	}
	return by, nil
}

// player is the caller as a seat of the table; the admin has none.
func player(ctx context.Context, table string) (host.Caller, *rule.Refusal) {
	by, refusal := seated(ctx, table)
	if refusal == nil && by.Admin {
		refusal = rule.Core(tablev1.Reason_REASON_NOT_YOUR_SEAT, "", "only seats play")
	}
	return by, refusal
}

// noTable is the one answer to a table that does not exist and to one that is
// not the caller's.
func noTable() *rule.Refusal {
	return rule.Core(tablev1.Reason_REASON_NOT_FOUND, "table_id", "")
}

// request identifies a request by its key and by what it asks for.
func request(id string, body proto.Message) (host.Request, *rule.Refusal) {
	if id == "" {
		return host.Request{}, nil
	}
	if len(id) > maxRequestID {
		return host.Request{}, rule.Core(tablev1.Reason_REASON_INVALID_FIELD, "request_id", "at most "+strconv.Itoa(maxRequestID)+" bytes")
	}
	b, err := proto.MarshalOptions{Deterministic: true}.Marshal(body)
	if err != nil {
		return host.Request{}, rule.Core(tablev1.Reason_REASON_INVALID_FIELD, "", "not valid UTF-8")
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

// languages are those that the server speaks, the first is for who asks for none.
var languages = []string{"en", "ja"}

// language is the best of the languages that the caller accepts.
func language(ctx context.Context) string {
	best, quality := languages[0], 0.0
	for _, key := range []string{"accept-language", "grpcgateway-accept-language"} {
		for _, value := range metadata.ValueFromIncomingContext(ctx, key) {
			for part := range strings.SplitSeq(value, ",") {
				if lang, q := accepted(part); q > quality {
					best, quality = lang, q
				}
			}
		}
	}
	return best
}

// accepted reads one part of the header: "ja-JP;q=0.8". The quality is 0 for a
// language that the server does not speak.
func accepted(part string) (string, float64) {
	tag, params, _ := strings.Cut(strings.TrimSpace(part), ";")
	base, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(tag)), "-")
	q := 1.0
	if name, value, ok := strings.Cut(strings.TrimSpace(params), "="); ok && strings.TrimSpace(name) == "q" {
		n, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		if err != nil || n < 0 || n > 1 {
			return "", 0
		}
		q = n
	}
	for _, l := range languages {
		if l == base {
			return l, q
		}
	}
	return "", 0
}
