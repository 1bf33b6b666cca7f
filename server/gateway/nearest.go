package gateway

import (
	"strings"
	"unicode/utf8"

	"github.com/hantei/hantei/engine/rule"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// nearestField returns the known field that was probably meant, as it is written
// in JSON; "" if none is near.
func nearestField(fields protoreflect.FieldDescriptors, name string) string {
	known := make([]string, 0, fields.Len())
	for i := range fields.Len() {
		known = append(known, fields.Get(i).JSONName())
	}
	return nearest(known, name)
}

// nearestEnum is nearestField for the names of an enum. What is written without
// the prefix that all of them have is near too.
func nearestEnum(d protoreflect.EnumDescriptor, name string) string {
	known := make([]string, 0, d.Values().Len())
	for i := range d.Values().Len() {
		n := string(d.Values().Get(i).Name())
		if strings.HasSuffix(n, "_"+strings.ToUpper(name)) {
			return n
		}
		known = append(known, n)
	}
	return nearest(known, name)
}

// nearest returns the known word with the fewest typing errors between it and
// name; "" if that is more than a third of its letters.
func nearest(known []string, name string) string {
	const longest = 64 // no word of ours; and comparing takes time
	if len(name) > longest {
		return ""
	}
	best, fewest := "", 1+max(1, utf8.RuneCountInString(name)/3)
	for _, k := range known {
		if d := rule.Edits(fold(k), fold(name)); d < fewest {
			best, fewest = k, d
		}
	}
	return best
}

// fold makes spellings alike that differ only in style.
func fold(s string) []rune { return []rune(strings.ToLower(strings.ReplaceAll(s, "_", ""))) }
