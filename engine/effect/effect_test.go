package effect_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/hantei/hantei/engine/effect"
	"github.com/hantei/hantei/engine/rule"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
	"pgregory.net/rapid"
)

func inRound(n int32) *tablev1.State {
	return &tablev1.State{Clocks: []*tablev1.ClockReading{{Clock: typev1.Clock_CLOCK_ROUND, Reading: n}}}
}

func TestRounds(t *testing.T) {
	for _, c := range []struct {
		name        string
		from, until int32
		holds, past []int32 // rounds after 7, in which it is in force and over
	}{
		{"until the end of this round", 0, 0, []int32{0}, []int32{1, 2, 3, 4}},
		{"this round and two more", 0, 2, []int32{0, 1, 2}, []int32{3, 4}},
		{"the next round", 1, 1, []int32{1}, []int32{2, 3, 4}},
		{"the two after the next", 2, 3, []int32{2, 3}, []int32{4}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := effect.Rounds(inRound(7), c.from, c.until)
			for after := range int32(5) {
				s := inRound(7 + after)
				if got, want := effect.InForce(s, d), slices.Contains(c.holds, after); got != want {
					t.Errorf("in force %d rounds later: %v", after, got)
				}
				if got, want := effect.Past(s, d), slices.Contains(c.past, after); got != want {
					t.Errorf("past %d rounds later: %v", after, got)
				}
			}
		})
	}
}

func TestDurations(t *testing.T) {
	s := inRound(5)
	for _, c := range []struct {
		name        string
		d           *typev1.Duration
		holds, past bool
	}{
		{"none", nil, true, false},
		{"without an end", &typev1.Duration{Clock: typev1.Clock_CLOCK_ROUND}, true, false},
		{"to come", &typev1.Duration{Clock: typev1.Clock_CLOCK_ROUND, From: 6}, false, false},
		{"from now on", &typev1.Duration{Clock: typev1.Clock_CLOCK_ROUND, From: 5}, true, false},
		{"for the last time", &typev1.Duration{Clock: typev1.Clock_CLOCK_ROUND, Until: 5}, true, false},
		{"over", &typev1.Duration{Clock: typev1.Clock_CLOCK_ROUND, Until: 4}, false, true},
		{"on another clock", &typev1.Duration{Clock: typev1.Clock_CLOCK_SCENE, Until: 4}, true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if holds, past := effect.InForce(s, c.d), effect.Past(s, c.d); holds != c.holds || past != c.past {
				t.Errorf("in force %v, past %v", holds, past)
			}
			ch := &tablev1.Character{Statuses: []*typev1.Status{{Key: "down", Duration: c.d}}}
			if got := effect.Has(s, ch, "down"); got != c.holds {
				t.Errorf("has it: %v", got)
			}
		})
	}
	if effect.Has(s, &tablev1.Character{}, "down") || effect.Has(s, nil, "down") {
		t.Error("has what it has not")
	}
}

