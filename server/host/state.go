package host

import (
	"context"
	"slices"

	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/view"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
)

// stateFor is the state as a seat sees it.
func stateFor(t *table, s *sitting) *tablev1.State {
	return view.State(t.res.State(), s.viewer, t.vis)
}

// knows reports whether the seat may know of a character; not of one that is not
// there.
func (t *table) knows(s *sitting, id string) bool {
	c := t.character(id)
	switch {
	case c == nil:
		return false
	case s.gm() || c.Audience == typev1.Audience_AUDIENCE_PUBLIC:
		return true
	}
	return view.Character(c, s.viewer, t.vis) != nil
}

func (t *table) character(id string) *tablev1.Character {
	v := rule.View{State: t.res.State()}
	return v.Character(id)
}

// checkKnown refuses a character that the seat does not know of, in the same
// words whether it is there or not. "" is nobody's name.
func (t *table) checkKnown(s *sitting, field, id string) *rule.Refusal {
	if id == "" || t.knows(s, id) {
		return nil
	}
	var ids []string
	for _, c := range t.res.State().Characters {
		if t.knows(s, c.Id) {
			ids = append(ids, c.Id)
		}
	}
	r := notFound(field).Suggest(id, ids)
	r.Called = t.character(r.Nearest).GetName()
	return r
}

// hides reports whether there is a character that the seat may not know of.
func (t *table) hides(s *sitting) bool {
	return slices.ContainsFunc(t.res.State().Characters, func(c *tablev1.Character) bool { return !t.knows(s, c.Id) })
}

// without is the state as if the characters that the seat may not know of were
// not there; all else is the truth. What is refused on it is refused, so that
// nobody finds them out by naming them.
func (t *table) without(s *sitting) *rule.View {
	truth := t.res.State()
	shown := &tablev1.State{
		Ruleset: truth.Ruleset, Pack: truth.Pack, Options: truth.Options, Clocks: truth.Clocks,
		Agenda: truth.Agenda, Windows: truth.Windows, Details: truth.Details, Dungeon: truth.Dungeon,
	}
	for _, c := range truth.Characters {
		if t.knows(s, c.Id) {
			shown.Characters = append(shown.Characters, c)
		}
	}
	if truth.Encounter != nil {
		shown.Encounter = proto.CloneOf(truth.Encounter)
		unknown := func(id string) bool { return !t.knows(s, id) }
		shown.Encounter.Roster = slices.DeleteFunc(shown.Encounter.Roster, unknown)
		shown.Encounter.Order = slices.DeleteFunc(shown.Encounter.Order, unknown)
		shown.Encounter.Turn = slices.DeleteFunc(shown.Encounter.Turn, unknown)
	}
	return &rule.View{State: shown, Seat: s.rule, Options: t.game.Rules.Options}
}

// discreet takes out of a refusal what the seat may not know: the nearest name
// is looked for among all. One that it may know is called by the name that everybody sees.
func (t *table) discreet(s *sitting, err error) error {
	r, ok := err.(*rule.Refusal)
	if !ok || t.character(r.Nearest) == nil {
		return err
	}
	out := *r
	if s.gm() || t.knows(s, r.Nearest) {
		out.Called = t.character(r.Nearest).GetName()
	} else {
		out.Nearest = ""
	}
	return &out
}

// seesEvent reports whether the seat was told of an event.
func (t *table) seesEvent(s *sitting, sequence int64) (bool, error) {
	p, err := t.host.pastEvent(context.Background(), t.id, sequence)
	if err != nil || p.event == nil {
		return false, err
	}
	told := []Told{{Sequence: sequence, Event: p.event}}
	if err := t.host.recall(context.Background(), t.id, told); err != nil {
		return false, err
	}
	return t.look(s, "").sees(&Moment{Told: told, Visibility: p.visibility}), nil
}
