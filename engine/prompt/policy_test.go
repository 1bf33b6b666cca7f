package prompt

import (
	"testing"

	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

func TestPolicyFor(t *testing.T) {
	at := func(round, scene int32) *tablev1.State {
		return &tablev1.State{Clocks: []*tablev1.ClockReading{
			{Clock: typev1.Clock_CLOCK_ROUND, Reading: round}, {Clock: typev1.Clock_CLOCK_SCENE, Reading: scene},
		}}
	}
	does := func(character, prompt, choice string) *tablev1.Policy {
		return &tablev1.Policy{Character: character, Prompt: prompt, What: &tablev1.Policy_Choice{Choice: choice}}
	}
	until := func(p *tablev1.Policy, end tablev1.PolicyEnd) *tablev1.Policy {
		p.Until = end
		return Begun(p, at(3, 1))
	}
	all := []*tablev1.Policy{
		does("", "", "any"), does("", "defend", "prompt"), does("nurse", "", "character"), does("nurse", "defend", "both"),
		until(does("officer", "", "round"), tablev1.PolicyEnd_POLICY_END_ROUND),
		until(does("officer", "cover", "scene"), tablev1.PolicyEnd_POLICY_END_SCENE),
	}
	for _, c := range []struct {
		state             *tablev1.State
		character, prompt string
		want              string
	}{
		{at(3, 1), "nurse", "defend", "both"},
		{at(3, 1), "nurse", "cover", "character"},
		{at(3, 1), "student", "defend", "prompt"},
		{at(3, 1), "", "cover", "any"},
		{at(3, 1), "officer", "cover", "scene"},
		{at(3, 1), "officer", "defend", "round"},
		{at(4, 1), "officer", "defend", "prompt"},
		{at(4, 2), "officer", "cover", "any"},
		{&tablev1.State{}, "officer", "cover", "scene"},
	} {
		if got := PolicyFor(all, c.state, c.character, c.prompt).GetChoice(); got != c.want {
			t.Errorf("%v %s %s: %q, want %q", c.state, c.character, c.prompt, got, c.want)
		}
	}
	if PolicyFor(all[3:4], at(0, 0), "student", "defend") != nil {
		t.Error("another's policy holds")
	}
}
