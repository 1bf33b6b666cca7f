package gateway

import (
	"testing"

	"google.golang.org/protobuf/proto"

	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
)

// What explain calls wrong, protojson must refuse: explain only gives reasons.
func FuzzExplain(f *testing.F) {
	for _, s := range []string{
		`{}`, `[]`, `null`, `{"actor": 1}`, `{"action": {"core": {"place": {"square": {"x": 1e2, "y": "3"}}}}}`,
		`{"audience": "AUDIENCE_GM"}`, `{"audience": 6}`, `{"given_dice": null}`, `{"offer": {"values": [{"values": ["a"]}]}}`,
		`{"action": {"core": {"modify": {"value": 2147483648}}}}`, `{"action": {"core": {"modify": {"value": 1.0}}}}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var m proto.Message = &hanteiv1.ActRequest{}
		if err := unmarshalJSON.Unmarshal(data, m); err == nil {
			if p := explain(data, m.ProtoReflect().Descriptor(), errNone); p.Field != "" {
				t.Errorf("%s is accepted, but explain says %v", data, p)
			}
		}
	})
}

var errNone = &problem{}
