package persona_test

import (
	"fmt"
	"slices"

	"github.com/hantei/hantei/engine/table"
	"github.com/hantei/hantei/engine/trial"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

// consistent: whoever explores, has a turn or fights is of the party and at the table,
// and the Reaper stands on a passage. Whom the GM places may stand anywhere.
func consistent(g *trial.Game) error {
	s := g.State()
	if s.Encounter == nil {
		return nil
	}
	d := s.Details.GetPersona()
	roster := s.Encounter.Roster
	for _, who := range roster {
		if table.Character(s, who) == nil {
			return fmt.Errorf("%s explores, and is not at the table", who)
		}
	}
	for what, some := range map[string][]string{
		"turn": s.Encounter.Turn, "battle with the Reaper": d.GetReaperBattle().GetCharacters(), "order": s.Encounter.Order, "battle": d.GetBattle().GetCharacters(),
	} {
		for _, who := range some {
			if !slices.Contains(roster, who) {
				return fmt.Errorf("%s is in the %s, and not of the party", who, what)
			}
		}
	}
	for _, r := range d.GetReapers() {
		if r.Square != nil && (r.Square.Floor != r.Floor || !passage(s, r.Square)) {
			return fmt.Errorf("the Reaper of floor %d stands on %v", r.Floor, r.Square)
		}
		if r.Square != nil && r.Defeated {
			return fmt.Errorf("the Reaper of floor %d was defeated, and stands on %v", r.Floor, r.Square)
		}
	}
	return nil
}

// passage reports whether one can stand on a square.
func passage(s *tablev1.State, at *typev1.Square) bool {
	return slices.ContainsFunc(passages(s, at.Floor), func(p *typev1.Square) bool { return p.X == at.X && p.Y == at.Y })
}
