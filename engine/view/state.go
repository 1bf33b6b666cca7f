package view

import (
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// State returns the state as the viewer knows it: the one on which offers are
// made. What is hidden is not there: rows, characters, the agenda, and of windows
// what is asked. It must not leave the server: Table is what is sent.
func State(s *tablev1.State, v Viewer, vis *tablev1.Visibility) *tablev1.State {
	g := newGaze(v, vis)
	return &tablev1.State{
		// What everybody knows, though the state as a whole is nobody's.
		Ruleset:    s.Ruleset,
		Pack:       s.Pack,
		Options:    seenAll(&g, s.Options, optionPlan, ""),
		Characters: seenAll(&g, s.Characters, characterPlan, ""),
		Encounter:  Encounter(s.Encounter, v, vis),
		Clocks:     seenAll(&g, s.Clocks, clockPlan, ""),
		Windows:    g.windows(s.Windows),
		Details:    Details(s.Details, v, vis),
		Dungeon:    knownDungeon(&g, s.Dungeon),
	}
}

// knownDungeon is what the viewer may know of the dungeon, as the state has it.
func knownDungeon(g *gaze, d *tablev1.Dungeon) *tablev1.Dungeon {
	out, _ := seen(g, d, dungeonPlan, "")
	return out
}

// Encounter returns what the viewer may see of the encounter, or nil.
func Encounter(e *tablev1.Encounter, v Viewer, vis *tablev1.Visibility) *tablev1.Encounter {
	g := newGaze(v, vis)
	out, _ := seen(&g, e, encounterPlan, "")
	return out
}

// Details returns what the viewer may see of the table's details, or nil.
func Details(d *tablev1.Details, v Viewer, vis *tablev1.Visibility) *tablev1.Details {
	g := newGaze(v, vis)
	out, _ := seen(&g, d, detailsPlan, "")
	return out
}

// Character returns what the viewer may see of a sheet, or nil if it may not know
// of the character.
func Character(c *tablev1.Character, v Viewer, vis *tablev1.Visibility) *tablev1.CharacterView {
	g := newGaze(v, vis)
	s, ok := seen(&g, c, characterPlan, "")
	if !ok {
		return nil
	}
	return &tablev1.CharacterView{
		Id:        s.Id,
		Name:      s.Name,
		Kind:      s.Kind,
		Side:      s.Side,
		Review:    s.Review,
		Sample:    s.Sample,
		Yours:     g.answers(c.Id),
		Stats:     s.Stats,
		Resources: s.Resources,
		Statuses:  s.Statuses,
		Modifiers: s.Modifiers,
		Position:  s.Position.GetSquare(),
		Details:   s.Details,
		Profile:   s.Profile,
		Notes:     s.Notes,
	}
}

// Table returns the snapshot of a table for the viewer, as far as state and seats
// tell it. The caller adds the ids, the offers, the options at their defaults, the
// cursor and, for the GM, the state's hash, and renders the prompts.
func Table(s *tablev1.State, v Viewer, vis *tablev1.Visibility, seats []*tablev1.Seat) *tablev1.TableView {
	g := newGaze(v, vis)
	out := &tablev1.TableView{
		Ruleset:   s.Ruleset,
		SeatId:    v.Seat,
		Encounter: Encounter(s.Encounter, v, vis),
		Prompts:   Prompts(s, v, vis),
		WaitingOn: Waiting(s, v, vis, seats),
		Options:   seenAll(&g, s.Options, optionPlan, ""),
		Clocks:    seenAll(&g, s.Clocks, clockPlan, ""),
		Details:   Details(s.Details, v, vis),
		Dungeon:   Dungeon(s.Dungeon, v, vis),
	}
	for _, c := range s.Characters {
		if cv := Character(c, v, vis); cv != nil {
			out.Characters = append(out.Characters, cv)
		}
	}
	for _, seat := range seats {
		shown := &tablev1.Seat{Id: seat.Id, Name: seat.Name, Role: seat.Role, Characters: g.known(seat.Characters)}
		if v.GM || v.Seat == seat.Id {
			// What somebody will do is for nobody else to know.
			shown.Policies = seat.Policies
		}
		out.Seats = append(out.Seats, shown)
	}
	return out
}
