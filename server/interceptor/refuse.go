package interceptor

import (
	"context"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/protoadapt"

	"github.com/hantei/hantei/server/language"
)

// Domain of the reasons that belong to no ruleset.
const Domain = "hantei"

// The reasons with which interceptors refuse.
const (
	// ReasonInternal says that the fault is the server's.
	ReasonInternal = "INTERNAL"
	// ReasonTokenMissing says that the method needs a token and none came.
	ReasonTokenMissing = "TOKEN_MISSING"
	// ReasonTokenUnknown says that nobody holds the token.
	ReasonTokenUnknown = "TOKEN_UNKNOWN"
	// ReasonUnavailable says that the server cannot tell at present; try again.
	ReasonUnavailable = "UNAVAILABLE"
	// ReasonShuttingDown says that the server takes no more calls.
	ReasonShuttingDown = "SHUTTING_DOWN"
	// ReasonInvalidField says that a field has a value that it cannot have; the
	// metadata "field" says which.
	ReasonInvalidField = "INVALID_FIELD"
	// ReasonTooManyRequests says that the caller must wait; the detail RetryInfo
	// says how long.
	ReasonTooManyRequests = "TOO_MANY_REQUESTS"
)

// refusal is what a call is refused with.
type refusal struct {
	code   codes.Code
	reason string
	// says are the values of the reason's text, each of them in a language.
	says func(lang string) map[string]string
	// metadata and more are for programs.
	metadata map[string]string
	more     []protoadapt.MessageV1
}

// refuse makes the error of a refused call: as those of the services, it has the
// text in English, for who reads logs, and in the caller's language.
func refuse(ctx context.Context, r refusal) error {
	lang := language.Of(ctx)
	s := status.New(r.code, r.text(language.English))
	details := append([]protoadapt.MessageV1{
		&errdetails.ErrorInfo{Reason: r.reason, Domain: Domain, Metadata: r.metadata},
		&errdetails.LocalizedMessage{Locale: lang, Message: r.text(lang)},
	}, r.more...)
	if with, err := s.WithDetails(details...); err == nil {
		s = with
	}
	return s.Err()
}

func (r refusal) text(lang string) string {
	var values map[string]string
	if r.says != nil {
		values = r.says(lang)
	}
	return language.Texts().Error(r.reason, lang, values)
}
