package host

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/hantei/hantei/engine/profile"
	"github.com/hantei/hantei/engine/rule"
)

// checkName refuses a name that people could not read.
func checkName(field, name string) *rule.Refusal {
	switch {
	case strings.TrimSpace(name) == "":
		return invalid(field).Say("required")
	case !utf8.ValidString(name):
		return invalid(field).Say("utf8")
	case utf8.RuneCountInString(name) > MaxName:
		return invalid(field).Say("string.max_len", rule.Number("max_len", MaxName))
	case strings.ContainsFunc(name, profile.Unprintable):
		return invalid(field).Say("pattern.line")
	}
	return nil
}

// maxID is the longest id of a character.
const maxID = 24

var goodID = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,23}$`)

// slug makes an id of a name: its ASCII letters and digits. "" if it has none.
func slug(name string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(name) {
		switch {
		case 'a' <= r && r <= 'z' || '0' <= r && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
		if b.Len() >= maxID-4 { // leaves room for a number
			break
		}
	}
	return strings.Trim(b.String(), "-")
}

// numbered is the n-th of a name: "thug", "thug-2".
func numbered(id string, n int) string {
	if n == 1 {
		return id
	}
	suffix := "-" + strconv.Itoa(n)
	return id[:min(len(id), maxID-len(suffix))] + suffix
}
