package api

import (
	"github.com/hantei/hantei/engine/rule"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// pageSize is how many items to return.
func pageSize(asked int32, unless, most int) (int, *rule.Refusal) {
	switch n := int(asked); {
	case n < 0 || n > most:
		return 0, rule.Core(tablev1.Reason_REASON_INVALID_FIELD, "page_size").Say("int32.gte_lte", rule.Number("gte", 0), rule.Number("lte", most))
	case n == 0:
		return unless, nil
	default:
		return n, nil
	}
}
