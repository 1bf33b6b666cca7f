package host

import (
	"github.com/hantei/hantei/engine/rule"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// Refused is a refusal at a table, with the game whose words explain it.
type Refused struct {
	*rule.Refusal
	// Game of the table; nil where no table is concerned.
	Game *Game
	// Cursor is where a reader that was cut off goes on; mostly empty.
	Cursor string
}

// Unwrap returns the refusal.
func (r *Refused) Unwrap() error { return r.Refusal }

// Domain is the domain of the reason.
func (r *Refused) Domain() string {
	if r.Core || r.Game == nil {
		return "hantei"
	}
	return r.Game.domain()
}

func invalid(field, detail string) *rule.Refusal {
	return rule.Core(tablev1.Reason_REASON_INVALID_FIELD, field, detail)
}

// notFound is the one answer to what does not exist and to what the caller may
// not know of; the field is the one that names it.
func notFound(field string) *rule.Refusal {
	return rule.Core(tablev1.Reason_REASON_NOT_FOUND, field, "")
}

func notYours(field, detail string) *rule.Refusal {
	return rule.Core(tablev1.Reason_REASON_NOT_YOUR_SEAT, field, detail)
}

func tooLarge(field, detail string) *rule.Refusal {
	return rule.Core(tablev1.Reason_REASON_TOO_LARGE, field, detail)
}

func exists(field, detail string) *rule.Refusal {
	return rule.Core(tablev1.Reason_REASON_ALREADY_EXISTS, field, detail)
}

func etagMismatch() *rule.Refusal {
	return rule.Core(tablev1.Reason_REASON_ETAG_MISMATCH, "etag", "")
}

func lastGM(field string) *rule.Refusal {
	return rule.Core(tablev1.Reason_REASON_LAST_GM, field, "")
}

func tooMany() *rule.Refusal {
	return rule.Core(tablev1.Reason_REASON_TOO_MANY_REQUESTS, "", "")
}

func reused() *rule.Refusal {
	return rule.Core(tablev1.Reason_REASON_REQUEST_ID_REUSED, "request_id", "used for another request")
}

func badPage() *rule.Refusal {
	return invalid("page_token", "not a token of a page")
}

func badCursor() *rule.Refusal {
	return rule.Core(tablev1.Reason_REASON_BAD_CURSOR, "cursor", "not a cursor of this table")
}
