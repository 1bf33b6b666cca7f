package coc_test

import (
	"testing"

	"github.com/hantei/hantei/engine/resolve"
	"github.com/hantei/hantei/engine/rule"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// TestCancelStep cancels an attack while its defence is asked for: the prompt is
// gone, the attack stays used, play goes on.
func TestCancelStep(t *testing.T) {
	live := fight(t)
	gm, player := rule.Seat{ID: "gm", GM: true}, rule.Seat{ID: "p", Characters: []string{"officer"}}
	cancel := rule.Wrap[*tablev1.Action](&tablev1.CancelStep{})

	if _, err := live.Act(resolve.Env{Seat: gm}, "", cancel, 0); err == nil {
		t.Error("cancelled a step while none waits")
	}
	attack := rule.Wrap[*tablev1.Action](&cocv1.Attack{Weapon: "baton", Target: "thug"})
	_, err := live.Act(resolve.Env{Seat: gm, Dice: given(t, "1D100=44")}, "officer", attack, 0)
	if err != nil || !live.Waiting() {
		t.Fatal(err, live.Waiting())
	}
	if _, err := live.Act(resolve.Env{Seat: player}, "", cancel, 0); err == nil {
		t.Error("a player cancelled a step")
	}
	w := live.State().Windows[len(live.State().Windows)-1]
	if _, err := live.Act(resolve.Env{Seat: gm}, "", cancel, 0); err != nil {
		t.Fatal(err)
	}
	if live.Waiting() {
		t.Error("the step still waits")
	}
	if _, err := live.Answer(resolve.Env{Seat: gm}, w, []resolve.SlotAnswer{{Character: "thug", Choice: "dodge"}}); err == nil {
		t.Error("the withdrawn prompt was answered")
	}

	end := rule.Wrap[*tablev1.Action](&cocv1.EndTurn{})
	if _, err := live.Act(resolve.Env{Seat: gm}, "officer", end, 0); err != nil {
		t.Errorf("play does not go on: %v", err)
	}
	if got := live.State().Encounter.Turn; len(got) != 1 || got[0] != "thug" {
		t.Errorf("turn of %v", got)
	}
}
