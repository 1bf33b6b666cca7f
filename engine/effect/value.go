// Package effect builds numbers from their parts: modifiers with their trace,
// durations on clocks.
package effect

import typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"

// Value is a number in the making. Each step leaves a line in the trace, the
// steps without effect too.
type Value struct {
	of       string
	audience typev1.Audience
	total    int32
	lines    []*typev1.TraceLine
	// Room for what a value mostly has, made with it.
	room  [6]*typev1.TraceLine
	first lineRoom
}

// lineRoom is a line with its numbers, made with one allocation.
type lineRoom struct {
	l        typev1.TraceLine
	n, total int32
}

// Begin starts with a value of a character: what it is, the rule that names it,
// and who may see the working.
func Begin(of string, a typev1.Audience, label, rule string, value int32) *Value {
	v := &Value{of: of, audience: a, total: value}
	v.line(label, rule, typev1.ModifierOp_MODIFIER_OP_SET, value, false)
	return v
}

// Total is the number as it stands.
func (v *Value) Total() int32 { return v.total }

// Trace returns the lines so far.
func (v *Value) Trace() []*typev1.TraceLine { return v.lines }

// Add adds n.
func (v *Value) Add(label, rule string, n int32) *Value {
	v.total += n
	v.line(label, rule, typev1.ModifierOp_MODIFIER_OP_ADD, n, false)
	return v
}

// Multiply multiplies by n.
func (v *Value) Multiply(label, rule string, n int32) *Value {
	v.total *= n
	v.line(label, rule, typev1.ModifierOp_MODIFIER_OP_MULTIPLY, n, false)
	return v
}

// Divide divides by n, which is positive, and cuts the fraction down. Where
// something was cut, rounding names the rule that says so.
func (v *Value) Divide(label, rule string, n int32, rounding string) *Value {
	rest := v.total % n
	v.total /= n
	if rest < 0 {
		v.total--
	}
	v.line(label, rule, typev1.ModifierOp_MODIFIER_OP_DIVIDE, n, false)
	if rest != 0 && rounding != "" {
		v.line("cut_down", rounding, typev1.ModifierOp_MODIFIER_OP_SET, v.total, false)
	}
	return v
}

// Clamp keeps the number between low and high.
func (v *Value) Clamp(label, rule string, low, high int32) *Value {
	switch {
	case v.total < low:
		v.total = low
		v.line(label, rule, typev1.ModifierOp_MODIFIER_OP_FLOOR, low, false)
	case v.total > high:
		v.total = high
		v.line(label, rule, typev1.ModifierOp_MODIFIER_OP_CAP, high, false)
	}
	return v
}

// Note leaves a line about a rule that applied without changing the number.
func (v *Value) Note(label, rule string) *Value {
	v.line(label, rule, typev1.ModifierOp_MODIFIER_OP_UNSPECIFIED, 0, true)
	return v
}

func (v *Value) line(label, rule string, op typev1.ModifierOp, n int32, suppressed bool) {
	x := &v.first
	if v.lines == nil {
		v.lines = v.room[:0]
	} else {
		x = &lineRoom{}
	}
	x.n, x.total = n, v.total
	x.l.Of, x.l.Audience, x.l.Label, x.l.Rule, x.l.Op, x.l.Suppressed = v.of, v.audience, label, rule, op, suppressed
	if !suppressed {
		x.l.Value, x.l.Result = &x.n, &x.total
	}
	v.lines = append(v.lines, &x.l)
}
