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
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
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
	if err := i.check(req); err != nil {
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
	return s.validate.check(m)
}

// check returns nil or the refusal of a request.
func (i validate) check(req any) error {
	m, ok := req.(proto.Message)
	if !ok {
		return fmt.Errorf("request is a %T, not a message", req)
	}
	// Text first: what is wrong with it would confuse the other rules, and their
	// messages quote it.
	if field, problem := badText(m.ProtoReflect()); problem != "" {
		return invalid([]*errdetails.BadRequest_FieldViolation{{Field: field, Description: problem}})
	}
	err := i.v.Validate(m)
	if err == nil {
		return nil
	}
	var wrong *protovalidate.ValidationError
	if !errors.As(err, &wrong) || len(wrong.Violations) == 0 {
		return err // a rule that cannot be evaluated: the server's fault
	}
	var fields []*errdetails.BadRequest_FieldViolation
	for _, v := range wrong.Violations {
		fields = append(fields, &errdetails.BadRequest_FieldViolation{
			Field:       protovalidate.FieldPathString(v.Proto.GetField()),
			Description: describe(v),
			Reason:      ReasonInvalidField,
		})
	}
	return invalid(fields)
}

// describe says in words what is wrong.
func describe(v *protovalidate.Violation) string {
	if m := v.Proto.GetMessage(); m != "" {
		return m
	}
	return "breaks the rule " + v.Proto.GetRuleId()
}

// invalid is the refusal of fields; the first one is named in the ErrorInfo.
func invalid(fields []*errdetails.BadRequest_FieldViolation) error {
	first := fields[0]
	return refuse(codes.InvalidArgument, ReasonInvalidField, first.Field+": "+first.Description,
		map[string]string{"field": first.Field}, &errdetails.BadRequest{FieldViolations: fields})
}
