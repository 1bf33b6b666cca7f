package audit

import "strconv"

// Check is what one check has found.
type Check struct {
	// Checked is how many commits, or dice, were checked and found good.
	Checked int64
	// Unchecked is how many could not be: dice whose seed is not known here.
	Unchecked int64
	// Given is how many dice people threw by hand.
	Given int64
	// Fault is the first one; nil if there is none. The check ended there.
	Fault *Fault
}

// Fault is where something cannot be.
type Fault struct {
	// Commit is the number of the commit, from 1; 0 for a log as a whole, and where
	// there are no commits, in what a seat has saved.
	Commit int64
	// Event is the number of the event in the log, or among those that a seat has
	// saved, from 1; 0 for none.
	Event int64
	// Path is where in the event, for example "facts[2].number".
	Path string
	// Key is what is wrong: the text "verify.<key>" of the locale says it.
	Key string
	// Values are what that text speaks of, by name.
	Values []Value
}

// Value is a value of a text.
type Value struct{ Name, Text string }

// Named finds a value, as texts ask for it; false if there is none.
func (f *Fault) Named(name string) (string, bool) {
	for _, v := range f.Values {
		if v.Name == name && v.Text != "" {
			return v.Text, true
		}
	}
	return "", false
}

// fault makes a fault of a key and its values: name, text, name, text.
func fault(key string, values ...string) *Fault {
	f := &Fault{Key: key}
	for i := 0; i+1 < len(values); i += 2 {
		f.Values = append(f.Values, Value{values[i], values[i+1]})
	}
	return f
}

// at says where a fault is, unless it says so itself.
func (f *Fault) at(commit, event int64) *Fault {
	if f != nil && f.Commit == 0 && f.Event == 0 {
		f.Commit, f.Event = commit, event
	}
	return f
}

func number[N ~int32 | ~int64 | ~int](n N) string { return strconv.FormatInt(int64(n), 10) }
