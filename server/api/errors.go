package api

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/hantei/hantei/engine/locale"
	"github.com/hantei/hantei/engine/resolve"
	"github.com/hantei/hantei/engine/rule"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"github.com/hantei/hantei/server/host"
	"github.com/hantei/hantei/server/language"
	"github.com/hantei/hantei/server/store"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/protoadapt"
	"google.golang.org/protobuf/types/known/durationpb"
)

// codeOf is the code of each of the core's reasons.
var codeOf = map[string]codes.Code{
	reason(tablev1.Reason_REASON_INVALID_FIELD):     codes.InvalidArgument,
	reason(tablev1.Reason_REASON_NOT_FOUND):         codes.NotFound,
	reason(tablev1.Reason_REASON_TOKEN_MISSING):     codes.Unauthenticated,
	reason(tablev1.Reason_REASON_TOKEN_UNKNOWN):     codes.Unauthenticated,
	reason(tablev1.Reason_REASON_TOO_MANY_REQUESTS): codes.ResourceExhausted,
	reason(tablev1.Reason_REASON_LAST_GM):           codes.FailedPrecondition,
	reason(tablev1.Reason_REASON_IN_ENCOUNTER):      codes.FailedPrecondition,
	reason(tablev1.Reason_REASON_MADE_BY_THE_RULES): codes.FailedPrecondition,
	reason(tablev1.Reason_REASON_UNDO_FENCED):       codes.FailedPrecondition,
	reason(tablev1.Reason_REASON_NOTHING_TO_UNDO):   codes.FailedPrecondition,
	reason(tablev1.Reason_REASON_EVENT_UNDONE):      codes.FailedPrecondition,
	reason(tablev1.Reason_REASON_ETAG_MISMATCH):     codes.Aborted,
	reason(tablev1.Reason_REASON_NOT_YOUR_SEAT):     codes.PermissionDenied,
	reason(tablev1.Reason_REASON_PROMPT_PENDING):    codes.FailedPrecondition,
	reason(tablev1.Reason_REASON_PROMPT_CLOSED):     codes.FailedPrecondition,
	reason(tablev1.Reason_REASON_UNKNOWN_CHOICE):    codes.InvalidArgument,
	reason(tablev1.Reason_REASON_REQUEST_ID_REUSED): codes.AlreadyExists,
	reason(tablev1.Reason_REASON_BAD_DICE):          codes.InvalidArgument,
	reason(tablev1.Reason_REASON_TOO_LARGE):         codes.ResourceExhausted,
	reason(tablev1.Reason_REASON_OFFER_GONE):        codes.FailedPrecondition,
	reason(tablev1.Reason_REASON_WRONG_RULESET):     codes.InvalidArgument,
	reason(tablev1.Reason_REASON_ALREADY_EXISTS):    codes.AlreadyExists,
	reason(tablev1.Reason_REASON_FROZEN):            codes.FailedPrecondition,
	reason(tablev1.Reason_REASON_TABLE_PAUSED):      codes.FailedPrecondition,
	reason(tablev1.Reason_REASON_TABLE_DELETED):     codes.NotFound,
	reason(tablev1.Reason_REASON_SEAT_MISSING):      codes.InvalidArgument,
	reason(tablev1.Reason_REASON_NOT_FOR_BRIDGES):   codes.PermissionDenied,
	reason(tablev1.Reason_REASON_SEAT_REVOKED):      codes.NotFound,
	reason(tablev1.Reason_REASON_BRIDGE_DISMISSED):  codes.PermissionDenied,
	reason(tablev1.Reason_REASON_BAD_CURSOR):        codes.InvalidArgument,
	reason(tablev1.Reason_REASON_TOO_SLOW):          codes.ResourceExhausted,
	reason(tablev1.Reason_REASON_SHUTTING_DOWN):     codes.Unavailable,
	reason(tablev1.Reason_REASON_INTERNAL):          codes.Internal,
}

func reason(r tablev1.Reason) string { return rule.Core(r, "").Reason }

