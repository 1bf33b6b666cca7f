package gateway

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// explain makes the refusal of a body that protojson has refused. protojson
// tells a line and a column; people want the field, and what they may have
// meant.
func explain(data []byte, d protoreflect.MessageDescriptor, cause error) *problem {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err == nil {
		if p := explainMessage("", v, d); p != nil {
			return p
		}
	}
	// It is no JSON at all, or something that only protojson sees. People are told where;
	// its own words are for programmers.
	text := strings.ReplaceAll(cause.Error(), "\u00a0", " ") // which it has there on some days
	says := sentence{detail: "json_broken"}
	if at := place.FindStringSubmatch(text); at != nil {
		says.values = map[string]string{"line": at[1], "column": at[2]}
	}
	p := newProblem(codes.InvalidArgument, 0, reasonInvalidBody, says)
	p.Metadata = map[string]string{metadataCause: strings.TrimPrefix(text, "proto: ")}
	return p
}

// place is how protojson says where.
var place = regexp.MustCompile(`\(line (\d+):(\d+)\)`)

// metadataCause has what a library said, in English.
const metadataCause = "cause"

// explainMessage looks for the first thing that is wrong with a message, in the
// order of the fields' names; nil if it finds nothing.
func explainMessage(path string, v any, d protoreflect.MessageDescriptor) *problem {
	if d.ParentFile().Package() == "google.protobuf" { // each has a form of its own
		return nil
	}
	object, ok := v.(map[string]any)
	if !ok {
		return wrongField(orBody(path), wrong{what: "not_object"})
	}
	names := make([]string, 0, len(object))
	for n := range object {
		names = append(names, n)
	}
	slices.Sort(names)
	for _, name := range names {
		at := join(path, name)
		fd := fieldByName(d.Fields(), name)
		if fd == nil {
			return wrongField(at, wrong{what: "no_field", nearest: nearestField(d.Fields(), name)})
		}
		if p := explainField(at, object[name], fd); p != nil {
			return p
		}
	}
	return nil
}

func explainField(path string, v any, fd protoreflect.FieldDescriptor) *problem {
	switch {
	case v == nil || fd.IsMap():
		return nil
	case fd.IsList():
		list, ok := v.([]any)
		if !ok {
			return wrongField(path, wrong{what: "not_list"})
		}
		for i, e := range list {
			if p := explainValue(fmt.Sprintf("%s[%d]", path, i), e, fd); p != nil {
				return p
			}
		}
		return nil
	default:
		return explainValue(path, v, fd)
	}
}

func explainValue(path string, v any, fd protoreflect.FieldDescriptor) *problem {
	switch fd.Kind() {
	case protoreflect.MessageKind, protoreflect.GroupKind:
		return explainMessage(path, v, fd.Message())
	case protoreflect.EnumKind:
		return explainEnum(path, v, fd.Enum())
	case protoreflect.StringKind:
		if _, ok := v.(string); !ok {
			return wrongField(path, wrong{what: "not_text"})
		}
	case protoreflect.BoolKind:
		if _, ok := v.(bool); !ok {
			return wrongField(path, wrong{what: "not_bool"})
		}
	case protoreflect.Int32Kind, protoreflect.Sint32Kind, protoreflect.Sfixed32Kind:
		if !isInt32(v) {
			return wrongField(path, wrong{what: "not_int32"})
		}
	}
	return nil // kinds that no request has
}

func explainEnum(path string, v any, d protoreflect.EnumDescriptor) *problem {
	switch v := v.(type) {
	case json.Number:
		return nil
	case string:
		if d.Values().ByName(protoreflect.Name(v)) != nil {
			return nil
		}
		return wrongField(path, wrong{what: "no_value", value: quote(v), nearest: nearestEnum(d, v)})
	default:
		return wrongField(path, wrong{what: "not_name", value: string(d.Name())})
	}
}

// isInt32 takes what protojson takes: also 1e2, 1.0 and texts of these.
func isInt32(v any) bool {
	var s string
	switch v := v.(type) {
	case json.Number:
		s = v.String()
	case string:
		s = v
	default:
		return false
	}
	f, err := strconv.ParseFloat(s, 64)
	return err == nil && f == float64(int32(f))
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

func orBody(path string) string {
	if path == "" {
		return "body"
	}
	return path
}

// quote shows a value that was sent.
func quote(s string) string { return strconv.Quote(shorten(s)) }

// shorten keeps answers from being as long as what was sent.
func shorten(s string) string {
	const most = 100
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most]) + "..."
}
