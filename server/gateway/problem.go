package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/grpc-ecosystem/grpc-gateway/v2/runtime"
	"google.golang.org/genproto/googleapis/rpc/code"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/hantei/hantei/server/interceptor"
)

// Reasons of the gateway's own refusals; it also has interceptor.ReasonInvalidField.
const (
	reasonInvalidBody      = "INVALID_BODY"
	reasonInvalidRequest   = "INVALID_REQUEST"
	reasonBodyTooLarge     = "TOO_LARGE"
	reasonPathUnknown      = "PATH_UNKNOWN"
	reasonMethodNotAllowed = "METHOD_NOT_ALLOWED"
	reasonNotReady         = "SERVER_NOT_READY"
)

// problem is the body of an error; see the package's documentation.
type problem struct {
	Code       codes.Code        `json:"code"`
	Status     string            `json:"status"`
	Reason     string            `json:"reason,omitempty"`
	Domain     string            `json:"domain,omitempty"`
	Rule       string            `json:"rule,omitempty"`
	Field      string            `json:"field,omitempty"`
	Value      string            `json:"value,omitempty"`
	Nearest    string            `json:"nearest,omitempty"`
	Message    string            `json:"message"`
	Violations []violation       `json:"violations,omitempty"`
	Metadata   map[string]string `json:"metadata,omitempty"`

	// httpStatus differs from what the code says; 0 if it does not.
	httpStatus int
	// retryAfter is how long to wait before the next try; 0 if there is nothing to
	// say about it.
	retryAfter time.Duration
}

// violation is one of several wrong fields.
type violation struct {
	Field   string `json:"field"`
	Message string `json:"message"`
}

// newProblem makes one of the gateway's own.
func newProblem(c codes.Code, httpStatus int, reason, message string) *problem {
	return &problem{
		Code: c, Status: code.Code(c).String(), Reason: reason, Domain: interceptor.Domain, Message: message,
		httpStatus: httpStatus,
	}
}

// wrongField makes the refusal of a field. Nearest may be "".
func wrongField(field, nearest, what string) *problem {
	field = shorten(field)
	p := newProblem(codes.InvalidArgument, 0, interceptor.ReasonInvalidField, field+": "+what)
	p.Field, p.Nearest = field, nearest
	if nearest != "" {
		p.Message += `; did you mean "` + nearest + `"?`
	}
	return p
}

// Error implements error.
func (p *problem) Error() string { return p.Message }

// problemOf flattens a status and its details.
func problemOf(s *status.Status) *problem {
	p := &problem{Code: s.Code(), Status: code.Code(s.Code()).String(), Message: s.Message()}
	for _, d := range s.Details() {
		switch d := d.(type) {
		case *errdetails.ErrorInfo:
			p.Reason, p.Domain = d.GetReason(), d.GetDomain()
			for k, v := range d.GetMetadata() {
				p.set(k, v)
			}
		case *errdetails.LocalizedMessage:
			p.Message = d.GetMessage()
		case *errdetails.RetryInfo:
			p.retryAfter = d.GetRetryDelay().AsDuration()
		case *errdetails.BadRequest:
			if len(d.GetFieldViolations()) < 2 {
				continue // it is the one that the ErrorInfo names
			}
			for _, v := range d.GetFieldViolations() {
				p.Violations = append(p.Violations, violation{v.GetField(), v.GetDescription()})
			}
		}
	}
	return p
}

// set takes a value of the ErrorInfo's metadata.
func (p *problem) set(key, value string) {
	switch key {
	case "rule":
		p.Rule = value
	case "field":
		p.Field = value
	case "value":
		p.Value = value
	case "nearest":
		p.Nearest = value
	default:
		if p.Metadata == nil {
			p.Metadata = map[string]string{}
		}
		p.Metadata[key] = value
	}
}

// write answers with the problem.
func (p *problem) write(w http.ResponseWriter) {
	h := w.Header()
	// What was prepared for a good answer.
	h.Del("Transfer-Encoding")
	h.Del("Trailer")
	h.Set("Content-Type", mimeJSON)
	if p.Code == codes.Unauthenticated {
		h.Set("WWW-Authenticate", `Bearer realm="hantei"`)
	}
	if p.retryAfter > 0 {
		h.Set(headerRetryAfter, strconv.Itoa(int(math.Ceil(p.retryAfter.Seconds()))))
	}
	httpStatus := p.httpStatus
	if httpStatus == 0 {
		httpStatus = runtime.HTTPStatusFromCode(p.Code)
	}
	w.WriteHeader(httpStatus)
	_, _ = w.Write(append(p.json(), '\n')) // a client that has gone needs no answer
}

func (p *problem) json() []byte {
	b, err := json.Marshal(p)
	if err != nil { // texts and numbers always marshal
		panic(err)
	}
	return b
}

// handleError answers with an error, from the services or from what lies between.
func handleError(_ context.Context, _ *runtime.ServeMux, _ runtime.Marshaler, w http.ResponseWriter, r *http.Request, err error) {
	// The generated code makes a text of a decoder's error; the body has kept
	// the error itself.
	if b, ok := r.Body.(*body); ok && b.refusal != nil {
		b.refusal.write(w)
		return
	}
	var other *runtime.HTTPStatusError // about a path that cannot be unescaped
	if errors.As(err, &other) {
		newProblem(codes.InvalidArgument, other.HTTPStatus, reasonPathUnknown, other.Error()).write(w)
		return
	}
	p := problemOf(maskFault(context.Background(), err))
	if p.Reason == "" && p.Code == codes.InvalidArgument { // the generated code's own
		p.Reason, p.Domain = reasonInvalidRequest, interceptor.Domain
	}
	p.write(w)
}

// maskFault keeps from the client what is no status: something between it and
// the services that should not have failed, such as writing an answer as JSON.
func maskFault(_ context.Context, err error) *status.Status {
	if s, ok := status.FromError(err); ok {
		return s
	}
	s := status.New(codes.Internal, "internal error")
	if with, err := s.WithDetails(&errdetails.ErrorInfo{Reason: interceptor.ReasonInternal, Domain: interceptor.Domain}); err == nil {
		s = with
	}
	return s
}

// handleRoutingError answers when the mux finds no route where routes has found
// one, which should not happen.
func handleRoutingError(_ context.Context, _ *runtime.ServeMux, _ runtime.Marshaler, w http.ResponseWriter, _ *http.Request, httpStatus int) {
	newProblem(codes.NotFound, httpStatus, reasonPathUnknown, http.StatusText(httpStatus)).write(w)
}
