package persona_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hantei/hantei/engine/pack"
	"github.com/hantei/hantei/engine/persona"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	"github.com/hantei/hantei/engine/trial"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
)

// TestGames plays random explorations until everything was used; see the package trial.
func TestGames(t *testing.T) { trial.Games(t, tables(t), gamesAtOnce, everything) }

// TestLeaks plays random explorations beside others that differ in what a seat may not
// know.
func TestLeaks(t *testing.T) { trial.Leaks(t, tables(t), leakSteps, notClasses...) }

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
	const goods = "of an NPC, and in a dungeon before a session, it is sent typed"
	const handOr = "the hand may be named, typed, or with what one searches"
	return &trial.Setup{
		Rules: rules, Pack: named(persona.DefaultPack()), Cast: party, Commands: 140,
		Moves: []trial.Move{
			{Weight: 12, Make: startSession},
			{Weight: 30, Refusable: true, Make: setOut},
			{Weight: 1, Make: validate},
			{Weight: 4, Lever: true, Refusable: true, Make: lay},
			{Weight: 4, Lever: true, Refusable: true, Make: reveal},
			{Weight: 6, Lever: true, Refusable: true, Make: set},
		},
		Often:   []string{"move", "search", "use_persona_skill"},
		Seldom:  []string{"end_exploration", "end_session", "end_turn", "wait"},
		Between: between, After: after, Unknown: otherwise, Reveals: reveals(),
		Spared: trial.Exceptions{
			{What: "status persona_disabled", Why: "gm_set dismisses a Persona, since more follows from it"},
		},
		Kept: trial.Exceptions{
			{What: "Persona.id", Why: "that there is one shows by its name, which is no secret"},
		},
		Later: trial.Exceptions{
			{What: "generate_dungeon", Why: "it is explored later"},
		},
		Unoffered: trial.Exceptions{
			{What: "move", Why: handOr}, {What: "search", Why: handOr}, {What: "use_skill_check", Why: handOr},
			{What: "use_persona_skill", Why: handOr}, {What: "use_item", Why: handOr}, {What: "persona_change", Why: handOr},
			{What: "resummon", Why: handOr}, {What: "change_floor", Why: handOr}, {What: "escape", Why: handOr},
			{What: "grant_initial_macca", Why: goods},
			{What: "close_place", Why: "closing what is not open does nothing"},
			{What: "open_facility", Why: "what is open may be opened anew"}, {What: "open_shop", Why: "what is open may be opened anew"},
			{What: "buy", Why: goods}, {What: "sell", Why: goods}, {What: "equip", Why: goods}, {What: "recover_at_facility", Why: goods},
		},
		Unforeseen: trial.Exceptions{
			{What: "refused NO_ARRIVAL", Why: "the GM has changed the other floor, which is not known"},
		},
		Unused: trial.Exceptions{
			{What: "action exchange_macca", Why: "it is always refused (PER-MAC-01)"},
			{What: "prompt battle_start_skills", Why: "no row of the pack has that timing"},
			{What: "prompt round_start_skills", Why: "no row of the pack has that timing"},
			{What: "row skills.yaml connect_away", Why: "no event names it"},
			{What: "row skills.yaml vigilance", Why: "no event names it"},
			{What: "row skills.yaml momotaro", Why: "no event names it"},
			{What: "row skills.yaml hiroemon", Why: "no event names it"},
			{What: "row skills.yaml sure_death", Why: "what never fails parries nothing (PER-SB-15), and there is no other use for it"},
		},
		Loose: trial.Exceptions{
			{What: "action buy", Why: "so many may be more than can be carried or paid"},
			{What: "prompt simultaneous_move", Why: "the GM may change the dungeon while it is asked"},
			{What: "prompt treasure_reward", Why: "by now they may be too many to carry"},
			{What: "prompt hiroemon_reward", Why: "by now they may be too many to carry"},
		},
		Above: trial.Exceptions{
			{What: "resource hp", Why: "the maximum follows the Persona, and the value may exceed it (section 3.1)"},
			{What: "resource mp", Why: "the maximum follows the Persona, and the value may exceed it (section 3.1)"},
		},
	}
}

