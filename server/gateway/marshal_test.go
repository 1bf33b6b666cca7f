package gateway

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
)

// TestMarshalIsProtojson compares each message of the contract, full and empty,
// with what protojson makes of it.
func TestMarshalIsProtojson(t *testing.T) {
	for _, d := range contract(t) {
		full, empty := filled(d, 3), dynamicpb.NewMessage(d)
		withoutHidden(full)
		for what, m := range map[string]proto.Message{"full": full, "empty": empty, "with empty ones": filled(d, 0)} {
			got, err := marshal(m)
			if err != nil {
				t.Errorf("%s %s: %v", what, d.FullName(), err)
				continue
			}
			if want := without(t, theirs(t, m), d); !bytes.Equal(got, want) {
				t.Errorf("%s %s\ngot  %s\nwant %s", what, d.FullName(), got, want)
			}
		}
	}
	// What a type of Go's own says, and values that are seldom.
	for _, m := range []proto.Message{
		&hanteiv1.Table{Name: "a\"b\\c\b\f\n\r\t\x00\x1f\x7f</script>\u2028判定", CreateTime: timestamppb.New(timestamppb.Now().AsTime())},
		&hanteiv1.InviteSeatRequest{Role: 99},
		&hanteiv1.ExportTableResponse{Content: []byte{0, 0xff, 0xfe}, Commits: -1 << 62},
	} {
		got, err := marshal(m)
		if want := theirs(t, m); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%v\ngot  %s\nwant %s", err, got, want)
		}
	}
	if _, err := marshal(&hanteiv1.Table{Name: "\xff"}); err == nil || !strings.Contains(err.Error(), "UTF-8") {
		t.Errorf("a text that is none: %v", err)
	}
}

// TestHiddenFieldsAreLeftOut: also of a message that has not been projected.
func TestHiddenFieldsAreLeftOut(t *testing.T) {
	got, err := marshal(&typev1.Position{Square: &typev1.Square{X: 2}, Audience: typev1.Audience_AUDIENCE_PUBLIC})
	if want := `{"square":{"x":2,"y":0,"floor":0}}`; err != nil || string(got) != want {
		t.Errorf("got %s, want %s, %v", got, want, err)
	}
}

// theirs is what protojson makes of a message, without the spaces that it puts in
// to be unpredictable.
func theirs(t *testing.T, m proto.Message) []byte {
	t.Helper()
	b, err := protojson.MarshalOptions{EmitDefaultValues: true}.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := json.Compact(&out, b); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// without takes what nobody may see out of JSON.
func without(t *testing.T, b []byte, d protoreflect.MessageDescriptor) []byte {
	t.Helper()
	if d.ParentFile().Package() == "google.protobuf" {
		return b
	}
	dec := json.NewDecoder(bytes.NewReader(b))
	if _, err := dec.Token(); err != nil {
		t.Fatal(err)
	}
	var parts []string
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			t.Fatal(err)
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			t.Fatal(err)
		}
		fd := d.Fields().ByJSONName(name.(string))
		switch {
		case proto.GetExtension(fd.Options(), typev1.E_See) == typev1.Audience_AUDIENCE_NEVER:
			continue
		case fd.Message() != nil && fd.IsList():
			var rows []json.RawMessage
			if err := json.Unmarshal(value, &rows); err != nil {
				t.Fatal(err)
			}
			kept := make([]string, len(rows))
			for i, row := range rows {
				kept[i] = string(without(t, row, fd.Message()))
			}
			value = json.RawMessage("[" + strings.Join(kept, ",") + "]")
		case fd.Message() != nil:
			value = without(t, value, fd.Message())
		}
		parts = append(parts, `"`+name.(string)+`":`+string(value))
	}
	return []byte("{" + strings.Join(parts, ",") + "}")
}

// BenchmarkMarshal is a view with all its rows, against protojson.
func BenchmarkMarshal(b *testing.B) {
	golden, err := os.ReadFile(filepath.Join("testdata", "golden", "hantei.v1.GetViewResponse.json"))
	if err != nil {
		b.Fatal(err)
	}
	m := &hanteiv1.GetViewResponse{}
	if err := unmarshalJSON.Unmarshal(golden, m); err != nil {
		b.Fatal(err)
	}
	for name, f := range map[string]func(proto.Message) ([]byte, error){
		"ours": marshal, "protojson": protojson.MarshalOptions{EmitDefaultValues: true}.Marshal,
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := f(m); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
