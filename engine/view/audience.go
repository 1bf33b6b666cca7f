package view

import (
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

// gaze is one look of one viewer at one event or state.
type gaze struct {
	Viewer
	vis *tablev1.Visibility
	// share parts of the source that the viewer may see whole, instead of copying.
	share bool

	// The question around what is looked at, for AUDIENCE_ASKED. within: it is part
	// of the question; else it is told by the event that changes the question.
	window *tablev1.Window
	within bool

	// now is the state itself, where it is looked at before it is stamped.
	now *tablev1.State

	// The ownership that was looked up last: rows of one event are mostly of one
	// or two characters.
	last *tablev1.Ownership
}

var nothing = &tablev1.Visibility{}

func newGaze(v Viewer, vis *tablev1.Visibility) gaze {
	if vis == nil {
		vis = nothing
	}
	return gaze{Viewer: v, vis: vis}
}

// may reports whether the viewer may see a value of the subject.
func (g *gaze) may(a typev1.Audience, subject string) bool {
	switch a {
	case typev1.Audience_AUDIENCE_PUBLIC:
		return true
	case typev1.Audience_AUDIENCE_PARTY:
		return g.plays()
	case typev1.Audience_AUDIENCE_OWNER:
		return g.GM || g.holds(g.owner(subject))
	case typev1.Audience_AUDIENCE_ASKED:
		return g.asked(subject)
	case typev1.Audience_AUDIENCE_GM, typev1.Audience_AUDIENCE_KNOWS:
		// Nothing is disclosed to single seats yet: the GM alone knows.
		return g.GM
	case typev1.Audience_AUDIENCE_HP, typev1.Audience_AUDIENCE_VALUES,
		typev1.Audience_AUDIENCE_DICE, typev1.Audience_AUDIENCE_MIND:
		return g.GM || g.sheet(a, g.owner(subject))
	}
	return false
}

// SeesValue reports whether the viewer may see a value of a character that has the
// audience.
func SeesValue(v Viewer, vis *tablev1.Visibility, a typev1.Audience, of string) bool {
	g := newGaze(v, vis)
	return g.may(a, of)
}

// sheet reports whether the viewer, who is not the GM, may see a sheet class of
// a character.
func (g *gaze) sheet(a typev1.Audience, o *tablev1.Ownership) bool {
	switch o.GetKind() {
	case tablev1.CharacterKind_CHARACTER_KIND_PC:
		return a == typev1.Audience_AUDIENCE_DICE || g.vis.PartySheets || g.holds(o)
	case tablev1.CharacterKind_CHARACTER_KIND_NPC:
		switch a {
		case typev1.Audience_AUDIENCE_HP:
			return g.vis.NpcHp == tablev1.NpcHp_NPC_HP_EXACT || g.holds(o)
		case typev1.Audience_AUDIENCE_VALUES:
			return g.vis.NpcValues || g.holds(o)
		case typev1.Audience_AUDIENCE_DICE:
			return g.vis.NpcDice || g.holds(o)
		}
	}
	return false
}

// band reports whether the viewer may see the band of a resource whose value has
// the audience. npc_hp speaks of hit points alone: a band of sanity would tell
// what is nobody's business.
func (g *gaze) band(a typev1.Audience, subject string) bool {
	return g.may(a, subject) ||
		a == typev1.Audience_AUDIENCE_HP &&
			g.owner(subject).GetKind() == tablev1.CharacterKind_CHARACTER_KIND_NPC &&
			g.vis.NpcHp == tablev1.NpcHp_NPC_HP_BAND
}

// asked reports whether the question around asks the viewer about the subject's
// decision. Outside of a question nobody is asked, the GM neither.
func (g *gaze) asked(subject string) bool {
	w := g.window
	switch {
	case w == nil:
		return false
	case g.within, len(w.Slots) == 1,
		w.Kind == tablev1.WindowKind_WINDOW_KIND_OPEN, w.Kind == tablev1.WindowKind_WINDOW_KIND_DECLARATIONS:
		for _, s := range w.Slots {
			if g.answers(s.Character) {
				return true
			}
		}
		return false
	}
	for _, s := range w.Slots {
		if s.Character == subject {
			return g.answers(subject)
		}
	}
	return false
}

// answers reports whether the viewer may answer for a character. The GM answers
// for himself (""), for NPCs, and for those who have no seat.
func (g *gaze) answers(character string) bool {
	o := g.owner(character)
	if g.holds(o) {
		return true
	}
	return g.GM && (len(o.GetSeats()) == 0 || o.GetKind() != tablev1.CharacterKind_CHARACTER_KIND_PC)
}

// knows reports whether the viewer may know of a character at all. Whoever the
// stamp does not name is known to the GM alone.
func (g *gaze) knows(character string) bool {
	if character == "" || g.GM {
		return true
	}
	o := g.owner(character)
	return o != nil && g.may(o.Audience, character)
}

// known returns the ids of the characters that the viewer may know of: ids itself
// if these are all.
func (g *gaze) known(ids []string) []string {
	for i, id := range ids {
		if g.knows(id) {
			continue
		}
		left := append([]string(nil), ids[:i]...)
		for _, id := range ids[i+1:] {
			if g.knows(id) {
				left = append(left, id)
			}
		}
		return left
	}
	return ids
}

// holds reports whether the viewer's seat controls the character by itself.
func (g *gaze) holds(o *tablev1.Ownership) bool {
	if o == nil || !g.plays() {
		return false
	}
	for _, s := range o.Seats {
		if s == g.Seat {
			return true
		}
	}
	return false
}

// owner returns who controls a character, or nil if the stamp does not say.
func (g *gaze) owner(character string) *tablev1.Ownership {
	if character == "" {
		return nil
	}
	if g.now != nil {
		return ownership(g.now, character)
	}
	if g.last.GetCharacter() == character {
		return g.last
	}
	for _, o := range g.vis.Owners {
		if o.Character == character {
			g.last = o
			return o
		}
	}
	return nil
}
