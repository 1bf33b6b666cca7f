package foreign

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// marks are brackets and bullets that tools put around a label.
const marks = "《》〈〉【】「」『』≪≫<>[]●○◯◎■□★☆・*:;"

// Fold is a label without what does not tell it from another: letters in one width
// and case, no blanks, no brackets and bullets around it.
func Fold(label string) string {
	label = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, strings.ToLower(norm.NFKC.String(label)))
	return strings.Trim(label, marks)
}

// Readings are the names that a label may stand for, folded, the most likely first:
// the label itself, then what stands before a speciality, as in "芸術（絵画）", "運転：
// バイク", "Pilot / Boat" or "Art Painting". A calculation is no speciality: "STR×5" is
// not STR.
func Readings(label string) []string {
	out := []string{Fold(label)}
	label = strings.Trim(strings.TrimSpace(norm.NFKC.String(label)), marks)
	if strings.ContainsAny(label, "×*+=÷") {
		return out
	}
	for _, cut := range []string{"([{", ":/,、", " "} {
		if i := strings.IndexAny(label, cut); i > 0 {
			if name := Fold(label[:i]); name != "" {
				out = append(out, name)
			}
		}
	}
	return out
}
