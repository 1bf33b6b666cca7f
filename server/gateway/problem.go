package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/grpc-ecosystem/grpc-gateway/v2/runtime"
	"google.golang.org/genproto/googleapis/rpc/code"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"github.com/hantei/hantei/server/interceptor"
	"github.com/hantei/hantei/server/language"
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
	// own is what one of the gateway's own says; nil if the message is there.
	own *sentence
}

// sentence is what a problem says, before it is known in which language.
type sentence struct {
	// detail is the key of the text that says what is wrong; "" if none does.
	detail string
	// values are those of the detail's text and of the reason's.
	values map[string]string
}

// violation is one of several wrong fields.
type violation struct {
	Field   string `json:"field"`
	Message string `json:"message"`
}

// newProblem makes one of the gateway's own.
func newProblem(c codes.Code, httpStatus int, reason string, says sentence) *problem {
	return &problem{
		Code: c, Status: code.Code(c).String(), Reason: reason, Domain: interceptor.Domain,
		httpStatus: httpStatus, own: &says,
	}
}

// wrong is what is wrong with a field: the key of a text, and where there are
// such, the value that it speaks of and what may have been meant.
type wrong struct{ what, value, nearest string }

// wrongField makes the refusal of a field.
func wrongField(field string, w wrong) *problem {
	p := newProblem(codes.InvalidArgument, 0, interceptor.ReasonInvalidField,
		sentence{w.what, map[string]string{"value": w.value}})
	p.Field, p.Nearest = shorten(field), w.nearest
	return p
}

// in gives the problem its message in a language.
func (p *problem) in(lang string) *problem {
	if p.own == nil {
		return p
	}
	texts := language.Texts()
	values := map[string]string{"field": p.Field, "nearest": p.Nearest}
	maps.Copy(values, p.own.values)
	if p.own.detail != "" {
		values["detail"] = texts.Wrong(p.own.detail, lang, values)
	}
	p.Message = texts.Error(p.Reason, lang, values)
	return p
}

// Error implements error.
func (p *problem) Error() string { return p.in(language.English).Message }

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

// write answers a request with the problem.
func (p *problem) write(w http.ResponseWriter, r *http.Request) {
	p.in(language.Accepted(r.Header.Values(language.Header)))
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
		b.refusal.write(w, r)
		return
	}
	var other *runtime.HTTPStatusError // about a path that cannot be unescaped
	if errors.As(err, &other) {
		newProblem(codes.InvalidArgument, other.HTTPStatus, reasonPathUnknown, sentence{}).write(w, r)
		return
	}
	s, ok := status.FromError(err)
	if !ok {
		fault().write(w, r)
		return
	}
	p := problemOf(s)
	if p.Reason == "" && p.Code == codes.InvalidArgument { // the generated code's own
		p = newProblem(codes.InvalidArgument, 0, reasonInvalidRequest, sentence{})
		p.Metadata = map[string]string{metadataCause: s.Message()}
	}
	p.write(w, r)
}

// fault keeps from the client what is no status: something between it and the
// services that should not have failed, such as writing an answer as JSON.
func fault() *problem {
	return newProblem(codes.Internal, 0, interceptor.ReasonInternal, sentence{})
}

// maskFault is fault for streams, whose errors the runtime wants as a status.
func maskFault(ctx context.Context, err error) *status.Status {
	if s, ok := status.FromError(err); ok {
		return s
	}
	md, _ := metadata.FromOutgoingContext(ctx)
	p := fault().in(language.Accepted(md.Get(language.Header)))
	s := status.New(p.Code, p.Message)
	if with, err := s.WithDetails(&errdetails.ErrorInfo{Reason: p.Reason, Domain: p.Domain}); err == nil {
		s = with
	}
	return s
}

// handleRoutingError answers when the mux finds no route where routes has found
// one, which should not happen.
func handleRoutingError(_ context.Context, _ *runtime.ServeMux, _ runtime.Marshaler, w http.ResponseWriter, r *http.Request, httpStatus int) {
	newProblem(codes.NotFound, httpStatus, reasonPathUnknown, sentence{}).write(w, r)
}