// named are the tables whose rows have names that are told. The others are of numbers,
// each of which is looked up by another one.
func named(all []pack.File) []pack.File {
	return slices.DeleteFunc(slices.Clone(all), func(f pack.File) bool {
		return slices.Contains([]string{"base_db.yaml", "db_by_stat.yaml", "moon.yaml", "weather.yaml"}, f.Name)
	})
}

// party are some PCs and somebody who comes along.
func party(g *trial.Game) []*tablev1.Character {
	var all []*tablev1.Character
	ids := []string{"a", "b", "c", "d", "scout", "medic"}
	g.Rand.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
	if g.Chance(4) || g.Led("prompt cover_consent") || g.Led("prompt support") || g.Led("prompt ambush_representative") {
		// Equals move together, and fight together then.
		ids = []string{"d", "d", "d", "b"}
	}
	for _, id := range append(ids[:2+g.Rand.IntN(3)], "guide") {
		ch := g.Sample(id, all)
		ch.Review = tablev1.Review_REVIEW_APPROVED
		vary(g, ch)
		all = append(all, ch)
	}
	return all
}

// vary makes a sheet one of its own: other skills and things, few points left.
func vary(g *trial.Game, ch *tablev1.Character) {
	d := ch.Details.GetPersona()
	for _, p := range d.Personas {
		for range 3 {
			if id := g.Row("skills.yaml"); !slices.Contains(p.Skills, id) {
				p.Skills = append(p.Skills, id)
			}
		}
		for _, s := range []string{"analyze", "recovery", "support", "fire", "ice", "dark", "strike"} {
			if !slices.Contains(p.Specialties, s) && !g.Chance(3) {
				p.Specialties = append(p.Specialties, s)
			}
		}
	}
	for range g.Rand.IntN(4) {
		item := g.Row("items.yaml")
		if !slices.ContainsFunc(d.Inventory, func(c *personav1.Carried) bool { return c.Item == item }) {
			d.Inventory = append(d.Inventory, &personav1.Carried{Item: item, Count: 1})
		}
	}
	slices.SortFunc(d.Inventory, func(a, b *personav1.Carried) int { return strings.Compare(a.Item, b.Item) })
	few := func(key string) {
		r := table.Resource(ch, key)
		*r.Value = 1 + g.Rand.Int32N(5)
		if r.Max != nil {
			r.Band = rule.BandOf(r.GetValue(), r.GetMax())
		}
	}
	if g.Chance(4) {
		few("hp")
	}
	if g.Chance(6) {
		few("san")
	}
	*table.Resource(ch, "macca").Value = g.Rand.Int32N(3) * 500
	if mp := table.Resource(ch, "mp"); g.Chance(2) {
		*mp.Value = 60
		mp.Band = rule.BandOf(mp.GetValue(), mp.GetMax())
	}
	if g.Chance(2) {
		for _, key := range []string{"persona_skill", "spot_hidden", "locksmith"} {
			if s := table.Stat(ch, key); s != nil {
				*s.Value = 90
			}
		}
	}
}

func startSession(g *trial.Game) (string, proto.Message) {
	if g.State().Encounter != nil || g.State().Details.GetPersona().GetSession().GetState() == personav1.SessionState_SESSION_STATE_RUNNING {
		return "", nil
	}
	return "", &personav1.StartSession{Level: 5 + g.Rand.Int32N(70)}
}

// setOut begins an exploration, now and then of the dungeon that was generated last.
func setOut(g *trial.Game) (string, proto.Message) {
	if g.State().Encounter != nil {
		return "", nil
	}
	a := &personav1.StartExploration{}
	if g.State().Details.GetPersona().GetBlueprint() == nil || !g.Chance(4) {
		a.Dungeon = handMade(g)
	}
	return "", a
}

func validate(g *trial.Game) (string, proto.Message) {
	return "", &personav1.ValidateDungeon{Dungeon: handMade(g), PartySize: 4}
}

