package view

import (
	"slices"

	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

// Everybody looks at a table as it is now with the eyes of all who sit at it: it
// sees what every one of them sees. These are an observer's eyes, since to control
// a character or to lead only adds to what is seen.
type Everybody struct{ g gaze }

// All makes them. value gives the value of an option that is in force; "" for one
// that there is not, of which the least is shown.
func All(s *tablev1.State, value func(key string) string) *Everybody {
	vis := &tablev1.Visibility{}
	shown(vis, value)
	e := &Everybody{newGaze(Viewer{}, vis)}
	e.g.now = s
	return e
}

// Knows reports whether everybody knows of a character; "" is the table.
func (e *Everybody) Knows(character string) bool { return e.g.knows(character) }

// SeesDie reports whether everybody sees a die of an event that everybody is told of.
func (e *Everybody) SeesDie(d *typev1.Die, actor string) bool {
	of := d.Of
	if of == "" {
		of = actor
	}
	return e.g.knows(of) && e.g.may(d.Audience, of)
}

// IsTold reports whether everybody is told of an event.
func (e *Everybody) IsTold(ev *tablev1.Event) bool {
	return e.g.knows(ev.Actor) && e.g.may(ev.Audience, ev.Actor)
}

// ownership is what a stamp would say of a character now.
func ownership(s *tablev1.State, character string) *tablev1.Ownership {
	i := slices.IndexFunc(s.Characters, func(c *tablev1.Character) bool { return c.Id == character })
	if i < 0 {
		return nil
	}
	return &tablev1.Ownership{Character: character, Kind: s.Characters[i].Kind, Audience: s.Characters[i].Audience}
}
