package scenario

import (
	"slices"
	"strings"

	"github.com/hantei/hantei/engine/view"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// Observer is the seat of somebody who only watches: a word that no character
// has for an id.
const Observer = "observer"

// look is what a seat must see, and must not, of the state after the last entry.
type look struct {
	line         int
	seat         string // "gm", "observer", or a character whose player looks
	see, mustNot []named
}

// looks reads views: for each seat what it sees.
func (l *loader) looks(n *node) []*look {
	switch {
	case n.kind != mapNode:
		l.add(n.line, "views is a mapping by seat, not %s", n.word())
		return nil
	case len(n.pairs) == 0:
		l.add(n.line, "views is empty")
	}
	var out []*look
	for _, kv := range n.pairs {
		l.declared(kv.line, "seat", kv.key, append([]string{GM, Observer}, l.characters...))
		v := &look{line: kv.line, seat: kv.key}
		ok := l.fields(kv.value, "a view", []field{
			optional("must_see", func(n *node, _ int) { v.see = l.named(n, "must_see") }),
			optional("must_not_see", func(n *node, _ int) { v.mustNot = l.named(n, "must_not_see") }),
		})
		if ok && len(v.see)+len(v.mustNot) == 0 {
			l.add(kv.line, "the view of %s says nothing: write must_see or must_not_see", kv.key)
		}
		out = append(out, v)
	}
	return out
}

// look compares what each seat sees of the state with what the case says.
func (s *session) look() {
	if len(s.c.views) == 0 {
		return
	}
	state := s.r.State()
	seats := seatsOf(state)
	stamp := view.Stamp(s.rules.Options.InForce(state.Options), state, seats)
	all := sightOf(state)
	for _, l := range s.c.views {
		i := slices.IndexFunc(seats, func(seat *tablev1.Seat) bool { return seat.Id == l.seat })
		if i < 0 {
			ids := make([]string, len(seats))
			for i, seat := range seats {
				ids[i] = seat.Id
			}
			s.fail(l.line, "%s is no player's character, so there is no such seat%s", l.seat, nearest(l.seat, ids))
			continue
		}
		seen := sightOf(view.State(state, view.ViewerOf(seats[i]), stamp))
		for _, p := range l.see {
			s.mustSee(l, p, all, seen)
		}
		for _, p := range l.mustNot {
			s.mustNotSee(l, p, all, seen)
		}
	}
}

// mustSee fails at the first value of a path that the seat does not see as it is.
func (s *session) mustSee(l *look, p named, all, seen *sight) {
	for _, r := range s.shown(p, all) {
		got, ok := seen.row(r.path)
		switch {
		case !ok:
			s.fail(p.line, "%s does not see %s", l.seat, r.path)
			return
		case !got.value.Is(r.value):
			s.fail(p.line, "%s sees %s as %v, not as the %v that it is", l.seat, r.path, got.value, r.value)
			return
		}
	}
}

// mustNotSee fails at the first value of a path of which the seat sees anything.
func (s *session) mustNotSee(l *look, p named, all, seen *sight) {
	for _, r := range s.shown(p, all) {
		if got, ok := seen.row(r.path); ok {
			s.fail(p.line, "%s sees %s: it is %v", l.seat, r.path, got.value)
			return
		}
	}
}

// shown lists the values that a path names in the full state. One that names none
// is a failure: that it is hidden would say nothing.
func (s *session) shown(p named, all *sight) []valueRow {
	rows, there := all.at(p.name)
	switch {
	case len(rows) > 0:
	case there:
		s.fail(p.line, "%s is not set, so nobody could see it", p.name)
	default:
		s.fail(p.line, "there is no %s%s", p.name, nearest(p.name, all.paths()))
	}
	return rows
}

// seatsOf are the seats of a case: the GM's, an observer's, and one for each
// player's character, named like it.
func seatsOf(st *tablev1.State) []*tablev1.Seat {
	out := []*tablev1.Seat{
		{Id: GM, Role: tablev1.SeatRole_SEAT_ROLE_GM},
		{Id: Observer, Role: tablev1.SeatRole_SEAT_ROLE_OBSERVER},
	}
	for _, c := range st.Characters {
		if c.Kind == tablev1.CharacterKind_CHARACTER_KIND_PC {
			out = append(out, &tablev1.Seat{Id: c.Id, Role: tablev1.SeatRole_SEAT_ROLE_PLAYER, Characters: []string{c.Id}})
		}
	}
	return out
}

// sight is a state as paths with values, as views look at it.
type sight struct {
	// rows are those of a Snapshot.
	rows []valueRow
	// more are values that a Snapshot leaves out, since none of them is a change
	// that a file would list.
	more []valueRow
}

func sightOf(st *tablev1.State) *sight {
	var s sight
	for _, o := range Snap(st).objects {
		s.rows = append(s.rows, o.rows...)
	}
	more := object{}
	for _, c := range st.Characters {
		more.path = c.Id
		more.add("name", Word(c.Name), c.Name != "", Value{})
		more.add("kind", Word(enumWord(c.Kind.Descriptor(), c.Kind.Number())), c.Kind != 0, Value{})
		more.add("side", Word(c.Side), c.Side != "", Value{})
		more.add("sample", Word(c.Sample), c.Sample != "", Value{})
		for _, r := range c.Resources {
			more.add(r.Key+".band", Word(enumWord(r.Band.Descriptor(), r.Band.Number())), r.Band != 0, Value{})
		}
	}
	if e := st.Encounter; e != nil {
		more.path = "encounter"
		more.number("pointer", e.Pointer)
	}
	s.more = more.rows
	return &s
}

// row returns the value of a path, if one is set.
func (s *sight) row(path string) (valueRow, bool) {
	for _, rows := range [][]valueRow{s.rows, s.more} {
		for _, r := range rows {
			if r.path == path && r.set {
				return r, true
			}
		}
	}
	return valueRow{}, false
}

// at returns the value of a path, or all beneath it if it has none of its own; of
// these, those that are set. there reports whether anything at all has the path.
func (s *sight) at(path string) (set []valueRow, there bool) {
	if r, ok := s.row(path); ok {
		return []valueRow{r}, true
	}
	if slices.Contains(s.paths(), path) {
		return nil, true
	}
	for _, r := range s.rows {
		if strings.HasPrefix(r.path, path+".") {
			there = true
			if r.set {
				set = append(set, r)
			}
		}
	}
	return set, there
}

func (s *sight) paths() []string {
	out := make([]string, 0, len(s.rows)+len(s.more))
	for _, rows := range [][]valueRow{s.rows, s.more} {
		for _, r := range rows {
			out = append(out, r.path)
		}
	}
	return out
}
