package gateway

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/dynamicpb"

	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	_ "github.com/hantei/hantei/gen/go/hantei/v1"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestGoldenJSON compares the JSON of every message of the contract, each field
// set, with what it was: what a client parses changes only where somebody meant
// it to, and sees it in the diff.
func TestGoldenJSON(t *testing.T) {
	messages := contract(t)
	for _, m := range messages {
		name := string(m.FullName())
		file := filepath.Join("testdata", "golden", name+".json")
		got := pretty(t, filled(m, 2))
		if *update {
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, got, 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Errorf("%s: %v (run the test with -update)", name, err)
			continue
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s: the JSON changed\n got: %s\nwant: %s", name, got, want)
		}
	}
	files, err := filepath.Glob(filepath.Join("testdata", "golden", "*.json"))
	if err != nil || len(files) != len(messages) {
		t.Errorf("%d golden files for %d messages: delete those of messages that are gone", len(files), len(messages))
	}
}

// TestGoldenJSONIsRead reads each golden file back, strictly.
func TestGoldenJSONIsRead(t *testing.T) {
	for _, m := range contract(t) {
		b, err := os.ReadFile(filepath.Join("testdata", "golden", string(m.FullName())+".json"))
		if err != nil {
			t.Error(err)
			continue
		}
		back := dynamicpb.NewMessage(m)
		if err := unmarshalJSON.Unmarshal(b, back); err != nil {
			t.Errorf("%s: %v", m.FullName(), err)
		}
		want := filled(m, 2)
		withoutHidden(want)
		if !proto.Equal(back, want) {
			t.Errorf("%s: read back otherwise", m.FullName())
		}
	}
}

// contract lists every message of the project's protos, sorted by name.
func contract(t *testing.T) []protoreflect.MessageDescriptor {
	t.Helper()
	var out []protoreflect.MessageDescriptor
	protoregistry.GlobalFiles.RangeFiles(func(f protoreflect.FileDescriptor) bool {
		if strings.HasPrefix(string(f.Package()), "hantei.") {
			out = nested(out, f.Messages())
		}
		return true
	})
	slices.SortFunc(out, func(a, b protoreflect.MessageDescriptor) int {
		return strings.Compare(string(a.FullName()), string(b.FullName()))
	})
	if len(out) < 100 {
		t.Fatalf("only %d messages found", len(out))
	}
	return out
}

func nested(out []protoreflect.MessageDescriptor, all protoreflect.MessageDescriptors) []protoreflect.MessageDescriptor {
	for i := range all.Len() {
		out = append(out, all.Get(i))
		out = nested(out, all.Get(i).Messages())
	}
	return out
}

// filled is a message with each field set, and messages in it so many levels
// deep. Of a oneof the last member stays; each is a message of its own anyway.
func filled(d protoreflect.MessageDescriptor, levels int) *dynamicpb.Message {
	m := dynamicpb.NewMessage(d)
	for i := range d.Fields().Len() {
		f := d.Fields().Get(i)
		switch {
		case f.IsList():
			m.Mutable(f).List().Append(sample(f, levels))
		default:
			m.Set(f, sample(f, levels))
		}
	}
	return m
}

func sample(f protoreflect.FieldDescriptor, levels int) protoreflect.Value {
	switch f.Kind() {
	case protoreflect.MessageKind:
		if levels == 0 {
			return protoreflect.ValueOfMessage(dynamicpb.NewMessage(f.Message()))
		}
		return protoreflect.ValueOfMessage(filled(f.Message(), levels-1))
	case protoreflect.EnumKind:
		return protoreflect.ValueOfEnum(f.Enum().Values().Get(f.Enum().Values().Len() - 1).Number())
	case protoreflect.BoolKind:
		return protoreflect.ValueOfBool(true)
	case protoreflect.StringKind:
		return protoreflect.ValueOfString(string(f.Name()))
	case protoreflect.BytesKind:
		return protoreflect.ValueOfBytes([]byte(f.Name()))
	case protoreflect.Int32Kind:
		return protoreflect.ValueOfInt32(int32(f.Number()))
	case protoreflect.Int64Kind:
		return protoreflect.ValueOfInt64(int64(f.Number()))
	}
	panic("the contract has a field of kind " + f.Kind().String())
}

// withoutHidden clears what nobody may see.
func withoutHidden(m protoreflect.Message) {
	m.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case proto.GetExtension(fd.Options(), typev1.E_See) == typev1.Audience_AUDIENCE_NEVER:
			m.Clear(fd)
		case fd.IsList() && fd.Message() != nil:
			for i := range v.List().Len() {
				withoutHidden(v.List().Get(i).Message())
			}
		case !fd.IsList() && fd.Message() != nil:
			withoutHidden(v.Message())
		}
		return true
	})
}

// pretty is the gateway's JSON over many lines.
func pretty(t *testing.T, m proto.Message) []byte {
	t.Helper()
	b, err := marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := json.Indent(&out, b, "", "  "); err != nil {
		t.Fatal(err)
	}
	out.WriteByte('\n')
	return out.Bytes()
}
