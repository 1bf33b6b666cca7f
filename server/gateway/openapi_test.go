package gateway

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestErrorSchemaDescribesProblem(t *testing.T) {
	document, err := openAPI()
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Definitions struct {
			Error struct{ Properties map[string]any } `json:"googleRpcStatus"`
		}
	}
	if err := json.Unmarshal(document, &doc); err != nil {
		t.Fatal(err)
	}
	var described, fields []string
	for k := range doc.Definitions.Error.Properties {
		described = append(described, k)
	}
	for f := range reflect.TypeFor[problem]().Fields() {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" {
			fields = append(fields, name)
		}
	}
	slices.Sort(described)
	slices.Sort(fields)
	if !slices.Equal(described, fields) {
		t.Errorf("described %v, written %v", described, fields)
	}
}
