package interceptor

import (
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/protoadapt"
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

// refuse makes the error of a refused call.
func refuse(code codes.Code, reason, message string, metadata map[string]string, more ...protoadapt.MessageV1) error {
	s := status.New(code, message)
	details := append([]protoadapt.MessageV1{
		&errdetails.ErrorInfo{Reason: reason, Domain: Domain, Metadata: metadata},
	}, more...)
	if with, err := s.WithDetails(details...); err == nil {
		s = with
	}
	return s.Err()
}
