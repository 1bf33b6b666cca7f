package interceptor

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

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
		field, problem := describe(m.ProtoReflect().Descriptor(), v)
		fields = append(fields, &errdetails.BadRequest_FieldViolation{Field: field, Description: problem, Reason: ReasonInvalidField})
	}
	return invalid(fields)
}

// describe says where a request is wrong, and in words how. The validator speaks
// of oneofs, which no client can write, and of enums as numbers.
func describe(request protoreflect.MessageDescriptor, v *protovalidate.Violation) (field, problem string) {
	field = protovalidate.FieldPathString(v.Proto.GetField())
	if o := oneofOf(request, v); o != nil {
		members := make([]string, o.Fields().Len())
		for i := range members {
			members[i] = string(o.Fields().Get(i).Name())
		}
		return strings.TrimSuffix(field, string(o.Name())) + members[0], "one of " + strings.Join(members, ", ") + " is needed"
	}
	if names := namesFor(v); len(names) > 0 {
		return field, "must be one of " + strings.Join(names, ", ")
	}
	if problem = v.Proto.GetMessage(); problem == "" {
		problem = "breaks the rule " + v.Proto.GetRuleId()
	}
	return field, problem
}

// oneofOf is the oneof that a violation is about, or nil. It is known by its name,
// which stands at the end of the path like a field's.
func oneofOf(m protoreflect.MessageDescriptor, v *protovalidate.Violation) protoreflect.OneofDescriptor {
	path := v.Proto.GetField().GetElements()
	if v.FieldDescriptor != nil || len(path) == 0 {
		return nil
	}
	for _, e := range path[:len(path)-1] {
		f := m.Fields().ByName(protoreflect.Name(e.GetFieldName()))
		if f == nil || f.Message() == nil {
			return nil
		}
		m = f.Message()
	}
	return m.Oneofs().ByName(protoreflect.Name(path[len(path)-1].GetFieldName()))
}

// namesFor are the values that an enum with the broken rule may have; none for
// other rules.
func namesFor(v *protovalidate.Violation) []string {
	fd := v.FieldDescriptor
	if fd == nil || fd.Enum() == nil || !strings.HasPrefix(v.Proto.GetRuleId(), "enum.") {
		return nil
	}
	rules, err := protovalidate.ResolveFieldRules(fd)
	if err != nil {
		return nil
	}
	e := rules.GetEnum()
	if fd.IsList() {
		e = rules.GetRepeated().GetItems().GetEnum()
	}
	var names []string
	for i := range fd.Enum().Values().Len() {
		value := fd.Enum().Values().Get(i)
		n := int32(value.Number())
		if (len(e.GetIn()) == 0 || slices.Contains(e.GetIn(), n)) && !slices.Contains(e.GetNotIn(), n) && (!e.HasConst() || e.GetConst() == n) {
			names = append(names, string(value.Name()))
		}
	}
	return names
}

// invalid is the refusal of fields; the first one is named in the ErrorInfo.
func invalid(fields []*errdetails.BadRequest_FieldViolation) error {
	first := fields[0]
	return refuse(codes.InvalidArgument, ReasonInvalidField, first.Field+": "+first.Description,
		map[string]string{"field": first.Field}, &errdetails.BadRequest{FieldViolations: fields})
}
