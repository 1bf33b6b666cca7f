package gateway

import (
	"slices"
	"testing"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
)

func TestRoutes(t *testing.T) {
	rs, err := allRoutes()
	if err != nil {
		t.Fatal(err)
	}
	calls := 0
	for _, s := range services {
		for i := range s.file.Services().Len() {
			calls += s.file.Services().Get(i).Methods().Len()
		}
	}
	if len(rs) < calls {
		t.Errorf("%d routes for %d methods", len(rs), calls)
	}
	for _, c := range []struct {
		method, path string
		call         string
		allowed      []string
	}{
		{"GET", "/v1/tables/t1", "GetTable", nil},
		{"POST", "/v1/tables/t1:act", "Act", nil},
		{"POST", "/v1/tables/t1/prompts/-:answer", "Answer", nil},
		{"GET", "/v1/watch", "Watch", nil},
		{"GET", "/v1/tables/t1:act", "", []string{"POST"}},
		{"PATCH", "/v1/tables", "", []string{"GET", "POST"}},
		{"GET", "/v1/tables/:act", "", nil},
		{"GET", "/v1/tables/a:b", "", nil},
		{"GET", "/v1/tables//view", "", nil},
		{"GET", "", "", nil},
	} {
		found, allowed := rs.find(c.method, c.path)
		call := ""
		if found != nil {
			call = string(found.call.Name())
		}
		if call != c.call || !slices.Equal(allowed, c.allowed) {
			t.Errorf("%s %s: %q, %v", c.method, c.path, call, allowed)
		}
	}
}

func TestEveryServiceIsServed(t *testing.T) {
	served := map[protoreflect.FullName]bool{}
	for _, s := range services {
		for i := range s.file.Services().Len() {
			served[s.file.Services().Get(i).FullName()] = true
		}
	}
	protoregistry.GlobalFiles.RangeFilesByPackage("hantei.v1", func(f protoreflect.FileDescriptor) bool {
		for i := range f.Services().Len() {
			if name := f.Services().Get(i).FullName(); !served[name] {
				t.Errorf("%s is not served", name)
			}
		}
		return true
	})
}
