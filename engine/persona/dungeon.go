package persona

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"

	"github.com/hantei/hantei/engine/dice"
	"github.com/hantei/hantei/engine/persona/dungeon"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

// codedDungeon are the rules of making dungeons that have code.
var codedDungeon = []string{
	"PER-DUN-02", "PER-DUN-03", "PER-DUN-04", "PER-DUN-05", "PER-DUN-06", "PER-DUN-07",
	"PER-GEN-01", "PER-GEN-02", "PER-GEN-03", "PER-GEN-04", "PER-SQ-08", "PER-VAL-01", "PER-VAL-02",
}

func (g *game) registerDungeon(r *rule.Ruleset) {
	rule.Register(r, rule.Action[*personav1.GenerateDungeon]{Rule: "PER-GEN-01", Group: groupDungeon, GM: true, Table: true, NoOdds: true, Offers: g.offerGenerate, Valid: g.validGenerate, Run: g.generate})
	rule.Register(r, rule.Action[*personav1.ValidateDungeon]{Rule: "PER-VAL-01", Group: groupDungeon, GM: true, Table: true, Offers: g.offerValidate, Valid: g.validValidate, Run: g.validate})
}

// dungeonTables are the tables of a pack that dungeons are made with.
func dungeonTables(t *tables) *dungeon.Tables {
	out := &dungeon.Tables{
		Moon: make(map[personav1.Moon]int32), Weather: make(map[personav1.Weather]dungeon.WeatherRow),
		Traps: idsOf(t.traps),
	}
	for i, word := range moonWords {
		out.Moon[personav1.Moon(i+1)] = t.moon(word).MoonMod
	}
	for i, word := range weatherWords {
		row := t.weather(word)
		out.Weather[personav1.Weather(i+1)] = dungeon.WeatherRow{Rounds: row.RoundMod, Rank: row.RankMod}
	}
	for _, i := range t.items {
		out.Items = append(out.Items, dungeon.ItemRow{ID: i.ID, Rank: i.rank()})
	}
	for _, e := range t.enemies {
		out.Enemies = append(out.Enemies, dungeon.EnemyRow{ID: e.ID, Specialties: e.Specialties, MinLevel: e.MinLevel})
	}
	return out
}

// request is what a dungeon is to be generated from.
func request(a *personav1.GenerateDungeon) dungeon.Request {
	return dungeon.Request{Level: a.DungeonLevel, Moon: a.Moon, Weather: a.Weather, Floors: a.Floors, Width: a.Width, Height: a.Height}
}

func (g *game) validGenerate(_ *rule.View, _ string, a *personav1.GenerateDungeon) *rule.Refusal {
	const id, field = "PER-GEN-01", "action.persona.generate_dungeon."
	switch request(a).Check() {
	case dungeon.BadSize:
		return rule.Refuse(whyBadSize, id, field+"width")
	case dungeon.BadFloors:
		return rule.Refuse(whyBadFloors, id, field+"floors")
	case dungeon.BadLevel:
		return rule.Refuse(whyBadLevel, id, field+"dungeon_level")
	case dungeon.BadEnum:
		return rule.Refuse(whyBadEnum, id, field+"moon")
	}
	if _, ok := seedOf(a.Seed); !ok {
		return invalid(field+"seed").Say("uint64", rule.Sent("sent", a.Seed))
	}
	return nil
}

// seedOf reads a seed; an empty one is rolled.
func seedOf(text string) (uint64, bool) {
	if text == "" {
		return 0, true
	}
	n, err := strconv.ParseUint(text, 10, 64)
	return n, err == nil
}

// rollSeed makes a seed of dice that the GM alone sees: 16 digits of base 16.
func rollSeed(c *rule.Ctx) uint64 {
	seed := uint64(0)
	for _, face := range c.RollFor(rule.GM, "seed", "", dice.Dice{Count: 16, Sides: 16}) {
		seed = seed<<4 | uint64(face-1)
	}
	return seed
}

// generate makes a dungeon and keeps it for the exploration that comes (PER-GEN-01).
func (g *game) generate(c *rule.Ctx, _ string, a *personav1.GenerateDungeon) {
	r := request(a)
	r.Seed, _ = seedOf(a.Seed)
	if a.Seed == "" {
		r.Seed = rollSeed(c)
	}
	d := dungeon.Generate(g.dungeons, r)
	found := dungeon.Validate(g.dungeons, dungeon.Case{Dungeon: d, SessionLevel: sessionLevel(c.State)})
	sum := sha256.Sum256(table.Canonical(d))
	n := c.Emit(c.Event(dungeonCreated, "PER-GEN-01", "").For(rule.GM).
		Text(fSeed, "", rule.GM, strconv.FormatUint(r.Seed, 10)).
		Text(fHash, "", rule.GM, hex.EncodeToString(sum[:])).
		Number(fDungeonLevel, "", rule.GM, d.Level).
		Words(fMoon, "", rule.GM, moonWord(d.Moon)).
		Words(fWeather, "", rule.GM, weatherWord(d.Weather)).
		Words(fFindings, "", rule.GM, codesOf(found)...).
		Trace(g.dungeonTrace(d)...).
		Change(piece("", &personav1.Part{Part: &personav1.Part_Blueprint{Blueprint: d}})))
	tell(c, found, n)
}

