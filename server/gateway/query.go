package gateway

import (
	"net/url"
	"slices"
	"strings"

	"github.com/grpc-ecosystem/grpc-gateway/v2/runtime"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// checkQuery refuses what the generated code would pass over or tell without
// naming the field. It returns nil if all is well.
func checkQuery(r *route, u *url.URL) *problem {
	if u.RawQuery == "" {
		return nil
	}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return wrongField("query", wrong{what: "query"})
	}
	keys := make([]string, 0, len(query))
	for k := range query {
		keys = append(keys, k)
	}
	slices.Sort(keys) // always the same one is named
	for _, key := range keys {
		if p := checkParameter(r, key, query[key]); p != nil {
			return p
		}
	}
	return nil
}

func checkParameter(r *route, key string, values []string) *problem {
	if r.hasBody {
		return wrongField(key, wrong{what: "not_in_query"})
	}
	fields := r.input.Descriptor().Fields()
	path := strings.Split(key, ".")
	for i, name := range path {
		fd := fieldByName(fields, name)
		if fd == nil {
			return wrongField(key, wrong{what: "no_field", nearest: nearestField(fields, name)})
		}
		if i == 0 && slices.Contains(r.segments, "{"+string(fd.Name())+"}") {
			return wrongField(key, wrong{what: "given_by_path"})
		}
		if i == len(path)-1 {
			break
		}
		if fd.Message() == nil || fd.IsList() || fd.IsMap() {
			return wrongField(key, wrong{what: "no_fields_in", value: shorten(name)})
		}
		fields = fd.Message().Fields()
	}
	for _, v := range values {
		if err := runtime.PopulateFieldFromPath(r.input.New().Interface(), key, v); err != nil {
			return wrongField(key, wrong{what: "not_value", value: quote(v)})
		}
	}
	return nil
}

// fieldByName finds a field by either of its names; nil if there is none.
func fieldByName(fields protoreflect.FieldDescriptors, name string) protoreflect.FieldDescriptor {
	if fd := fields.ByJSONName(name); fd != nil {
		return fd
	}
	return fields.ByTextName(name)
}
