package gateway

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/grpc-ecosystem/grpc-gateway/v2/runtime"
	"google.golang.org/genproto/googleapis/api/httpbody"
	spb "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
)

const (
	mimeJSON   = "application/json"
	mimeNDJSON = "application/x-ndjson"
	mimeSSE    = "text/event-stream"
)

// unmarshalJSON refuses what it does not know: see the package's documentation.
var unmarshalJSON = protojson.UnmarshalOptions{DiscardUnknown: false}

// jsonCodec is the runtime's Marshaler for bodies, answers and NDJSON streams.
type jsonCodec struct{}

// ContentType implements runtime.Marshaler. A body that is no JSON, a picture, says
// itself what it is.
func (jsonCodec) ContentType(v any) string {
	if b, ok := v.(*httpbody.HttpBody); ok {
		return b.GetContentType()
	}
	return mimeJSON
}

// StreamContentType implements runtime.StreamContentType.
func (jsonCodec) StreamContentType(any) string { return mimeNDJSON }

// Delimiter implements runtime.Delimited.
func (jsonCodec) Delimiter() []byte { return []byte("\n") }

// Marshal implements runtime.Marshaler, for an answer or a frame of a stream.
func (jsonCodec) Marshal(v any) ([]byte, error) {
	if b, ok := v.(*httpbody.HttpBody); ok {
		return b.GetData(), nil
	}
	if m, ok := v.(proto.Message); ok {
		return marshal(m)
	}
	f, err := frameOf(v)
	if err != nil {
		return nil, err
	}
	if f.problem != nil {
		return wrap("error", f.problem.json()), nil
	}
	b, err := marshal(f.message)
	if err != nil {
		return nil, err
	}
	return wrap("result", b), nil
}

func wrap(name string, b []byte) []byte {
	return fmt.Appendf(make([]byte, 0, len(b)+len(name)+6), `{"%s":%s}`, name, b)
}

// Unmarshal implements runtime.Marshaler.
func (jsonCodec) Unmarshal(data []byte, v any) error {
	m, ok := v.(proto.Message)
	if !ok {
		return fmt.Errorf("cannot decode JSON into a %T", v)
	}
	if err := unmarshalJSON.Unmarshal(data, m); err != nil {
		return explain(data, m.ProtoReflect().Descriptor(), err)
	}
	return nil
}

// NewDecoder implements runtime.Marshaler. The whole body is one value: what
// follows it is an error.
func (c jsonCodec) NewDecoder(r io.Reader) runtime.Decoder {
	return runtime.DecoderFunc(func(v any) error {
		b, ok := r.(*body)
		if !ok {
			return fmt.Errorf("cannot decode from a %T", r)
		}
		data, err := b.readAll()
		if err != nil {
			return err
		}
		if len(bytes.TrimSpace(data)) == 0 {
			return io.EOF // as good as {}
		}
		err = c.Unmarshal(data, v)
		var p *problem
		if errors.As(err, &p) {
			return b.refuse(p)
		}
		return err
	})
}

// NewEncoder implements runtime.Marshaler.
func (c jsonCodec) NewEncoder(w io.Writer) runtime.Encoder {
	return runtime.EncoderFunc(func(v any) error {
		b, err := c.Marshal(v)
		if err != nil {
			return err
		}
		_, err = w.Write(b)
		return err
	})
}

// frame is one frame of a stream: a message or the error that ends it.
type frame struct {
	message proto.Message
	problem *problem
}

// frameOf opens the envelope in which the runtime hands frames over.
func frameOf(v any) (frame, error) {
	switch v := v.(type) {
	case map[string]any:
		if m, ok := v["result"].(proto.Message); ok {
			return frame{message: m}, nil
		}
	case map[string]proto.Message:
		if s, ok := v["error"].(*spb.Status); ok {
			return frame{problem: problemOf(status.FromProto(s))}, nil
		}
	}
	return frame{}, fmt.Errorf("cannot encode a %T", v)
}
