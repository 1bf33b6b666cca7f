// Package view is the projection: what a seat sees of a table. It is the only
// way by which state and events leave the server. The *View messages are made
// here and nowhere else, and services accept no others.
//
// Who may see a value is declared in the protos, as an option of a message (sees)
// or of a field (see), or in the row that carries the value. What is not
// declared is shown to nobody. What a message option denies is denied with all
// that lies inside the message, unless a field in it says otherwise.
//
// Views of events share immutable parts with the event that they are made from:
// neither may be changed afterwards, except for the text of the view itself.
// Views of the state share nothing with it.
package view

import (
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// Viewer is who looks.
type Viewer struct {
	// Seat that looks; empty for somebody without one, who sees what observers see.
	Seat string
	// GM is true for a seat that leads the game. NPCs are the GM's.
	GM bool
	// Observer is true for a seat that only watches.
	Observer bool
}

// ViewerOf is the viewer that sits on a seat. A seat without a role only watches.
func ViewerOf(s *tablev1.Seat) Viewer {
	return Viewer{
		Seat:     s.GetId(),
		GM:       s.GetRole() == tablev1.SeatRole_SEAT_ROLE_GM,
		Observer: s.GetRole() != tablev1.SeatRole_SEAT_ROLE_GM && s.GetRole() != tablev1.SeatRole_SEAT_ROLE_PLAYER,
	}
}

// plays reports whether the viewer sits at the table as a player or the GM.
func (v Viewer) plays() bool { return v.GM || v.Seat != "" && !v.Observer }
