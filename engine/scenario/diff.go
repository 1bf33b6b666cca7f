package scenario

import (
	"slices"
	"strings"
)

// Difference is one value that is another one than before.
type Difference struct {
	// Path of the value.
	Path string
	// Before and After are null where it was, or is, not there.
	Before, After Value
	// Gone is true if it is not there any more, or is as if it had never been set.
	Gone bool
}

// String gives "thug.hp: 11 -> 7".
func (d Difference) String() string {
	return d.Path + ": " + d.Before.String() + " -> " + d.After.String()
}

// Diff lists every difference to an earlier snapshot, sorted by path. Of what is
// new there are the values that are not what a field has that was never set; of
// what is gone only the thing itself; of what stayed each value that changed.
func (s *Snapshot) Diff(before *Snapshot) []Difference {
	var out []Difference
	for _, was := range before.objects {
		now, ok := s.find(was.path)
		switch {
		case ok:
			out = append(out, changed(was, now)...)
		case !newborn(s, was.path):
			out = append(out, Difference{Path: was.path, Before: was.head(), Gone: true})
		}
	}
	for _, now := range s.objects {
		if _, ok := before.find(now.path); !ok && !newborn(before, now.path) {
			out = append(out, appeared(now)...)
		}
	}
	slices.SortStableFunc(out, func(a, b Difference) int { return strings.Compare(a.Path, b.Path) })
	return out
}

// newborn reports whether a path is part of a character who is not in a snapshot:
// then the character as a whole is the difference.
func newborn(s *Snapshot, path string) bool {
	id, _, inside := strings.Cut(path, ".")
	if !inside {
		return false
	}
	_, there := s.find(id)
	return !there
}

// head is the object's own value, if it has one, and else "true": it was there.
func (o object) head() Value {
	for _, r := range o.rows {
		if r.path == o.path && r.set {
			return r.value
		}
	}
	return Word("true")
}

func changed(was, now object) []Difference {
	var out []Difference
	for i, r := range now.rows {
		old := was.rows[i]
		if !old.now().Is(r.now()) {
			out = append(out, Difference{Path: r.path, Before: old.now(), After: r.now(), Gone: !r.set})
		}
	}
	return out
}

// appeared lists what is worth telling of a new object. A repeated piece that
// has values is told by them, not by a line of its own.
func appeared(o object) []Difference {
	var out, own []Difference
	for _, r := range o.rows {
		if !r.set {
			continue
		}
		d := Difference{Path: r.path, After: r.value}
		switch {
		case r.path == o.path:
			own = append(own, d)
		case !r.value.zero():
			out = append(out, d)
		}
	}
	if len(out) > 0 && strings.Contains(o.path, ".details.") {
		return out
	}
	return append(own, out...)
}

// account compares the differences with those that a file lists, and returns
// what is wrong in words, each with the line that it is about. Every difference
// has to be listed. null for a path stands for all beneath it, if that is gone.
func account(diffs []Difference, listed []want, line int, now *Snapshot) []problem {
	var out []problem
	used := make([]bool, len(diffs))
	for _, w := range listed {
		if !accountFor(diffs, used, w, now, &out) {
			out = append(out, problem{w.line, w.path + " did not change" + standing(now, w.path)})
		}
	}
	for i, d := range diffs {
		if !used[i] {
			out = append(out, problem{line, "not listed: " + d.String()})
		}
	}
	return out
}

// problem is what is wrong at a line.
type problem struct {
	line int
	text string
}

func accountFor(diffs []Difference, used []bool, w want, now *Snapshot, out *[]problem) bool {
	found := false
	for i, d := range diffs {
		switch {
		case d.Path == w.path:
			used[i] = true
			if !d.After.Is(w.value) && !(w.value.Null() && d.Gone) {
				*out = append(*out, problem{w.line, w.path + " is " + d.After.String() + ", not " + w.value.String() + " (before: " + d.Before.String() + ")"})
			}
			return true
		case w.value.Null() && strings.HasPrefix(d.Path, w.path+".") && d.Gone && !now.any(w.path):
			used[i], found = true, true
		}
	}
	return found
}

// any reports whether anything beneath a path is set.
func (s *Snapshot) any(path string) bool {
	for _, o := range s.objects {
		for _, r := range o.rows {
			if r.set && (r.path == path || strings.HasPrefix(r.path, path+".")) {
				return true
			}
		}
	}
	return false
}

func standing(s *Snapshot, path string) string {
	if v, ok := s.Value(path); ok {
		return ": it is " + v.String()
	}
	return nearest(path, s.Paths())
}
