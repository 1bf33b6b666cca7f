// Protodeps writes the .proto files that Hantei's own protos import from
// others (google/api and buf/validate) into the folder given as argument.
//
// It prints them from the descriptors that go.mod links anyway, so the
// repository holds no foreign protos, generating needs no schema registry, and
// what buf compiles against is the version that the server is built with.
package main

import (
	"fmt"
	"os"
	"strings"

	"buf.build/gen/go/bufbuild/protovalidate/protocolbuffers/go/buf/validate"
	"github.com/jhump/protoreflect/v2/protoprint"
	"google.golang.org/genproto/googleapis/api/annotations"
	"google.golang.org/genproto/googleapis/api/httpbody"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// roots are the files that our protos may import. What these import in turn
// comes along.
var roots = []protoreflect.FileDescriptor{
	annotations.File_google_api_annotations_proto,
	annotations.File_google_api_field_behavior_proto,
	httpbody.File_google_api_httpbody_proto,
	validate.File_buf_validate_validate_proto,
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: protodeps FOLDER")
		os.Exit(2)
	}
	var files []protoreflect.FileDescriptor
	seen := map[string]bool{}
	for _, root := range roots {
		files = collect(files, seen, root)
	}
	var printer protoprint.Printer
	if err := printer.PrintProtosToFileSystem(files, os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "protodeps:", err)
		os.Exit(1)
	}
}

// collect appends file and what it imports to files, each once. The
// google/protobuf files are left out: buf brings its own, and two copies of one
// file clash.
func collect(files []protoreflect.FileDescriptor, seen map[string]bool, file protoreflect.FileDescriptor) []protoreflect.FileDescriptor {
	if seen[file.Path()] || strings.HasPrefix(file.Path(), "google/protobuf/") {
		return files
	}
	seen[file.Path()] = true
	files = append(files, file)
	imports := file.Imports()
	for i := range imports.Len() {
		files = collect(files, seen, imports.Get(i).FileDescriptor)
	}
	return files
}