// fail is the one way by which errors leave the server: every error of the host
// and of what lies below becomes a status. What is nobody's business is logged
// and told as INTERNAL.
func (e *edge) fail(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	var refused *host.Refused
	if errors.As(err, &refused) {
		return e.status(ctx, refused)
	}
	var refusal *rule.Refusal
	if errors.As(err, &refusal) {
		return e.status(ctx, &host.Refused{Refusal: refusal})
	}
	core := func(r tablev1.Reason) *host.Refused { return &host.Refused{Refusal: rule.Core(r, "")} }
	var budget *rule.BudgetError
	var diverged *resolve.DivergedError
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return status.FromContextError(err).Err()
	case errors.Is(err, store.ErrNotFound):
		// Of what the host looks up by itself only tables come from a caller.
		return e.status(ctx, &host.Refused{Refusal: noTable()})
	case errors.Is(err, host.ErrClosed), errors.Is(err, store.ErrClosed):
		return e.status(ctx, core(tablev1.Reason_REASON_SHUTTING_DOWN))
	case errors.As(err, &budget):
		e.log.ErrorContext(ctx, "a command was too much work", "cause", err)
		return e.status(ctx, core(tablev1.Reason_REASON_TOO_LARGE))
	case errors.As(err, &diverged):
		e.log.ErrorContext(ctx, "a step is frozen", "cause", err)
		return e.status(ctx, core(tablev1.Reason_REASON_FROZEN))
	case errors.Is(err, host.ErrBusy): // it may have passed when the caller tries again
		return e.coded(ctx, codes.Unavailable, core(tablev1.Reason_REASON_INTERNAL))
	case errors.Is(err, store.ErrFull), errors.Is(err, store.ErrReadOnly), errors.Is(err, store.ErrBusy):
		e.log.ErrorContext(ctx, "the store takes nothing", "cause", err)
		return e.coded(ctx, codes.Unavailable, core(tablev1.Reason_REASON_INTERNAL))
	}
	attrs := []any{"cause", err}
	var p *rule.PanicError
	if errors.As(err, &p) {
		attrs = append(attrs, "stack", string(p.Stack))
	}
	e.log.ErrorContext(ctx, "internal error", attrs...)
	return e.status(ctx, core(tablev1.Reason_REASON_INTERNAL))
}

// status makes the status of a refusal: the core's reasons have their codes, a
// ruleset's are all about the state of the table.
func (e *edge) status(ctx context.Context, r *host.Refused) error {
	code, ok := codeOf[r.Reason]
	if !ok || !r.Core {
		code = codes.FailedPrecondition
	}
	return e.coded(ctx, code, r)
}

func (e *edge) coded(ctx context.Context, code codes.Code, r *host.Refused) error {
	metadata := make(map[string]string)
	for key, value := range map[string]string{"rule": r.Rule, "field": r.Field, "value": r.Value, "nearest": r.Nearest, "cursor": r.Cursor} {
		if value != "" {
			metadata[key] = value
		}
	}
	detailMetadata(metadata, "detail", r.Detail)
	lang := language.Of(ctx)
	message, localized := e.text(r, language.English), e.text(r, lang)
	details := []protoadapt.MessageV1{
		&errdetails.ErrorInfo{Reason: r.Reason, Domain: r.Domain(), Metadata: metadata},
		&errdetails.LocalizedMessage{Locale: lang, Message: localized},
	}
	if code == codes.InvalidArgument && r.Field != "" {
		description := e.texts(r).Detail(r.Detail, lang)
		if description == "" {
			description = localized
		}
		details = append(details, &errdetails.BadRequest{FieldViolations: []*errdetails.BadRequest_FieldViolation{{
			Field: r.Field, Description: description, Reason: r.Reason,
		}}})
	}
	if r.Core && r.Reason == reason(tablev1.Reason_REASON_TOO_MANY_REQUESTS) {
		details = append(details, &errdetails.RetryInfo{RetryDelay: durationpb.New(time.Second)})
	}
	s, err := status.New(code, message).WithDetails(details...)
	if err != nil {
		e.log.ErrorContext(ctx, "error details", "cause", err) // a text that is no UTF-8
		return status.Error(code, r.Reason)
	}
	return s.Err()
}

// texts are those that explain a refusal: of the game with the core's, or the core's.
func (e *edge) texts(r *host.Refused) *locale.Catalog {
	if r.Game != nil {
		return r.Game.Texts
	}
	return e.core
}

// detailMetadata has a detail for programs: "detail" is its key, and "detail_NAME" what
// it speaks of, with commas between several.
func detailMetadata(metadata map[string]string, key string, d rule.Detail) {
	if d.Key() == "" {
		return
	}
	metadata[key] = d.Key()
	for _, p := range d.Params() {
		if p.Kind == rule.ParamDetail {
			detailMetadata(metadata, key+"_"+p.Name, p.Detail)
		} else if value := strings.Join(p.Values, ","); value != "" {
			metadata[key+"_"+p.Name] = value
		}
	}
}

// text says why something is refused. A reason without a text stands for itself.
func (e *edge) text(r *host.Refused, lang string) string {
	texts := e.texts(r)
	if !texts.Has("error." + r.Reason) {
		return r.Reason
	}
	field := r.Field
	if input, ok := strings.CutPrefix(field, "values."); ok && texts.Has("input."+input) {
		field = texts.Text("input."+input, lang, nil) // whoever fills a form in knows it by this name
	}
	return texts.Error(r.Reason, lang, map[string]string{
		"rule": r.Rule, "field": field, "value": r.Value, "nearest": texts.Nearest(r.Refusal, lang), "detail": texts.Detail(r.Detail, lang),
	})
}