func TestValue(t *testing.T) {
	begin := func(n int32) *effect.Value { return effect.Begin("officer", rule.Values, "club", "R-1", n) }
	for _, c := range []struct {
		name  string
		v     *effect.Value
		total int32
		trace string // label op value=result, ...
	}{
		{"begin", begin(60), 60, "club SET 60=60"},
		{"add", begin(60).Add("mod", "R-2", -70), -10, "club SET 60=60, mod ADD -70=-10"},
		{"multiply", begin(12).Multiply("times", "R-2", 5), 60, "club SET 12=12, times MULTIPLY 5=60"},
		{"divide without a rest", begin(60).Divide("half", "R-2", 2, "R-3"), 30, "club SET 60=60, half DIVIDE 2=30"},
		{"divide with a rest", begin(15).Divide("half", "R-2", 2, "R-3"), 7, "club SET 15=15, half DIVIDE 2=7, cut_down SET 7=7"},
		{"divide, nobody says how to round", begin(15).Divide("half", "R-2", 2, ""), 7, "club SET 15=15, half DIVIDE 2=7"},
		{"a negative number is cut down, not to 0", begin(-5).Divide("half", "R-2", 2, ""), -3, "club SET -5=-5, half DIVIDE 2=-3"},
		{"clamp low", begin(-5).Clamp("clamp", "R-2", 0, 99), 0, "club SET -5=-5, clamp FLOOR 0=0"},
		{"clamp high", begin(120).Clamp("clamp", "R-2", 0, 99), 99, "club SET 120=120, clamp CAP 99=99"},
		{"clamp without effect", begin(99).Clamp("clamp", "R-2", 0, 99), 99, "club SET 99=99"},
		{"note", begin(60).Note("free", "R-2"), 60, "club SET 60=60, (free)"},
		{"modifier", begin(60).AddModifier(&typev1.Modifier{Id: "gm.check", Value: proto.Int32(5)}), 65, "club SET 60=60, gm.check ADD 5=65"},
		{"fractions one after another", begin(45).Divide("half", "", 2, "").Divide("half", "", 2, "").Add("mod", "", 3), 14,
			"club SET 45=45, half DIVIDE 2=22, half DIVIDE 2=11, mod ADD 3=14"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var lines []string
			for _, l := range c.v.Trace() {
				if l.Of != "officer" || l.Audience != rule.Values {
					t.Errorf("line of %s for %v", l.Of, l.Audience)
				}
				if l.Suppressed {
					if l.Value != nil || l.Result != nil {
						t.Errorf("numbers without effect: %v", l)
					}
					lines = append(lines, "("+l.Label+")")
					continue
				}
				op := strings.TrimPrefix(l.Op.String(), "MODIFIER_OP_")
				lines = append(lines, l.Label+" "+op+" "+fmt.Sprint(l.GetValue())+"="+fmt.Sprint(l.GetResult()))
			}
			if got := strings.Join(lines, ", "); got != c.trace || c.v.Total() != c.total {
				t.Errorf("%d: %s\nwant %d: %s", c.v.Total(), got, c.total, c.trace)
			}
		})
	}
}

// The division cuts down: the largest number that, times n, is not too large.
func TestDivideCutsDown(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, by := rapid.Int32().Draw(t, "n"), rapid.Int32Range(1, math.MaxInt32).Draw(t, "by")
		got := effect.Begin("", 0, "", "", n).Divide("", "", by, "").Total()
		if low := int64(got) * int64(by); low > int64(n) || low+int64(by) <= int64(n) {
			t.Fatalf("%d / %d is %d", n, by, got)
		}
	})
}

func TestApplying(t *testing.T) {
	s := inRound(5)
	me := &tablev1.Character{Modifiers: []*typev1.Modifier{
		{Id: "a", AppliesTo: "club"},
		{Id: "b", AppliesTo: "#arm"},
		{Id: "c", AppliesTo: rule.AnyCheck},
		{Id: "d", AppliesTo: "club", Duration: &typev1.Duration{Clock: typev1.Clock_CLOCK_ROUND, From: 6}},
		{Id: "e", AppliesTo: "#leg"},
		{Id: "f", AppliesTo: "arm"},
	}}
	for _, c := range []struct {
		stat, tags, want string
	}{
		{"club", "arm", "abc"},
		{"club", "", "ac"},
		{"kick", "leg", "ce"},
		{"climb", "arm leg", "bce"},
		{"luck", "", "c"},
	} {
		got := ""
		for _, m := range effect.Applying(s, me, c.stat, strings.Fields(c.tags)) {
			got += m.Id
		}
		if got != c.want {
			t.Errorf("%s (%s): %s, want %s", c.stat, c.tags, got, c.want)
		}
	}
	if effect.Applying(s, nil, "club", nil) != nil {
		t.Error("nobody has modifiers")
	}
}

func TestUsed(t *testing.T) {
	m := &typev1.Modifier{
		Id: "m", Rule: "R-1", AppliesTo: "club", Op: typev1.ModifierOp_MODIFIER_OP_ADD, Value: proto.Int32(5), Uses: 2,
		Duration: &typev1.Duration{Until: 3}, Reason: "why", Audience: rule.Values,
	}
	want := proto.Clone(m).(*typev1.Modifier)
	want.Uses = 1
	ch := effect.Used("officer", m).GetModifier()
	if ch.Character != "officer" || ch.Removed || !proto.Equal(ch.After, want) || m.Uses != 2 {
		t.Errorf("%v", ch)
	}
	last := effect.Used("officer", ch.After).GetModifier()
	if !last.Removed || last.After.Id != "m" {
		t.Errorf("%v", last)
	}
	if effect.Used("officer", &typev1.Modifier{Id: "m"}) != nil {
		t.Error("one without a limit is used up")
	}
}
