package scenario_test

import (
	"slices"
	"testing"

	"github.com/hantei/hantei/engine/scenario"
)

// What is told: each command in order, refused or not, and how the table stands
// after it.
func TestTell(t *testing.T) {
	f, err := scenario.Parse("test.yaml", []byte("untold: [turn_started]\n"+fight+`
  - scene: blow
    by: officer
    act: {coc: {attack: {weapon: baton, target: thug}}}
    dice: ["1D100=44", "1D100=31", "2D6=7(3,4)"]
    answers: [{prompt: defend, by: thug, choose: dodge}]
  - {by: officer, act: {coc: {attack: {weapon: baton, target: thug}}}, error: ALREADY_ATTACKED}
  - {by: nurse, roll: 1D6, dice: ["1D6=4"]}
`))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(f.Untold, []string{"turn_started"}) {
		t.Errorf("untold %v", f.Untold)
	}
	type told struct {
		scene, seat, actor, action, refused string
		events                              int
	}
	var got []told
	r := scenario.Run(f, testRules, scenario.Options{Tell: func(c *scenario.Told) {
		one := told{scene: c.Entry.Scene, seat: c.Seat, actor: c.Actor, events: len(c.Moment.Events)}
		if c.Action != nil {
			one.action = c.Moment.What
		}
		if c.Moment.Refusal != nil {
			one.refused = c.Moment.Refusal.Reason
		}
		got = append(got, one)
		if len(c.Characters) != 3 || len(c.Seats) != 4 || len(c.Visibility.Owners) != 3 || c.Rules.Name != "coc" {
			t.Errorf("%s: %d characters, %d seats, %v", c.Moment.What, len(c.Characters), len(c.Seats), c.Visibility)
		}
	}})
	if err := r.Err(); err != nil {
		t.Fatal(err)
	}
	for i, want := range []told{
		{"blow", "officer", "officer", "attack {weapon: baton, target: thug}", "", 2},
		{"blow", "gm", "thug", "", "", 4},
		{"", "officer", "officer", "attack {weapon: baton, target: thug}", "ALREADY_ATTACKED", 0},
		{"", "nurse", "nurse", "", "", 1},
	} {
		if i >= len(got) || got[i] != want {
			t.Errorf("command %d: got %+v, want %+v", i, got, want)
		}
	}
	if len(got) != 4 {
		t.Errorf("%d commands were told", len(got))
	}
}
