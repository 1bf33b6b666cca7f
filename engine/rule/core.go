package rule

import tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"

const invalidField = tablev1.Reason_REASON_INVALID_FIELD

// Core makes a refusal of the core: the declared reason, the field that is
// wrong or "", and an addition in English or "".
func Core(reason tablev1.Reason, field, detail string) *Refusal { return core(reason, field, detail) }

func core(reason tablev1.Reason, field, detail string) *Refusal {
	return &Refusal{Reason: valueName(reason, "REASON_"), Core: true, Field: field, Detail: detail}
}
