package api

import (
	"context"
	"strconv"

	"github.com/hantei/hantei/engine/rule"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"github.com/hantei/hantei/server/auth"
	"github.com/hantei/hantei/server/host"
)

// anybody is the caller where no table is named: the admin, or a seat with its
// own table.
func anybody(ctx context.Context) (host.Caller, *rule.Refusal) {
	p, _ := auth.FromContext(ctx)
	return seated(ctx, p.Table)
}

// pageSize is how many items to return.
func pageSize(asked int32, unless, most int) (int, *rule.Refusal) {
	switch n := int(asked); {
	case n < 0 || n > most:
		return 0, rule.Core(tablev1.Reason_REASON_INVALID_FIELD, "page_size", "0 to "+strconv.Itoa(most))
	case n == 0:
		return unless, nil
	default:
		return n, nil
	}
}
