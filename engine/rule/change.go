package rule

import (
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
)

// SetStat writes a stat.
func SetStat(character string, after *typev1.Stat) *tablev1.Change {
	return &tablev1.Change{Change: &tablev1.Change_Stat{Stat: &tablev1.StatChange{Character: character, After: after}}}
}

// SetResource gives a resource a new value; its maximum and audience stay, its band follows.
func SetResource(character string, r *typev1.Resource, value int32) *tablev1.Change {
	after := &typev1.Resource{Key: r.Key, Value: &value, Max: r.Max, Audience: r.Audience}
	if r.Max != nil { // of what has no end there is no part left
		after.Band = BandOf(value, r.GetMax())
	}
	return &tablev1.Change{Change: &tablev1.Change_Resource{Resource: &tablev1.ResourceChange{Character: character, After: after}}}
}

// BandOf says in words how much of a resource is left.
func BandOf(value, max int32) typev1.Band {
	switch {
	case value <= 0:
		return typev1.Band_BAND_DOWN
	case value >= max:
		return typev1.Band_BAND_UNHURT
	case value*2 > max:
		return typev1.Band_BAND_HURT
	case value*4 > max:
		return typev1.Band_BAND_BADLY_HURT
	}
	return typev1.Band_BAND_NEAR_DEATH
}

// SetStatus writes a status.
func SetStatus(character string, after *typev1.Status) *tablev1.Change {
	return &tablev1.Change{Change: &tablev1.Change_Status{Status: &tablev1.StatusChange{Character: character, After: after}}}
}

// EndStatus ends a status.
func EndStatus(character string, s *typev1.Status) *tablev1.Change {
	after := &typev1.Status{Key: s.Key, Audience: s.Audience}
	return &tablev1.Change{Change: &tablev1.Change_Status{Status: &tablev1.StatusChange{Character: character, Removed: true, After: after}}}
}

// SetModifier writes a modifier.
func SetModifier(character string, after *typev1.Modifier) *tablev1.Change {
	return &tablev1.Change{Change: &tablev1.Change_Modifier{Modifier: &tablev1.ModifierChange{Character: character, After: after}}}
}

// EndModifier ends a modifier.
func EndModifier(character string, m *typev1.Modifier) *tablev1.Change {
	after := &typev1.Modifier{Id: m.Id, Audience: m.Audience}
	return &tablev1.Change{Change: &tablev1.Change_Modifier{Modifier: &tablev1.ModifierChange{Character: character, Removed: true, After: after}}}
}

// SetPosition puts a character on a square that a may see; nil takes it off the map.
func SetPosition(character string, square *typev1.Square, a typev1.Audience) *tablev1.Change {
	var after *typev1.Position
	if square != nil {
		after = &typev1.Position{Square: square, Audience: a}
	}
	return &tablev1.Change{Change: &tablev1.Change_Position{Position: &tablev1.PositionChange{Character: character, After: after}}}
}

// SetReview writes the state of a sheet's review; that it was approved before is
// not forgotten.
func SetReview(c *tablev1.Character, after tablev1.Review) *tablev1.Change {
	return &tablev1.Change{Change: &tablev1.Change_Review{Review: &tablev1.ReviewChange{
		Character: c.Id, After: after, ApprovedOnce: ApprovedOnce(c),
	}}}
}

// ApprovedOnce reports whether a sheet is approved, or ever was.
func ApprovedOnce(c *tablev1.Character) bool {
	return c.ApprovedOnce || c.Review == tablev1.Review_REVIEW_APPROVED
}

// SetEncounter writes the encounter.
func SetEncounter(after *tablev1.Encounter) *tablev1.Change {
	return &tablev1.Change{Change: &tablev1.Change_Encounter{Encounter: &tablev1.EncounterChange{After: after}}}
}

// EndEncounter ends the encounter.
func EndEncounter() *tablev1.Change {
	return &tablev1.Change{Change: &tablev1.Change_Encounter{Encounter: &tablev1.EncounterChange{Removed: true}}}
}

// SetClock sets a clock forward.
func SetClock(clock typev1.Clock, reading int32) *tablev1.Change {
	after := &tablev1.ClockReading{Clock: clock, Reading: reading}
	return &tablev1.Change{Change: &tablev1.Change_Clock{Clock: &tablev1.ClockChange{After: after}}}
}

// AddCharacter brings a sheet to the table.
func AddCharacter(c *tablev1.Character) *tablev1.Change {
	return &tablev1.Change{Change: &tablev1.Change_Character{Character: &tablev1.CharacterChange{Character: c.Id, After: c}}}
}

// RemoveCharacter takes a sheet from the table.
func RemoveCharacter(id string) *tablev1.Change {
	return &tablev1.Change{Change: &tablev1.Change_Character{Character: &tablev1.CharacterChange{Character: id, Removed: true}}}
}

// SetPart writes a piece of a sheet's details; without a character, of the table's.
func SetPart(character string, after *tablev1.Part) *tablev1.Change {
	x := &struct {
		c tablev1.Change
		k tablev1.Change_Part
		p tablev1.PartChange
	}{}
	x.p.Character, x.p.After = character, after
	x.k.Part = &x.p
	x.c.Change = &x.k
	return &x.c
}

// EndPart takes away a piece of a sheet's details, or of the table's. Of a repeated piece
// gone has only its key and audience. Of another it is what there was, unless everybody
// sees all of it: whoever has seen something of it is told that it is gone.
func EndPart(character string, gone *tablev1.Part) *tablev1.Change {
	x := SetPart(character, gone)
	x.GetPart().Removed = true
	return x
}

// SetKind makes a character a player's, or the GM's. It writes the whole sheet, so
// other writes to it come after: others may see another part of it from now on, and
// who keeps it by the changes has just that part.
func SetKind(c *tablev1.Character, kind tablev1.CharacterKind) *tablev1.Change {
	after := proto.CloneOf(c)
	after.Kind = kind
	return AddCharacter(after)
}

// SetWindow writes a window.
func SetWindow(after *tablev1.Window) *tablev1.Change {
	x := &struct {
		c tablev1.Change
		k tablev1.Change_Window
		w tablev1.WindowChange
	}{}
	x.w.Id, x.w.After = after.Id, after
	x.k.Window = &x.w
	x.c.Change = &x.k
	return &x.c
}
