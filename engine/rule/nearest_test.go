package rule_test

import (
	"testing"

	"github.com/hantei/hantei/engine/rule"
)

func TestEdits(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"abc", "abc", 0}, {"abc", "axc", 1}, {"abc", "ac", 1}, {"abc", "acb", 1}, {"abcd", "dcba", 3}, {"剣", "盾", 1}} {
		if got := rule.Edits([]rune(c.a), []rune(c.b)); got != c.want {
			t.Errorf("Edits(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
