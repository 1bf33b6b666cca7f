package gateway

import (
	"testing"

	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"github.com/hantei/hantei/server/interceptor"
)

// TestReasonsAreDeclared holds what is written as words here to the contract,
// where every reason of the domain hantei is declared.
func TestReasonsAreDeclared(t *testing.T) {
	for _, reason := range []string{
		reasonInvalidBody, reasonInvalidRequest, reasonBodyTooLarge, reasonPathUnknown, reasonMethodNotAllowed, reasonNotReady,
		interceptor.ReasonInternal, interceptor.ReasonTokenMissing, interceptor.ReasonTokenUnknown,
		interceptor.ReasonUnavailable, interceptor.ReasonShuttingDown, interceptor.ReasonInvalidField,
		interceptor.ReasonTooManyRequests,
	} {
		if _, ok := tablev1.Reason_value["REASON_"+reason]; !ok {
			t.Errorf("%s is not declared in table/v1/names.proto", reason)
		}
	}
}
