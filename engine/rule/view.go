package rule

import (
	"strconv"

	"github.com/hantei/hantei/engine/table"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// Seat is who commands: what the engine needs to know of a seat.
type Seat struct {
	// ID of the seat; empty for the server itself.
	ID string
	// GM is true for a seat that leads the game. It controls every NPC.
	GM bool
	// Characters that the seat controls besides.
	Characters []string
}

// View is a state as somebody reads it: the whole one for the rules, the
// projected one for a seat's offers.
type View struct {
	State *tablev1.State
	// Seat is who commands or looks; zero for the rules themselves.
	Seat Seat
	// Options are the ruleset's and the core's, for their defaults.
	Options *Options
	// Refs finds an event by its sequence number in decimal; nil where nobody refers to one.
	Refs func(sequence string) EventRef
}

// EventRef is what is known of an event that a command refers to.
type EventRef struct {
	// Event is nil if there is no such event, or if it was taken back.
	Event *tablev1.Event
	// Open is true if it belongs to the step that is waiting now.
	Open bool
}

// Ref returns the event that a command refers to by its sequence number in decimal.
func (v *View) Ref(sequence string) EventRef {
	if v.Refs == nil {
		return EventRef{}
	}
	return v.Refs(sequence)
}

// Character returns the character with the id, or nil.
func (v *View) Character(id string) *tablev1.Character { return table.Character(v.State, id) }

// CharacterIDs lists the ids of the characters, in their order.
func (v *View) CharacterIDs() []string {
	ids := make([]string, len(v.State.Characters))
	for i, c := range v.State.Characters {
		ids[i] = c.Id
	}
	return ids
}

// Encounter returns the running encounter, or nil.
func (v *View) Encounter() *tablev1.Encounter { return v.State.Encounter }

// Option returns the value of a switch. It panics on an undeclared one.
func (v *View) Option(key string) string { return v.Options.Value(v.State.Options, key) }

// Flag returns the value of a switch that is true or false.
func (v *View) Flag(key string) bool { return v.Option(key) == "true" }

// Number returns the value of a switch that is a whole number.
func (v *View) Number(key string) int32 {
	n, err := strconv.ParseInt(v.Option(key), 10, 32)
	if err != nil {
		panic("rule: option " + key + " is no number") // Check guards every way in.
	}
	return int32(n)
}

// Waits reports whether a step waits for somebody: what is done meanwhile throws no
// dice, asks nothing, and has nothing run after it.
func (v *View) Waits() bool {
	for _, w := range v.State.Windows {
		if w.Open && !w.Standing {
			return true
		}
	}
	return false
}

// GMDecides is a status with which the GM decides for a character, whose seats do
// not meanwhile.
const GMDecides = "gm_decides"

// Controls reports whether the seat controls a character; "" is the table,
// which is the GM's.
func (v *View) Controls(id string) bool {
	if table.Status(v.Character(id), GMDecides) != nil {
		return v.Seat.GM
	}
	if v.Seat.GM && (id == "" || v.Character(id).GetKind() == tablev1.CharacterKind_CHARACTER_KIND_NPC) {
		return true
	}
	for _, own := range v.Seat.Characters {
		if own == id {
			return true
		}
	}
	return false
}
