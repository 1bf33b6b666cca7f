package gateway

import (
	"strings"
	"unicode/utf8"

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
		if d := distance(fold(k), fold(name)); d < fewest {
			best, fewest = k, d
		}
	}
	return best
}

// fold makes spellings alike that differ only in style.
func fold(s string) []rune { return []rune(strings.ToLower(strings.ReplaceAll(s, "_", ""))) }

// distance counts the letters to insert, delete, replace or swap with the next
// one to get from a to b.
func distance(a, b []rune) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		before, last, row = last, row, before
		row[0] = i
		for j := 1; j <= len(b); j++ {
			replace := last[j-1]
			if a[i-1] != b[j-1] {
				replace++
			}
			row[j] = min(replace, last[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
	}
	return row[len(b)]
}
