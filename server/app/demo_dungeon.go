package app

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"

	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"github.com/hantei/hantei/server/host"
)

// DungeonDemo is a table of persona that is ready to play: four PCs at the entrance of
// a generated dungeon. Dungeon and dice are always the same ones.
type DungeonDemo struct {
	// Table is its id.
	Table string
	// GM, Aoi and Chiharu are the tokens of its seats; each player has two PCs.
	GM, Aoi, Chiharu string
}

// NewDungeonDemo makes a demo table with a dungeon.
func NewDungeonDemo(ctx context.Context, h *host.Host) (*DungeonDemo, error) {
	d := &DungeonDemo{}
	dice := &host.FixedDice{Label: "demo", Seed: sha256.Sum256([]byte("hantei demo persona"))}
	made, err := seatDemo(ctx, h, host.NewTable{Name: "Dungeon demo", Ruleset: "persona", FixedDice: dice}, []demoPlayer{
		{&d.Aoi, "Aoi's player", []string{"a", "b"}}, {&d.Chiharu, "Chiharu's player", []string{"c", "d"}},
	}, "a", "b", "c", "d")
	if err != nil {
		return nil, err
	}
	d.Table, d.GM = made.Table.ID, made.Token
	for _, a := range []*personav1.Action{
		{Action: &personav1.Action_GenerateDungeon{GenerateDungeon: &personav1.GenerateDungeon{
			Seed: "5", DungeonLevel: 10, Moon: personav1.Moon_MOON_FULL, Weather: personav1.Weather_WEATHER_RAIN, Floors: 2, Width: 4, Height: 4,
		}}},
		{Action: &personav1.Action_StartExploration{StartExploration: &personav1.StartExploration{}}},
	} {
		act := host.Act{Action: &tablev1.Action{Ruleset: &tablev1.Action_Persona{Persona: a}}}
		if _, err := h.Act(ctx, demoGM(made), act); err != nil {
			return nil, fmt.Errorf("demo: %w", err)
		}
	}
	return d, nil
}

var demoExploration = []demoLine{
	{"Aoi has two Personas, and is asked with which of them she explores.", "AOI", "/prompts/-:answer",
		`{"answers": [{"character": "a", "choice": "alpha"}]}`},
	{"Chiharu is the quickest. She takes a step, and everybody knows what she sees.", "CHIHARU", ":act",
		`{"actor": "c", "action": {"persona": {"move": {"direction": "DIRECTION_LEFT"}}}}`},
	{"The main hand moves as well: another step, and something lies there.", "CHIHARU", ":act",
		`{"actor": "c", "action": {"persona": {"move": {"direction": "DIRECTION_UP"}}}}`},
	{"Aoi comes after her.", "AOI", ":act",
		`{"actor": "a", "action": {"persona": {"move": {"direction": "DIRECTION_LEFT"}}}}`},
	{"She searches the square beside hers. What was found already may be picked up: she is asked.", "AOI", ":act",
		`{"actor": "a", "action": {"persona": {"search": {"square": {"x": 2, "y": 1, "floor": 1}}}}}`},
	{"She takes it.", "AOI", "/prompts/-:answer",
		`{"answers": [{"character": "a", "choice": "all"}]}`},
}

// Print writes what to paste into a shell that has the lines of Demo.Print: the tokens,
// the lines of an exploration, a look at the table, and pictures of the dungeon.
func (d *DungeonDemo) Print(w io.Writer) {
	fmt.Fprintf(w, `Another table is ready, with the ruleset persona: Aoi, Bunta, Chiharu and Daigo at
the entrance of a generated dungeon. Paste the lines with URL and say of above, and these:

DUNGEON=%s
KEEPER=%s
AOI=%s
CHIHARU=%s

`, d.Table, d.GM, d.Aoi, d.Chiharu)
	printLines(w, "DUNGEON", demoExploration)
	fmt.Fprint(w, `# The dungeon's table as Aoi's player sees it now, with all that her PCs can do:
curl -s "$URL/v1/tables/${DUNGEON}/view" -H "Authorization: Bearer $AOI" -H "Accept-Language: en"

# A picture of the dungeon as the players know it:
curl -s "$URL/v1/tables/${DUNGEON}/dungeon.svg" -H "Authorization: Bearer $AOI" -H "Accept-Language: en" -o known.svg

# And as it is, for the keeper:
curl -s "$URL/v1/tables/${DUNGEON}/dungeon.svg" -H "Authorization: Bearer $KEEPER" -H "Accept-Language: en" -o dungeon.svg

`)
}