// handMade is a dungeon of two floors with whatever can lie in one.
func handMade(g *trial.Game) *personav1.Dungeon {
	d := &personav1.Dungeon{
		Level: 1 + g.Rand.Int32N(60), Moon: anyMoon(g), Weather: anyWeather(g),
		Floors: []*personav1.Floor{{Number: 1, Rows: []string{"....", ".#..", "...."}}, {Number: 2, Rows: []string{"...", "..#", "..."}}},
		Features: []*personav1.Feature{
			{Id: 1, Square: square(0, 0, 1), Kind: &personav1.Feature_Stairs{Stairs: &personav1.Stairs{To: &personav1.Stairs_Outside{Outside: true}}}},
			{Id: 2, Square: square(3, 0, 1), Kind: &personav1.Feature_Stairs{Stairs: &personav1.Stairs{To: &personav1.Stairs_Stairs{Stairs: 3}}}},
			{Id: 3, Square: square(0, 0, 2), Kind: &personav1.Feature_Stairs{Stairs: &personav1.Stairs{To: &personav1.Stairs_Stairs{Stairs: 2}}}},
		},
	}
	if g.Chance(3) { // the Reaper comes soon
		d.Floors[0].RoundLimitOverride = proto.Int32(1 + g.Rand.Int32N(3))
	}
	for _, s := range []*typev1.Square{square(1, 0, 1), square(2, 0, 1), square(0, 1, 1), square(2, 1, 1), square(0, 2, 1), square(1, 2, 1), square(2, 2, 1), square(1, 0, 2), square(0, 1, 2), square(2, 2, 2)} {
		if g.Chance(2) {
			d.Features = append(d.Features, anyFeature(g, int32(len(d.Features)+1), s))
		}
	}
	return d
}

func square(x, y, floor int32) *typev1.Square { return &typev1.Square{X: x, Y: y, Floor: floor} }

func anyMoon(g *trial.Game) personav1.Moon { return personav1.Moon(1 + g.Rand.IntN(9)) }

func anyWeather(g *trial.Game) personav1.Weather { return personav1.Weather(1 + g.Rand.IntN(5)) }

// anyFeature is something that lies on a square, hidden or not.
func anyFeature(g *trial.Game, id int32, s *typev1.Square) *personav1.Feature {
	f := &personav1.Feature{Id: id, Square: s}
	if g.Chance(2) {
		f.Visibility = trial.Pick(g, []personav1.Visibility{personav1.Visibility_VISIBILITY_HIDDEN, personav1.Visibility_VISIBILITY_OPEN})
	}
	switch g.Rand.IntN(7) {
	case 0:
		f.Kind = &personav1.Feature_Warp{Warp: &personav1.Warp{
			To: square(3, 2, 1), Mode: trial.Pick(g, []personav1.WarpMode{personav1.WarpMode_WARP_MODE_FORCED, personav1.WarpMode_WARP_MODE_OPTIONAL}),
		}}
	case 1:
		f.Kind = &personav1.Feature_Item{Item: treasure(g)}
	case 2, 3:
		f.Kind = &personav1.Feature_Trap{Trap: &personav1.Trap{Kind: g.Row("traps.yaml")}}
	case 4:
		f.Kind = &personav1.Feature_Event{Event: &personav1.EventFeature{
			Key: "a voice", Again: g.Chance(2), Trigger: trial.Pick(g, []personav1.Trigger{personav1.Trigger_TRIGGER_MOVE, personav1.Trigger_TRIGGER_SEARCH}),
		}}
	default:
		f.Kind = &personav1.Feature_Enemy{Enemy: &personav1.Enemy{
			Name: g.Row("enemies.yaml"), Level: 1 + g.Rand.Int32N(40), Count: 1 + g.Rand.Int32N(4),
			Specialties: []string{trial.Pick(g, []string{"strike", "fire", "dark", "electric", "light"})},
		}}
	}
	return f
}

func treasure(g *trial.Game) *personav1.Treasure {
	out := &personav1.Treasure{Macca: g.Rand.Int32N(3) * 40, Container: trial.Pick(g, []string{"", "a red chest"})}
	if out.Macca == 0 || g.Chance(2) {
		out.Items = []*personav1.ItemCount{{Item: g.Row("items.yaml"), Count: 1 + g.Rand.Int32N(3)}}
	}
	return out
}

// somewhere is a square of the dungeon or near it.
func somewhere(g *trial.Game) *typev1.Square {
	return square(g.Rand.Int32N(5), g.Rand.Int32N(4), 1+g.Rand.Int32N(2))
}

// features are those that lie in the dungeon now.
func features(g *trial.Game) []*personav1.Feature {
	return g.State().Details.GetPersona().GetFeatures()
}

