package rule

import tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"

const invalidField = tablev1.Reason_REASON_INVALID_FIELD

// Core makes a refusal of the core: the declared reason, and the field that is
// wrong or "". Say adds what exactly is wrong.
func Core(reason tablev1.Reason, field string) *Refusal {
	return &Refusal{Reason: valueName(reason, "REASON_"), Core: true, Field: field}
}
