package encounter_test

import (
	"slices"
	"testing"

	"github.com/hantei/hantei/engine/encounter"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

func TestWith(t *testing.T) {
	e := &tablev1.Encounter{Roster: []string{"a", "b"}, Round: 1}
	next := encounter.With(e, func(e *tablev1.Encounter) { e.Round++; e.Roster[0] = "c" })
	if next.Round != 2 || next.Roster[0] != "c" {
		t.Errorf("%v", next)
	}
	if e.Round != 1 || e.Roster[0] != "a" {
		t.Errorf("the old one was written: %v", e)
	}
}

func TestInAndHolds(t *testing.T) {
	e := &tablev1.Encounter{Roster: []string{"a", "b"}, Step: "actions", Turn: []string{"a"}}
	for _, c := range []struct {
		name      string
		e         *tablev1.Encounter
		step, who string
		in, holds bool
	}{
		{"the holder", e, "actions", "a", true, true},
		{"in another step", e, "shooting", "a", true, false},
		{"another", e, "actions", "b", true, false},
		{"a stranger", e, "actions", "c", false, false},
		{"no encounter", nil, "actions", "a", false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if in, holds := encounter.In(c.e, c.who), encounter.Holds(c.e, c.step, c.who); in != c.in || holds != c.holds {
				t.Errorf("in %v, holds %v", in, holds)
			}
		})
	}
}

func TestNext(t *testing.T) {
	order := []string{"a", "b", "c"}
	for _, c := range []struct {
		name    string
		pointer int32
		can     string
		who     string
		next    int32
	}{
		{"the first", 0, "abc", "a", 1},
		{"the second", 1, "abc", "b", 2},
		{"who cannot is passed over", 0, "c", "c", 3},
		{"who had his turn is not asked again", 1, "a", "", 3},
		{"nobody is left", 3, "abc", "", 3},
		{"nobody can", 0, "", "", 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			can := func(who string) bool { return slices.Contains([]byte(c.can), who[0]) }
			who, next := encounter.Next(&tablev1.Encounter{Order: order, Pointer: c.pointer}, can)
			if who != c.who || next != c.next {
				t.Errorf("%q, %d", who, next)
			}
		})
	}
}
