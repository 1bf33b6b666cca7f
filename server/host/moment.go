package host

import (
	"maps"
	"slices"

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
	// Gone is true of a table that was removed: nothing follows.
	Gone bool
	// Seats are those who sat at the table.
	Seats []*tablev1.Seat
	// Reseated is true if seats were changed without a commit, and with them who
	// controls whom.
	Reseated bool
	// Readmitted is true if it was said anew for which seats bridges may act.
	Readmitted bool
	// Left is the seat whose tokens have died, with all that was begun with them;
	// mostly empty.
	Left string
	// Bridge is a bridge that was removed, from all tables: Table is empty then, and
	// nothing else is told.
	Bridge string

	due        dues // of the windows
	command    *tablev1.Command
	names      names
	roll       []string
	admissions []*Admission
}

// Why a bridge's view of a seat comes to its end.
const (
	EndRevoked   = "SEAT_REVOKED"
	EndDismissed = "BRIDGE_DISMISSED"
)

// Bars says why a bridge that looks as a seat may not do so after a moment; empty
// if it may.
func (m *Moment) Bars(bridge, seat string) string {
	switch {
	case !m.Reseated && !m.Readmitted:
		return ""
	case seatIndex(m.Seats, seat) < 0:
		return EndRevoked
	case !admissionOf(m.admissions, bridge).covers(seat):
		return EndDismissed
	}
	return ""
}

// made are the moment's seats that are among the first n that were ever made.
func (m *Moment) made(n int) []*tablev1.Seat {
	first := m.roll[:min(n, len(m.roll))]
	var out []*tablev1.Seat
	for _, s := range m.Seats {
		if slices.Contains(first, s.Id) {
			out = append(out, s)
		}
	}
	return out
}

// Asking is all of a moment on which it depends what it asks of a seat.
type Asking struct {
	windows    []*tablev1.Window
	visibility *tablev1.Visibility // made anew with the characters' names
	seats      []*tablev1.Seat
	due        dues
}

// Asking is what the moment asks.
func (m *Moment) Asking() Asking { return Asking{m.Windows, m.Visibility, m.Seats, m.due} }

// AsksAs reports whether a moment asks the same. Windows and seats are replaced, and
// never changed, so that it is enough to compare which they are.
func (a Asking) AsksAs(m *Moment) bool {
	return a.visibility == m.Visibility && slices.Equal(a.windows, m.Windows) && slices.Equal(a.seats, m.Seats) &&
		maps.Equal(a.due, m.due)
}

// names are the characters' names by id.
type names map[string]string

// of is a character's name, "" if there is none of the id.
func (n names) of(id string) string { return n[id] }

// withGone are the names with those who were there before and are gone.
func (n names) withGone(before names) names {
	out := n
	for id, name := range before {
		if _, here := n[id]; !here {
			if len(out) == len(n) {
				out = maps.Clone(n)
			}
			out[id] = name
		}
	}
	return out
}

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
