package host

import (
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// Moment is a table at a commit: what was told by it and what is asked after it.
// It is not changed any more; everybody who looks at the commit shares it.
type Moment struct {
	// Table is the table's id.
	Table string
	// Commit is the number of the commit.
	Commit int64
	// Told are the events of the commit, in order; none for a look at the present.
	Told []Told
	// Visibility says who may see what of them.
	Visibility *tablev1.Visibility
	// Waits is true if a step waits for answers.
	Waits bool
	// Windows are what was asked after the commit. They are not known of past
	// commits: Asked is false then.
	Asked   bool
	Windows []*tablev1.Window
	// Seats are those who sat at the table.
	Seats []*tablev1.Seat

	command *tablev1.Command
	names   names
}

// names are the characters' names by id.
type names map[string]string

// of is a character's name, "" if there is none of the id.
func (n names) of(id string) string { return n[id] }

// namesOf are the names of the characters of a state.
func namesOf(s *tablev1.State) names {
	out := make(names, len(s.Characters))
	for _, c := range s.Characters {
		out[c.Id] = c.Name
	}
	return out
}

// openWindows are the windows that ask somebody something.
func openWindows(all []*tablev1.Window) []*tablev1.Window {
	var out []*tablev1.Window
	for _, w := range all {
		if w.Open {
			out = append(out, w)
		}
	}
	return out
}
