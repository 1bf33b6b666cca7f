package gateway

import (
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
)

// What only protojson sees is told by its place; its own words are for programmers.
func TestExplainPlace(t *testing.T) {
	for body, want := range map[string][2]string{
		"{\n \"actor\": x}":                        {"line 2, column 11 is wrong", "2行目の11文字目が正しくありません"},
		`{"actor": "a", "actor": "b"}`:             {"line 1, column 16 is wrong", "1行目の16文字目が正しくありません"},
		`{"action": {}, "offer": {"offerId":"a"}}`: {"line 1, column 16 is wrong", "1行目の16文字目が正しくありません"},
	} {
		m := &hanteiv1.ActRequest{}
		err := unmarshalJSON.Unmarshal([]byte(body), m)
		if err == nil {
			t.Errorf("%s is taken", body)
			continue
		}
		p := explain([]byte(body), m.ProtoReflect().Descriptor(), err)
		en := p.in("en").Message
		ja := p.in("ja").Message
		if p.Reason != reasonInvalidBody || !strings.Contains(en, want[0]) || !strings.Contains(ja, want[1]) || p.Metadata[metadataCause] == "" {
			t.Errorf("%s: %q, %q, %v", body, en, ja, p.Metadata)
		}
	}
}

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
