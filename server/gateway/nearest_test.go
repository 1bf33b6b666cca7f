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
