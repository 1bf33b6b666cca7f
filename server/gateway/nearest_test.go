package gateway

import "testing"

func TestNearest(t *testing.T) {
	known := []string{"tableId", "requestId", "actor", "action", "givenDice", "audience"}
	for name, want := range map[string]string{
		"table_id": "tableId", "TableId": "tableId", "tabelId": "tableId", "actr": "actor", "acion": "action",
		"given_dices": "givenDice", "x": "", "": "", "something": "", "audeince": "audience",
	} {
		if got := nearest(known, name); got != want {
			t.Errorf("nearest(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"abc", "abc", 0}, {"abc", "axc", 1}, {"abc", "ac", 1}, {"abc", "acb", 1}, {"abcd", "dcba", 3}, {"剣", "盾", 1}} {
		if got := distance([]rune(c.a), []rune(c.b)); got != c.want {
			t.Errorf("distance(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
