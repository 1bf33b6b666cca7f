package interceptor

import (
	"context"
	"errors"
	"fmt"

	"buf.build/go/protovalidate"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/protoadapt"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"github.com/hantei/hantei/server/language"
)

// validate refuses requests that have not the shape that the protos declare.
// What the rules of a game forbid, the engine refuses.
type validate struct{ v protovalidate.Validator }

// newValidate makes it, with the one validator that all calls share: it keeps
// what it has compiled, and compiles the requests of our services now, so that no
// caller waits for it.
func newValidate() (Interceptor, error) {
	var requests []protoreflect.MessageDescriptor
	protoregistry.GlobalFiles.RangeFilesByPackage("hantei.v1", func(f protoreflect.FileDescriptor) bool {
		for i := range f.Services().Len() {
			methods := f.Services().Get(i).Methods()
			for j := range methods.Len() {
				requests = append(requests, methods.Get(j).Input())
			}
		}
		return true
	})
	v, err := protovalidate.New(protovalidate.WithMessageDescriptors(requests...))
	if err != nil {
		return nil, fmt.Errorf("validator: %w", err)
	}
	return validate{v}, nil
}

// Unary implements Interceptor.
func (i validate) Unary(ctx context.Context, req any, _ *grpc.UnaryServerInfo, next grpc.UnaryHandler) (any, error) {
	if err := i.check(ctx, req); err != nil {
		return nil, err
	}
	return next(ctx, req)
}

// Stream implements Interceptor.
func (i validate) Stream(srv any, ss grpc.ServerStream, _ *grpc.StreamServerInfo, next grpc.StreamHandler) error {
	return next(srv, validated{ss, i})
}

// validated is a stream whose incoming messages are checked.
type validated struct {
	grpc.ServerStream
	validate validate
}

// RecvMsg implements grpc.ServerStream.
func (s validated) RecvMsg(m any) error {
	if err := s.ServerStream.RecvMsg(m); err != nil {
		return err
	}
	return s.validate.check(s.Context(), m)
}

// check returns nil or the refusal of a request.
func (i validate) check(ctx context.Context, req any) error {
	m, ok := req.(proto.Message)
	if !ok {
		return fmt.Errorf("request is a %T, not a message", req)
	}
	// Text first: what is wrong with it would confuse the other rules, and their
	// messages quote it.
	if field, problem := badText(m.ProtoReflect()); problem != nil {
		return invalid(ctx, []wrongField{{field, *problem}})
	}
	err := i.v.Validate(m)
	if err == nil {
		return nil
	}
	var broken *protovalidate.ValidationError
	if !errors.As(err, &broken) || len(broken.Violations) == 0 {
		return err // a rule that cannot be evaluated: the server's fault
	}
	var fields []wrongField
	for _, v := range broken.Violations {
		fields = append(fields, describe(m.ProtoReflect().Descriptor(), v))
	}
	return invalid(ctx, fields)
}

// invalid is the refusal of fields; the first one is named in the ErrorInfo.
func invalid(ctx context.Context, fields []wrongField) error {
	lang := language.Of(ctx)
	all := &errdetails.BadRequest{}
	for _, f := range fields {
		all.FieldViolations = append(all.FieldViolations, &errdetails.BadRequest_FieldViolation{
			Field: f.field, Description: f.wrong.in(lang), Reason: ReasonInvalidField,
		})
	}
	first := fields[0]
	return refuse(ctx, refusal{
		code: codes.InvalidArgument, reason: ReasonInvalidField,
		says: func(lang string) map[string]string {
			return map[string]string{"field": first.field, "detail": first.wrong.in(lang)}
		},
		metadata: map[string]string{"field": first.field},
		more:     []protoadapt.MessageV1{all},
	})
}