// dungeonTrace is how the level of its enemies and the rank of its items come about.
func (g *game) dungeonTrace(d *personav1.Dungeon) []*typev1.TraceLine {
	level, rank := g.dungeons.EnemyLevel(d.Level, d.Moon), g.dungeons.ObtainedRank(d.Level, d.Weather)
	return []*typev1.TraceLine{
		{Audience: rule.GM, Label: "carving", Rule: "PER-GEN-02"}, {Audience: rule.GM, Label: "links", Rule: "PER-GEN-03"},
		{Audience: rule.GM, Label: "population", Rule: "PER-GEN-04"},
		{Audience: rule.GM, Label: "enemy_level", Rule: "PER-DUN-03", Result: &level},
		{Audience: rule.GM, Label: "item_rank", Rule: "PER-DUN-04", Result: &rank},
	}
}

func codesOf(found []*personav1.Finding) []string {
	var out []string
	for _, f := range found {
		out = append(out, f.Code)
	}
	return out
}

// findingRules are the rules that findings warn of, by code; PER-VAL-02 for the others.
var findingRules = map[string]string{
	"V02": "PER-SQ-08", "V03": "PER-SQ-08", "V15": "PER-DUN-05", "V16": "PER-DUN-06", "V19": "PER-DUN-02",
}

// tell tells the GM of each finding by itself, with its place.
func tell(c *rule.Ctx, found []*personav1.Finding, because int32) {
	for _, f := range found {
		id := findingRules[f.Code]
		if id == "" {
			id = "PER-VAL-02"
		}
		e := c.Event(dungeonFinding, id, "").For(rule.GM).Because(because).
			Words(fFindings, "", rule.GM, f.Code).
			Words(fFinding, "", rule.GM, f.Name).
			Words(fSeverity, "", rule.GM, rule.Word(f.Severity, "SEVERITY_"))
		if f.Feature != 0 {
			e.Number(fFeature, "", rule.GM, f.Feature)
		}
		if f.Square != nil {
			e.Squares(fSquare, "", rule.GM, f.Square)
		}
		if f.Floor != 0 {
			e.Number(fFloor, "", rule.GM, f.Floor)
		}
		c.Emit(e)
	}
}

// caseOf is a dungeon with what the table knows of its exploration.
func caseOf(v *rule.View, d *personav1.Dungeon, start *typev1.Square, party int32) dungeon.Case {
	return dungeon.Case{
		Dungeon: d, Start: start, Party: party, SessionLevel: sessionLevel(v.State), Unlinked: v.Flag("allow_unlinked"),
	}
}

// sessionLevel is the level of the running session; 0 without one.
func sessionLevel(s *tablev1.State) int32 {
	if session := tableDetails(s).GetSession(); session.GetState() == personav1.SessionState_SESSION_STATE_RUNNING {
		return session.Level
	}
	return 0
}

func (g *game) validValidate(v *rule.View, _ string, a *personav1.ValidateDungeon) *rule.Refusal {
	if dungeonFor(v.State, a.Dungeon) == nil {
		return invalid("action.persona.validate_dungeon.dungeon").Say("required")
	}
	return nil
}

// validate tells the GM all that is wrong with a dungeon (PER-VAL-01).
func (g *game) validate(c *rule.Ctx, _ string, a *personav1.ValidateDungeon) {
	found := dungeon.Validate(g.dungeons, caseOf(&c.View, dungeonFor(c.State, a.Dungeon), a.Start, a.PartySize))
	n := c.Emit(c.Event(dungeonValidated, "PER-VAL-01", "").For(rule.GM).Words(fFindings, "", rule.GM, codesOf(found)...))
	tell(c, found, n)
}

// invalidDungeon refuses a dungeon that cannot be explored, with all its errors and
// where they are (PER-VAL-01).
func (g *game) invalidDungeon(v *rule.View, d *personav1.Dungeon, start *typev1.Square, field string) *rule.Refusal {
	if d == nil {
		return rule.Refuse(whyInvalidDungeon, "PER-EXP-01", field)
	}
	var errs []string
	for _, f := range dungeon.Validate(g.dungeons, caseOf(v, d, start, 0)) {
		if f.Severity == personav1.Severity_SEVERITY_ERROR {
			errs = append(errs, findingText(f))
		}
	}
	if len(errs) == 0 {
		return nil
	}
	return rule.Refuse(whyInvalidDungeon, "PER-EXP-01", field).Say("dungeon_errors", rule.Code("findings", errs[:min(len(errs), mostErrors)]...))
}

// mostErrors is how many errors of a dungeon a refusal tells; validate_dungeon tells all.
const mostErrors = 20

// findingText is a finding in signs that are the same in every language: its code
// and name, and its place.
func findingText(f *personav1.Finding) string { return f.Code + " " + f.Name + dungeon.Place(f) }

func (g *game) offerGenerate(*rule.View, string) []*tablev1.Offer {
	const path = "persona.generate_dungeon."
	o := rule.NewOffer(&personav1.GenerateDungeon{}, nil, "generate_dungeon")
	seed := &tablev1.Input{Name: "seed", Path: path + "seed", Kind: tablev1.InputKind_INPUT_KIND_UINT64, MaxCount: 1}
	o.Inputs = []*tablev1.Input{
		needed(rule.NumberInput("dungeon_level", path+"dungeon_level", 1, 99)),
		rule.ChoiceInput("moon", path+"moon", moonWords), rule.ChoiceInput("weather", path+"weather", weatherWords),
		needed(rule.NumberInput("floors", path+"floors", 1, 20)),
		needed(rule.NumberInput("width", path+"width", 3, 20)), needed(rule.NumberInput("height", path+"height", 3, 20)),
		seed,
	}
	return []*tablev1.Offer{o}
}

func (g *game) offerValidate(v *rule.View, by string) []*tablev1.Offer {
	a := &personav1.ValidateDungeon{}
	return formOffer(a, g.validValidate(v, by, a), "validate_dungeon")
}