func lay(g *trial.Game) (string, proto.Message) {
	return "", &personav1.PlaceItem{Square: somewhere(g), Auto: g.Chance(2), Treasure: treasure(g)}
}

func reveal(g *trial.Game) (string, proto.Message) {
	if len(features(g)) == 0 {
		return "", nil
	}
	a := &personav1.RevealFeature{Feature: trial.Pick(g, features(g)).Id, Data: g.Chance(2)}
	if c := g.Character(); c != nil && g.Chance(3) {
		a.Character = c.Id
	}
	return "", a
}

// set changes by hand whatever can be.
func set(g *trial.Game) (string, proto.Message) {
	c := g.Character()
	if c == nil {
		return "", nil
	}
	a := &personav1.Set{Reason: "a slip"}
	switch g.Rand.IntN(9) {
	case 0:
		a.Character, a.What = c.Id, &personav1.Set_Summoned{Summoned: g.Chance(2)}
	case 1:
		a.Character, a.What = c.Id, &personav1.Set_Item{Item: &personav1.ItemCount{Item: g.Row("items.yaml"), Count: g.Rand.Int32N(4)}}
	case 2:
		a.Character, a.What = c.Id, &personav1.Set_Slots{Slots: &personav1.Equipment{Weapon: trial.Pick(g, []string{"", "iron_bat", "rune_blade"})}}
	case 3:
		a.What = &personav1.Set_Feature{Feature: anyFeature(g, 0, somewhere(g))}
	case 4:
		if len(features(g)) == 0 {
			return "", nil
		}
		a.What = &personav1.Set_Remove{Remove: trial.Pick(g, features(g)).Id}
	case 5:
		a.What = &personav1.Set_Terrain{Terrain: &personav1.SetTerrain{Square: somewhere(g), Passage: g.Chance(2)}}
	case 6:
		a.What = &personav1.Set_Weather{Weather: anyWeather(g)}
	case 7:
		a.What = &personav1.Set_Moon{Moon: anyMoon(g)}
	default:
		a.What = &personav1.Set_DungeonLevel{DungeonLevel: 1 + g.Rand.Int32N(60)}
	}
	return "", a
}

// after: nobody has less than nothing of what is counted, or a Persona that is not there.
func after(g *trial.Game, events []*tablev1.Event) error {
	if err := learned(g, events); err != nil {
		return err
	}
	s := g.State()
	for _, ch := range s.Characters {
		for _, key := range []string{"hp", "mp", "san", "macca"} {
			if r := table.Resource(ch, key); r.GetValue() < 0 {
				return fmt.Errorf("%s has %d %s", ch.Id, r.GetValue(), key)
			}
		}
		d := ch.Details.GetPersona()
		for _, c := range d.GetInventory() {
			if c.Count <= 0 {
				return fmt.Errorf("%s carries %d of %s", ch.Id, c.Count, c.Item)
			}
		}
		if d.GetActive().GetPersona() != "" && !slices.ContainsFunc(d.Personas, func(p *personav1.Persona) bool { return p.Id == d.Active.Persona }) {
			return fmt.Errorf("%s has declared %s, and has no such Persona", ch.Id, d.Active.Persona)
		}
	}
	return nil
}

// canExplore: while an exploration goes on somebody has a turn and can act.
func canExplore(g *trial.Game) error {
	s := g.State()
	if s.Encounter == nil || g.Waiting() || g.Cancelled() || s.Encounter.Step != "active" {
		return nil
	}
	down := func(id string) bool {
		c := table.Character(s, id)
		return c == nil || table.Status(c, "incapacitated") != nil || table.Status(c, "unconscious") != nil || table.Status(c, "dead") != nil
	}
	if len(s.Encounter.Turn) == 0 && !slices.ContainsFunc(s.Encounter.Roster, func(id string) bool { return !down(id) }) {
		return nil // the GM says how it goes on (PER-EXP-09)
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

func setPart(p *personav1.Part) *tablev1.Change { return rule.SetPart("", rule.Wrap[*tablev1.Part](p)) }

func setFeature(f *personav1.Feature) *tablev1.Change {
	return setPart(&personav1.Part{Part: &personav1.Part_Features{Features: f}})
}
