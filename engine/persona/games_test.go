package persona_test

import (
	"fmt"
	"testing"

	"github.com/hantei/hantei/engine/persona"
	"github.com/hantei/hantei/engine/table"
	"github.com/hantei/hantei/engine/trial"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
)

// TestGames plays random explorations; see the package trial. Not everything is used:
// search, battle, the Reaper and goods have no rules yet.
func TestGames(t *testing.T) { trial.Games(t, tables(t), 8, false) }

// TestLeaks plays random explorations beside others that differ in what a seat may not
// know.
func TestLeaks(t *testing.T) { trial.Leaks(t, tables(t), 900, notClasses...) }

// notClasses are the rows of "Who sees what" whose cells are no audience: what is known
// of a dungeon decides, or who is asked.
var notClasses = []string{
	"name, side,", "`roll` and `success`", "dice and power of `enemy_attack`", "round limit", "feature of detail",
	"destination of a warp", "the Reaper: place", "why a search", "prompts: choices", "prompts: answer", "`DENIED`", "`gm_override`",
}

// tables are how tables of these rules are set up for trial.
func tables(t *testing.T) *trial.Setup {
	rules, err := persona.New(persona.DefaultPack())
	if err != nil {
		t.Fatal(err)
	}
	return &trial.Setup{
		Rules: rules, Pack: persona.DefaultPack(), Cast: party, Text: seed,
		Moves: []trial.Move{
			{Weight: 3, Make: explore},
			{Weight: 1, Make: func(*trial.Game) (string, proto.Message) {
				return "", &personav1.ValidateDungeon{Dungeon: handMade(), PartySize: 4}
			}},
		},
		Often:   []string{"move", "end_turn"},
		Seldom:  []string{"end_exploration", "end_session"},
		Between: canExplore,
		Reveals: trial.Exceptions{
			{What: "encounter", Why: "the order of turns follows a hidden DEX (PER-CHK-05)"},
		},
		Later: trial.Exceptions{
			{What: "generate_dungeon", Why: "it is explored later"},
		},
		Unoffered: trial.Exceptions{
			{What: "move", Why: "the hand may be named, typed"},
		},
		Untried: trial.Exceptions{
			{What: "generate_dungeon", Why: "each sample of its seed makes a whole dungeon"},
		},
		Above: trial.Exceptions{
			{What: "resource hp", Why: "the maximum follows the Persona, and the value may exceed it (section 3.1)"},
			{What: "resource mp", Why: "the maximum follows the Persona, and the value may exceed it (section 3.1)"},
		},
	}
}

// party are four PCs and somebody who comes along.
func party(g *trial.Game) []*tablev1.Character {
	var all []*tablev1.Character
	for _, id := range []string{"a", "b", "c", "d", "guide"} {
		all = append(all, g.Sample(id, all))
	}
	for _, ch := range all {
		ch.Review = tablev1.Review_REVIEW_APPROVED
	}
	return all
}

// seed is that of a dungeon, which is a number.
func seed(g *trial.Game, in *tablev1.Input) string {
	if in.Name == "seed" {
		return fmt.Sprint(g.Rand.Uint64())
	}
	return ""
}

// explore begins an exploration, mostly of the dungeon that was generated last.
func explore(g *trial.Game) (string, proto.Message) {
	if g.State().Encounter != nil {
		return "", nil
	}
	a := &personav1.StartExploration{}
	if g.State().Details.GetPersona().GetBlueprint() == nil || g.Chance(2) {
		a.Dungeon = handMade()
	}
	return "", a
}

// handMade is a dungeon of two floors with all that can lie in one.
func handMade() *personav1.Dungeon {
	at := func(x, y, floor int32) *typev1.Square { return &typev1.Square{X: x, Y: y, Floor: floor} }
	return &personav1.Dungeon{
		Level: 20, Moon: personav1.Moon_MOON_FULL, Weather: personav1.Weather_WEATHER_RAIN,
		Floors: []*personav1.Floor{{Number: 1, Rows: []string{"....", ".#..", "...."}}, {Number: 2, Rows: []string{"...", "..#", "..."}}},
		Features: []*personav1.Feature{
			{Id: 1, Square: at(0, 0, 1), Kind: &personav1.Feature_Stairs{Stairs: &personav1.Stairs{To: &personav1.Stairs_Outside{Outside: true}}}},
			{Id: 2, Square: at(3, 0, 1), Kind: &personav1.Feature_Stairs{Stairs: &personav1.Stairs{To: &personav1.Stairs_Stairs{Stairs: 3}}}},
			{Id: 3, Square: at(0, 0, 2), Kind: &personav1.Feature_Stairs{Stairs: &personav1.Stairs{To: &personav1.Stairs_Stairs{Stairs: 2}}}},
			{Id: 4, Square: at(0, 2, 1), Kind: &personav1.Feature_Warp{Warp: &personav1.Warp{To: at(3, 2, 1), Mode: personav1.WarpMode_WARP_MODE_OPTIONAL}}},
			{Id: 5, Square: at(1, 0, 1), Kind: &personav1.Feature_Item{Item: &personav1.Treasure{Macca: 40, Container: "a red chest"}}},
			{Id: 6, Square: at(2, 2, 1), Visibility: personav1.Visibility_VISIBILITY_HIDDEN, Kind: &personav1.Feature_Enemy{Enemy: &personav1.Enemy{
				Name: "rust_hound", Level: 24, Count: 3, Specialties: []string{"strike"},
			}}},
			{Id: 7, Square: at(2, 0, 1), Kind: &personav1.Feature_Trap{Trap: &personav1.Trap{Kind: "dart"}}},
			{Id: 8, Square: at(2, 2, 2), Kind: &personav1.Feature_Event{Event: &personav1.EventFeature{Key: "a voice"}}},
		},
	}
}

// canExplore: while an exploration goes on somebody has a turn, and stands somewhere.
func canExplore(g *trial.Game) error {
	s := g.State()
	if s.Encounter == nil || g.Waiting() || g.Cancelled() || s.Encounter.Step != "active" {
		return nil
	}
	if len(s.Encounter.Turn) == 0 {
		return fmt.Errorf("it is nobody's turn: %v", s.Encounter)
	}
	for _, who := range s.Encounter.Turn {
		if g.GM().Character(who) == nil {
			return fmt.Errorf("%s has the turn, and is not at the table", who)
		}
	}
	return nil
}

// TestSanityGoesDownWithItsMaximum: it is never above it. The games found that it was.
func TestSanityGoesDownWithItsMaximum(t *testing.T) {
	rules, err := persona.New(persona.DefaultPack())
	if err != nil {
		t.Fatal(err)
	}
	ch, refusal := rules.FromSample("a")
	if refusal != nil {
		t.Fatal(refusal)
	}
	most := int32(8)
	u := &tablev1.UpdateSheet{Resources: []*tablev1.ResourceInput{{Key: "san", Max: &most}}}
	if refusal := rules.Revise(ch, u); refusal != nil || table.Resource(ch, "san").GetValue() != most {
		t.Errorf("%v, %v", refusal, table.Resource(ch, "san"))
	}
	above := int32(9)
	u.Resources[0].Value = &above
	if refusal := rules.Revise(ch, u); refusal == nil || refusal.Reason != "INVALID_FIELD" {
		t.Errorf("more than the maximum: %v", refusal)
	}
}
