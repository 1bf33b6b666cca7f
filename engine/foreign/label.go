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

// Reading is what a label may stand for.
type Reading struct {
	// Name is the name, folded.
	Name string
	// Speciality is what stands behind the name, in the source's words; empty if the
	// name is the whole label.
	Speciality string
}

// Readings are what a label may stand for, the most likely first: the label itself,
// then what stands before a speciality, as in "芸術（絵画）", "運転：バイク", "Pilot /
// Boat" or "Art Painting". A calculation is no speciality: "STR×5" is not STR.
func Readings(label string) []Reading {
	out := []Reading{{Name: Fold(label)}}
	label = round.Replace(norm.NFKC.String(Bare(label)))
	for _, cut := range []string{"([{", ":/,、", " "} {
		i := strings.IndexAny(label, cut)
		if i <= 0 || strings.ContainsAny(label[:i], "([{") {
			continue
		}
		name, rest := label[:i], strings.TrimSpace(label[i:])
		if rest == "" {
			continue
		}
		closed := strings.ContainsAny(rest[:1], "([{") && strings.HasSuffix(rest, closing(rest[0]))
		if Calculation(name) || !closed && Calculation(rest) {
			continue
		}
		if name = Fold(name); name != "" {
			out = append(out, Reading{name, speciality(rest)})
		}
	}
	return out
}

// round makes round brackets of others that stand around a speciality.
var round = strings.NewReplacer("〈", "(", "〉", ")", "《", "(", "》", ")", "【", "(", "】", ")", "「", "(", "」", ")", "『", "(", "』", ")")

// Bare is a label without the brackets and bullets around it.
func Bare(label string) string {
	return strings.TrimSpace(strings.Trim(strings.TrimSpace(label), marks))
}

// Calculation reports whether a label says what is made of a value.
func Calculation(label string) bool {
	return strings.ContainsAny(norm.NFKC.String(label), "×*+=÷")
}

// closing is the bracket that closes another.
func closing(open byte) string {
	return map[byte]string{'(': ")", '[': "]", '{': "}"}[open]
}

// speciality is what stands behind a name, without the sign before it, and the
// bracket behind it that belongs to that.
func speciality(rest string) string {
	if sign := rest[0]; strings.IndexByte("([{", sign) >= 0 {
		return strings.TrimSpace(strings.TrimSuffix(rest[1:], closing(sign)))
	}
	return Bare(strings.TrimLeft(rest, ":/,、"))
}
