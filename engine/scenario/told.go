package scenario

import (
	"github.com/hantei/hantei/engine/resolve"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/view"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// Told is a command of the play with all that it takes to tell it to people: what
// a seat sees of it, in whose words.
type Told struct {
	// Entry that it is part of, and Moment what was sent and what came of it.
	Entry  *Entry
	Moment *Moment
	// Seat that sent it, and the character who acts or decides; empty for the GM.
	Seat, Actor string
	// Action that was declared; nil for answers and for dice without a rule.
	Action *tablev1.Action
	// Offers are what could be declared for the actor before it.
	Offers []*tablev1.Offer
	// Rules of the table.
	Rules *rule.Ruleset
	// Characters, Seats and Visibility are the table's after it.
	Characters []*tablev1.Character
	Seats      []*tablev1.Seat
	Visibility *tablev1.Visibility
}

// sent is what is known of a command before it runs; nil if nobody is told.
func (s *session) sent(seat rule.Seat, by string, a *tablev1.Action) *Told {
	if s.tell == nil {
		return nil
	}
	t := &Told{Entry: s.entry.Entry, Seat: seat.ID, Actor: by, Action: a, Rules: s.rules}
	if a != nil {
		// The GM may act for a player's character, whose offers he is not shown.
		t.Offers = resolve.Offers(s.rules, s.r.View(rule.Seat{ID: seat.ID, GM: seat.GM, Characters: []string{by}}))
	}
	return t
}

// told tells of a command that has run, refused or not.
func (s *session) told(t *Told, m *Moment) {
	if s.tell == nil {
		return
	}
	state := s.r.State()
	t.Moment, t.Characters, t.Seats = m, state.Characters, seatsOf(state)
	t.Visibility = view.Stamp(s.rules.Options.InForce(state.Options), state, t.Seats)
	s.tell(t)
}
