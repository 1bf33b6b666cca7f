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

func invalid(field string) *rule.Refusal {
	return rule.Core(tablev1.Reason_REASON_INVALID_FIELD, field)
}

// notFound is the one answer to what does not exist and to what the caller may
// not know of; the field is the one that names it.
func notFound(field string) *rule.Refusal {
	return rule.Core(tablev1.Reason_REASON_NOT_FOUND, field)
}

func notYours(field string) *rule.Refusal {
	return rule.Core(tablev1.Reason_REASON_NOT_YOUR_SEAT, field)
}

func tooLarge(field string) *rule.Refusal {
	return rule.Core(tablev1.Reason_REASON_TOO_LARGE, field)
}

func exists(field string) *rule.Refusal {
	return rule.Core(tablev1.Reason_REASON_ALREADY_EXISTS, field)
}

func undone(field string) *rule.Refusal {
	return rule.Core(tablev1.Reason_REASON_EVENT_UNDONE, field)
}

func etagMismatch() *rule.Refusal {
	return rule.Core(tablev1.Reason_REASON_ETAG_MISMATCH, "etag")
}

func lastGM(field string) *rule.Refusal {
	return rule.Core(tablev1.Reason_REASON_LAST_GM, field)
}

func tooMany() *rule.Refusal {
	return rule.Core(tablev1.Reason_REASON_TOO_MANY_REQUESTS, "")
}

func reused() *rule.Refusal {
	return rule.Core(tablev1.Reason_REASON_REQUEST_ID_REUSED, "request_id")
}

func badPage() *rule.Refusal {
	return invalid("page_token").Say("no_page_token")
}

func badCursor() *rule.Refusal {
	return rule.Core(tablev1.Reason_REASON_BAD_CURSOR, "cursor")
}
