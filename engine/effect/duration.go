package effect

import (
	"github.com/hantei/hantei/engine/table"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

// Rounds is in force from so many rounds after this one, 0 for at once, until so
// many rounds after this one, 0 for the end of this one.
func Rounds(s *tablev1.State, from, until int32) *typev1.Duration {
	now := table.Clock(s, typev1.Clock_CLOCK_ROUND)
	d := &typev1.Duration{Clock: typev1.Clock_CLOCK_ROUND, Until: now + until}
	if from > 0 {
		d.From = now + from
	}
	return d
}

// InForce reports whether a duration holds now; no duration always does.
func InForce(s *tablev1.State, d *typev1.Duration) bool {
	if d == nil {
		return true
	}
	now := table.Clock(s, d.Clock)
	return now >= d.From && (d.Until == 0 || now <= d.Until)
}

// Past reports whether a duration is over for good.
func Past(s *tablev1.State, d *typev1.Duration) bool {
	return d != nil && d.Until != 0 && table.Clock(s, d.Clock) > d.Until
}

// Has reports whether a character has a status in force.
func Has(s *tablev1.State, c *tablev1.Character, key string) bool {
	st := table.Status(c, key)
	return st != nil && InForce(s, st.Duration)
}
