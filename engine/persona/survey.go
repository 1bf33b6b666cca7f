package persona

import (
	"github.com/hantei/hantei/engine/pack"
	"github.com/hantei/hantei/engine/persona/dungeon"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// Survey looks at dungeons that nobody explores yet, with the tables of a pack.
type Survey struct{ game game }

// NewSurvey makes one. It returns all that is wrong with the pack as pack.Errors.
func NewSurvey(files []pack.File) (*Survey, error) {
	t, errs := load(files)
	if len(errs) > 0 {
		return nil, errs
	}
	return &Survey{game{pack: t, dungeons: dungeonTables(t)}}, nil
}

// Tables are the tables that dungeons are made with.
func (s *Survey) Tables() *dungeon.Tables { return s.game.dungeons }

// Dungeon is a dungeon in the core's words, as the GM sees one of which the players
// know nothing.
func (s *Survey) Dungeon(d *personav1.Dungeon) *tablev1.Dungeon {
	parts := &personav1.Details{
		Conditions: &personav1.Conditions{Level: d.Level, Moon: d.Moon, Weather: d.Weather}, Features: d.Features,
	}
	state := &tablev1.State{Details: &tablev1.Details{Ruleset: &tablev1.Details_Persona{Persona: parts}}}
	out := &tablev1.Dungeon{}
	for _, f := range d.Floors {
		out.Floors = append(out.Floors, &tablev1.DungeonFloor{Number: f.Number, Rows: f.Rows})
	}
	for _, f := range d.Features {
		out.Features = append(out.Features, s.game.row(state, f))
	}
	return out
}

// Icon is the word of the icon of a kind of mark; "" for one that there is not.
func (s *Survey) Icon(kind string) string {
	for _, m := range marks {
		if m.Kind == kind {
			return m.Icon
		}
	}
	return ""
}
