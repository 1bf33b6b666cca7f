package gateway

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// TestSchemasOfTheGateway compares what the document says of the messages that no
// proto declares with what is written.
func TestSchemasOfTheGateway(t *testing.T) {
	document, err := openAPI()
	if err != nil {
		t.Fatal(err)
	}
	type schema struct{ Properties map[string]any }
	var doc struct {
		Definitions struct {
			Error   schema `json:"googleRpcStatus"`
			Version schema `json:"version"`
		}
	}
	if err := json.Unmarshal(document, &doc); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		described schema
		written   reflect.Type
	}{
		{doc.Definitions.Error, reflect.TypeFor[problem]()},
		{doc.Definitions.Version, reflect.TypeFor[version]()},
	} {
		var described, fields []string
		for k := range c.described.Properties {
			described = append(described, k)
		}
		for f := range c.written.Fields() {
			if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" {
				fields = append(fields, name)
			}
		}
		slices.Sort(described)
		slices.Sort(fields)
		if !slices.Equal(described, fields) {
			t.Errorf("%v: described %v, written %v", c.written, described, fields)
		}
	}
}

// TestAPIsAreServed compares the versions that the server says it serves with the
// paths that there are.
func TestAPIsAreServed(t *testing.T) {
	rs, err := allRoutes()
	if err != nil {
		t.Fatal(err)
	}
	served := map[string]bool{}
	for _, r := range rs {
		served[r.segments[0]] = true
	}
	if len(served) != len(apis) {
		t.Errorf("%v is said, %v is served", apis, served)
	}
	for _, api := range apis {
		if !served[api] {
			t.Errorf("%s is said, %v is served", api, served)
		}
	}
}
