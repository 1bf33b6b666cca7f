package persona_test

import (
	"fmt"
	"slices"

	"github.com/hantei/hantei/engine/persona/dungeon"
	"github.com/hantei/hantei/engine/table"
	"github.com/hantei/hantei/engine/trial"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
)

// between is what holds between two commands.
func between(g *trial.Game) error {
	for _, holds := range []func(*trial.Game) error{canExplore, soundDungeon, soundKnowledge, soundTurn, soundReapers, soundBattle} {
		if err := holds(g); err != nil {
			return err
		}
	}
	return nil
}

// soundDungeon: there is a dungeon while it is explored, and what lies in it stands twice
// in the state, each time the same, on squares that can be entered.
func soundDungeon(g *trial.Game) error {
	s := g.State()
	d := s.Details.GetPersona()
	if (s.Dungeon == nil) != (s.Encounter == nil) {
		return fmt.Errorf("an exploration: %v, a dungeon: %v", s.Encounter != nil, s.Dungeon != nil)
	}
	if s.Dungeon == nil {
		if n := len(d.GetFeatures()) + len(d.GetReapers()) + len(d.GetSightings()) + len(d.GetFloors()) + len(d.GetLimits()); n > 0 {
			return fmt.Errorf("%d pieces are left of a dungeon", n)
		}
		return nil
	}
	for _, f := range d.GetFeatures() {
		row := table.DungeonFeature(s, f.Id)
		switch {
		case row == nil || row.Gone:
			return fmt.Errorf("feature %d lies there, and the dungeon has %v", f.Id, row)
		case !proto.Equal(row.Square, f.Square) || row.Kind != kindOf(f) || row.Hidden != (dungeon.Shows(f) == personav1.Visibility_VISIBILITY_HIDDEN):
			return fmt.Errorf("feature %v is in the dungeon %v", f, row)
		case !passage(s, f.Square):
			return fmt.Errorf("feature %v lies in a wall", f)
		}
	}
	for _, row := range s.Dungeon.Features {
		if !row.Gone && !slices.ContainsFunc(d.GetFeatures(), func(f *personav1.Feature) bool { return f.Id == row.Id }) {
			return fmt.Errorf("the dungeon has %v, and no such feature lies there", row)
		}
	}
	return nil
}

// soundKnowledge: what is known of squares is true, each mark is of something that is
// there, under a number that nothing else has had, and whoever knows of something knows
// its square (PER-HID-01, PER-HID-02).
func soundKnowledge(g *trial.Game) error {
	s := g.State()
	for _, sq := range s.Dungeon.GetSquares() {
		is := tablev1.Terrain_TERRAIN_WALL
		if passage(s, sq.Square) {
			is = tablev1.Terrain_TERRAIN_PASSAGE
		}
		if sq.Terrain != is {
			return fmt.Errorf("what is known of a square is not true: %v", sq)
		}
	}
	type key struct {
		of     string
		number int32
	}
	given := make(map[key]string)
	give := func(of string, n int32, what string) error {
		if was := given[key{of, n}]; was != "" {
			return fmt.Errorf("%s and %s are both known to %q as %d", was, what, of, n)
		}
		given[key{of, n}] = what
		return nil
	}
	for _, f := range s.Dungeon.GetFeatures() {
		for _, k := range f.Known {
			if err := give(k.Of, k.Number, fmt.Sprint("feature ", f.Id)); err != nil {
				return err
			}
			m := table.DungeonMark(s, k.Of, k.Number)
			switch {
			case f.Gone && m != nil:
				return fmt.Errorf("%v is gone, and still marked", f)
			case f.Gone:
			case m == nil || m.Kind != f.Kind || !proto.Equal(m.Square, f.Square) || m.Detail != k.Detail:
				return fmt.Errorf("%v is marked as %v", f, m)
			}
		}
	}
	for _, r := range s.Details.GetPersona().GetReapers() {
		for _, k := range r.Numbers {
			if err := give(k.Of, k.Number, fmt.Sprint("the Reaper of floor ", r.Floor)); err != nil {
				return err
			}
		}
	}
	for _, m := range s.Dungeon.GetMarks() {
		if given[key{m.Of, m.Number}] == "" {
			return fmt.Errorf("%v is a mark of nothing", m)
		}
		if at := table.DungeonSquare(s, m.Of, m.Square); at.GetTerrain() != tablev1.Terrain_TERRAIN_PASSAGE {
			return fmt.Errorf("%v is a mark on a square known as %v", m, at)
		}
	}
	return nil
}

