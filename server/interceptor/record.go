package interceptor

import "context"

// record is what inner interceptors find out about a call and the log tells.
// A call has one; everything around a call runs in its goroutine.
type record struct {
	// principal is the kind of principal.
	principal string
	// cause is the fault behind an error that tells the caller nothing of it.
	cause error
}

type recordKey struct{}

// withRecord starts the record of a call.
func withRecord(ctx context.Context, r *record) context.Context {
	return context.WithValue(ctx, recordKey{}, r)
}

// recordOf returns the record of a call.
func recordOf(ctx context.Context) *record {
	if r, ok := ctx.Value(recordKey{}).(*record); ok {
		return r
	}
	return &record{} // nobody will read it
}
