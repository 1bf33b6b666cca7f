package gateway

import (
	"context"
	"errors"
	"io"
	"strings"

	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
)

// peekingConn waits for a stream's first message before it tells the stream's
// header. So a stream that is refused is refused with a status of its own, as
// any other request; otherwise the error would be a frame of a stream that had
// begun.
type peekingConn struct{ grpc.ClientConnInterface }

// NewStream implements grpc.ClientConnInterface.
func (c peekingConn) NewStream(ctx context.Context, desc *grpc.StreamDesc, method string, opts ...grpc.CallOption) (grpc.ClientStream, error) {
	response, err := responseOf(method)
	if err != nil {
		return nil, err
	}
	s, err := c.ClientConnInterface.NewStream(ctx, desc, method, opts...)
	if err != nil {
		return nil, err
	}
	return &peekingStream{ClientStream: s, first: response.New().Interface()}, nil
}

// responseOf finds the type of a method's responses.
func responseOf(method string) (protoreflect.MessageType, error) {
	name := protoreflect.FullName(strings.ReplaceAll(strings.TrimPrefix(method, "/"), "/", "."))
	d, err := protoregistry.GlobalFiles.FindDescriptorByName(name)
	if err != nil {
		return nil, err
	}
	m, ok := d.(protoreflect.MethodDescriptor)
	if !ok {
		return nil, protoregistry.NotFound
	}
	return protoregistry.GlobalTypes.FindMessageByName(m.Output().FullName())
}

// peekingStream is a stream whose header comes with its first message.
type peekingStream struct {
	grpc.ClientStream
	first  proto.Message
	peeked bool // first has been received and not yet handed on
	ended  bool // there was no first
}

// Header implements grpc.ClientStream.
func (s *peekingStream) Header() (metadata.MD, error) {
	switch err := s.ClientStream.RecvMsg(s.first); {
	case errors.Is(err, io.EOF):
		s.ended = true
	case err != nil:
		return nil, err
	default:
		s.peeked = true
	}
	return s.ClientStream.Header()
}

// SendMsg implements grpc.ClientStream. EOF says that the server has already
// ended the stream; why, the header tells, to which the generated code comes only
// if there is no error here.
func (s *peekingStream) SendMsg(m any) error {
	if err := s.ClientStream.SendMsg(m); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	return nil
}

// RecvMsg implements grpc.ClientStream.
func (s *peekingStream) RecvMsg(m any) error {
	switch {
	case s.ended:
		return io.EOF
	case s.peeked:
		s.peeked = false
		proto.Merge(m.(proto.Message), s.first)
		return nil
	default:
		return s.ClientStream.RecvMsg(m)
	}
}