// soundTurn: who explores is at the table; who has the turn is in the order, and the order
// is the party; whoever has a hand left has the turn, or waits (PER-EXP-04 to 08).
func soundTurn(g *trial.Game) error {
	s := g.State()
	e := s.Encounter
	for _, id := range e.GetRoster() {
		if table.Character(s, id) == nil {
			return fmt.Errorf("%s explores, and is not at the table", id)
		}
	}
	for _, c := range s.Characters {
		h := c.Details.GetPersona().GetHands()
		switch {
		case e == nil && h != nil:
			return fmt.Errorf("%s has hands, and explores nothing", c.Id)
		case e.GetStep() == "suspended": // the round is over with the battle (PER-RPR-07)
		case (h.GetMove() || h.GetMain()) && !h.GetWaiting() && !h.GetTied() && !slices.Contains(e.GetTurn(), c.Id):
			return fmt.Errorf("%s has %v, and no turn: %v", c.Id, h, e)
		case h.GetMain() && h.GetActed():
			return fmt.Errorf("%s has had the turn, and has %v", c.Id, h)
		}
	}
	for _, list := range [][]string{e.GetTurn(), e.GetOrder()} {
		for i, id := range list {
			if !slices.Contains(e.Roster, id) || slices.Contains(list[:i], id) {
				return fmt.Errorf("%s has a turn, or twice: %v", id, e)
			}
		}
	}
	for _, l := range s.Details.GetPersona().GetLimits() {
		if l.Limit < 1 || table.DungeonFloor(s, l.Floor) == nil {
			return fmt.Errorf("a limit of %v", l)
		}
	}
	return nil
}

// soundReapers: a Reaper that was not defeated stands where it can, on a floor of its own,
// and those who fight it explore; that it is there is
// known, and its place as it is or not at all (PER-RPR-01 to 09).
func soundReapers(g *trial.Game) error {
	s := g.State()
	d := s.Details.GetPersona()
	for _, id := range d.GetReaperBattle().GetCharacters() {
		if !slices.Contains(s.Encounter.GetRoster(), id) {
			return fmt.Errorf("%s fights the Reaper, and does not explore", id)
		}
	}
	place := make(map[int32]*typev1.Square)
	for _, r := range d.GetReapers() {
		seen := slices.ContainsFunc(d.GetSightings(), func(x *personav1.Sighting) bool { return x.Floor == r.Floor })
		switch {
		case seen != (r.Square != nil):
			return fmt.Errorf("%v is known of: %v", r, seen)
		case r.Steps < 0 || r.Steps > 2 || r.Since > s.Encounter.GetRound():
			return fmt.Errorf("%v in round %d", r, s.Encounter.GetRound())
		case r.Square == nil:
			continue
		case r.Defeated:
			return fmt.Errorf("%v was defeated, and stands there", r)
		case r.Square.Floor != r.Floor || !passage(s, r.Square):
			return fmt.Errorf("%v stands where it cannot", r)
		}
		place[r.Floor] = r.Square
	}
	for _, m := range s.Dungeon.GetMarks() {
		if m.Kind == "reaper" && !proto.Equal(m.Square, place[m.Square.Floor]) {
			return fmt.Errorf("%v, and the Reaper is at %v", m, place[m.Square.Floor])
		}
	}
	return nil
}

// soundBattle: those who fight are there and explore, and what attacks lies there.
func soundBattle(g *trial.Game) error {
	s := g.State()
	d := s.Details.GetPersona()
	b := d.GetBattle()
	if b == nil {
		if len(d.GetInstances())+len(d.GetCombatants()) > 0 {
			return fmt.Errorf("without a battle there are %v and %v", d.Instances, d.Combatants)
		}
		return nil
	}
	for _, id := range b.Characters {
		if table.Character(s, id) == nil || !slices.Contains(s.Encounter.GetRoster(), id) {
			return fmt.Errorf("%s fights, and does not explore", id)
		}
	}
	for _, c := range d.GetCombatants() {
		if !slices.Contains(b.Characters, c.Character) || c.ReactionsLeft < 0 {
			return fmt.Errorf("%v in the battle of %v", c, b.Characters)
		}
	}
	for _, i := range d.GetInstances() {
		if !slices.Contains(b.Characters, i.Character) {
			return fmt.Errorf("%v in the battle of %v", i, b.Characters)
		}
	}
	if f := table.DungeonFeature(s, b.GetFeature()); f == nil || f.Kind != "enemy" || b.Enemies < 1 {
		return fmt.Errorf("the battle %v is with %v", b, f)
	}
	return nil
}

// learned: what a command tells is where it can be, and what is known is forgotten by no
// rule: a square never is, and a mark only with what it is of.
func learned(g *trial.Game, events []*tablev1.Event) error {
	s := g.State()
	for _, e := range events {
		if len(e.Undoes)+len(e.Redoes) > 0 {
			return nil
		}
		for _, c := range e.Changes {
			if c.GetDungeonSquare().GetRemoved() {
				return fmt.Errorf("%s forgets %v", e.Name, c)
			}
			if c.GetDungeonMark().GetRemoved() && !slices.Contains([]string{"feature_removed", "reaper_lost", "normal_battle_resolved"}, e.Name) {
				return fmt.Errorf("%s forgets %v", e.Name, c)
			}
		}
		if e.Name != "token_moved" {
			continue
		}
		for _, f := range e.Facts {
			if f.Key == "to" && s.Dungeon != nil && !passage(s, f.Squares[0]) {
				return fmt.Errorf("%s moves to %v", e.Actor, f.Squares[0])
			}
		}
	}
	return nil
}
