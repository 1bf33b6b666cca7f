package prompt

import (
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
)

// PolicyFor finds the policy that holds for a character's prompt among those of a
// seat, or nil: of several, the one that names more, the character before the
// prompt. The state says which have ended.
func PolicyFor(all []*tablev1.Policy, s *tablev1.State, character, name string) *tablev1.Policy {
	var found *tablev1.Policy
	best := -1
	for _, p := range all {
		if p.Character != "" && p.Character != character || p.Prompt != "" && p.Prompt != name || Ended(p, s) {
			continue
		}
		rank := 0
		if p.Character != "" {
			rank += 2
		}
		if p.Prompt != "" {
			rank++
		}
		if rank > best {
			found, best = p, rank
		}
	}
	return found
}

// Begun is a policy as it is kept: it knows since when it holds.
func Begun(p *tablev1.Policy, s *tablev1.State) *tablev1.Policy {
	out := proto.Clone(p).(*tablev1.Policy)
	out.SetAt, out.ChoiceText = 0, ""
	if clock := clockOf(out); clock != typev1.Clock_CLOCK_UNSPECIFIED {
		out.SetAt = reading(s, clock)
	}
	return out
}

// Ended reports whether a policy holds no more.
func Ended(p *tablev1.Policy, s *tablev1.State) bool {
	clock := clockOf(p)
	return clock != typev1.Clock_CLOCK_UNSPECIFIED && reading(s, clock) > p.SetAt
}

// clockOf is the clock with whose next reading a policy ends; unspecified for one
// that stays.
func clockOf(p *tablev1.Policy) typev1.Clock {
	switch p.Until {
	case tablev1.PolicyEnd_POLICY_END_ROUND:
		return typev1.Clock_CLOCK_ROUND
	case tablev1.PolicyEnd_POLICY_END_SCENE:
		return typev1.Clock_CLOCK_SCENE
	}
	return typev1.Clock_CLOCK_UNSPECIFIED
}

func reading(s *tablev1.State, clock typev1.Clock) int32 {
	for _, r := range s.Clocks {
		if r.Clock == clock {
			return r.Reading
		}
	}
	return 0
}
