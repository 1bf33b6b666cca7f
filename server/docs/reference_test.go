// Package docs_test writes the reference from the protos (make generate), and
// fails when the one in the repository is out of date.
package docs_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

var update = flag.Bool("update", false, "write reference.md anew")

const head = `# Events, facts and errors

<!-- Written from proto/hantei/*/v1/names.proto by "make generate". Change the protos. -->

What a client meets beyond the messages of the [OpenAPI document](../../gen/openapi/hantei.swagger.json):
the names that events carry, the keys of their facts, and the reasons of errors. Names are never reused
for something else; clients should pass over those that they do not know.

A fact has a key and a value of the type given here. An error has a reason and a domain in its details
(` + "`google.rpc.ErrorInfo`" + ` over gRPC, the fields ` + "`reason` and `domain`" + ` over REST).
`

// part is what the core or a ruleset declares.
type part struct {
	title, domain string
	names         protoreflect.FileDescriptor
}

var parts = []part{
	{"Core", "hantei", tablev1.File_hantei_table_v1_names_proto},
	{"coc", "hantei/coc", cocv1.File_hantei_coc_v1_names_proto},
	{"persona", "hantei/persona", personav1.File_hantei_persona_v1_names_proto},
}

func TestReference(t *testing.T) {
	var out strings.Builder
	out.WriteString(head)
	for _, p := range parts {
		about := comments(t, p.names)
		fmt.Fprintf(&out, "\n## %s\n\n### Events\n\n| name | what happened |\n|---|---|\n", p.title)
		for _, v := range values(t, p.names, "EventName") {
			row(t, &out, wire(v), about[v.Name()])
		}
		out.WriteString("\n### Facts\n\n| key | type | unit | what it tells |\n|---|---|---|---|\n")
		for _, v := range values(t, p.names, "FactKey") {
			kind := proto.GetExtension(v.Options(), typev1.E_Fact).(typev1.FactType)
			row(t, &out, wire(v), strings.ToLower(strings.TrimPrefix(kind.String(), "FACT_TYPE_")),
				proto.GetExtension(v.Options(), typev1.E_Unit).(string),
				proto.GetExtension(v.Options(), typev1.E_About).(string))
		}
		fmt.Fprintf(&out, "\n### Errors\n\nThe domain is `%s`.\n\n| reason | what it means |\n|---|---|\n", p.domain)
		for _, v := range values(t, p.names, "Reason") {
			row(t, &out, strings.TrimPrefix(string(v.Name()), "REASON_"), about[v.Name()])
		}
	}
	if *update {
		if err := os.WriteFile("reference.md", []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile("reference.md")
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != out.String() {
		t.Error("reference.md does not match the protos: run 'make generate'")
	}
}

// TestEveryRuleset sees to it that a new ruleset comes into the reference.
func TestEveryRuleset(t *testing.T) {
	files, err := filepath.Glob("../../proto/hantei/*/v1/names.proto")
	if err != nil || len(files) != len(parts) {
		t.Errorf("%v; the reference has %d of %q", err, len(parts), files)
	}
}

// values lists the values of an enum without the unspecified one.
func values(t *testing.T, file protoreflect.FileDescriptor, name protoreflect.Name) []protoreflect.EnumValueDescriptor {
	t.Helper()
	enum := file.Enums().ByName(name)
	if enum == nil {
		t.Fatalf("%s has no enum %s", file.Path(), name)
	}
	var out []protoreflect.EnumValueDescriptor
	for i := range enum.Values().Len() {
		if v := enum.Values().Get(i); v.Number() != 0 {
			out = append(out, v)
		}
	}
	return out
}

// wire is a name as events have it: in small letters, without its enum's prefix.
func wire(v protoreflect.EnumValueDescriptor) string {
	name := string(v.Name())
	for _, prefix := range []string{"EVENT_NAME_", "FACT_KEY_"} {
		name = strings.TrimPrefix(name, prefix)
	}
	return strings.ToLower(name)
}

var valueLine = regexp.MustCompile(`^([A-Z][A-Z0-9_]*) = \d+`)

// comments reads the comments before enum values, which are not in Go's
// descriptors. Our protos are formatted by buf, so a line is all there is to know.
func comments(t *testing.T, file protoreflect.FileDescriptor) map[protoreflect.Name]string {
	t.Helper()
	source, err := os.ReadFile(filepath.Join("..", "..", "proto", file.Path()))
	if err != nil {
		t.Fatal(err)
	}
	out := map[protoreflect.Name]string{}
	var comment []string
	for line := range strings.Lines(string(source)) {
		line = strings.TrimSpace(line)
		if text, ok := strings.CutPrefix(line, "//"); ok {
			comment = append(comment, strings.TrimSpace(text))
			continue
		}
		if m := valueLine.FindStringSubmatch(line); m != nil {
			out[protoreflect.Name(m[1])] = strings.Join(comment, " ")
		}
		comment = nil
	}
	return out
}

// row writes a row of a table. A name that nobody has described is a mistake;
// a unit may be missing, since not all facts are amounts.
func row(t *testing.T, out *strings.Builder, name string, cells ...string) {
	t.Helper()
	if cells[len(cells)-1] == "" {
		t.Errorf("%s is not described in the protos", name)
	}
	fmt.Fprintf(out, "| `%s` |", name)
	for _, cell := range cells {
		fmt.Fprintf(out, " %s |", strings.ReplaceAll(cell, "|", `\|`))
	}
	out.WriteString("\n")
}
