package persona

import (
	"slices"

	"github.com/hantei/hantei/engine/dice"
	"github.com/hantei/hantei/engine/persona/dungeon"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"google.golang.org/protobuf/proto"
)

// asMade is the explored dungeon as the validator knows dungeons.
func asMade(s *tablev1.State) *personav1.Dungeon {
	cond := tableDetails(s).GetConditions()
	d := &personav1.Dungeon{Level: cond.GetLevel(), Moon: cond.GetMoon(), Weather: cond.GetWeather()}
	for _, f := range s.GetDungeon().GetFloors() {
		d.Floors = append(d.Floors, &personav1.Floor{Number: f.Number, Rows: f.Rows})
	}
	d.Features = slices.Clone(tableDetails(s).GetFeatures())
	return d
}

// wrong lists the errors of a dungeon that are about something that lies there.
func (g *game) wrong(d *personav1.Dungeon) []string {
	var out []string
	for _, f := range dungeon.Validate(g.dungeons, dungeon.Case{Dungeon: d}) {
		if f.Severity == personav1.Severity_SEVERITY_ERROR && f.Feature != 0 {
			out = append(out, findingText(f))
		}
	}
	return out
}

// mayLie refuses a feature, in place of the one of its id, that makes an error of the
// dungeon that was none before (PER-VAL-02).
func (g *game) mayLie(s *tablev1.State, f *personav1.Feature, field string) *rule.Refusal {
	d := asMade(s)
	before := g.wrong(d)
	d.Features = append(slices.DeleteFunc(d.Features, func(o *personav1.Feature) bool { return o.Id == f.Id }), f)
	errs := slices.DeleteFunc(g.wrong(d), func(text string) bool { return slices.Contains(before, text) })
	if len(errs) > 0 {
		return invalid(field).Say("dungeon_errors", rule.Code("findings", errs...))
	}
	return nil
}

// nextFeature is the id that something new in the dungeon gets: none is given twice.
func nextFeature(s *tablev1.State) int32 {
	last := int32(0)
	for _, f := range s.GetDungeon().GetFeatures() { // what is gone among them
		last = max(last, f.Id)
	}
	return last + 1
}

// lay writes a feature and tells the GM of it, and those who know of it already. Who
// stands there sees what shows; what is on the map of a floor is known to all on it
// (PER-HID-02).
func (g *game) lay(c *rule.Ctx, f *personav1.Feature, id, reason string) {
	e := lever(c, "", id, reason, rule.GM, kindOf(f), "", "").
		Number(fID, "", rule.GM, f.Id).
		Squares(fSquare, "", rule.GM, f.Square)
	c.Emit(e.Change(g.setFeature(c.State, f)...))
	if !shows(f) {
		return
	}
	onMap := dungeon.Shows(f) == personav1.Visibility_VISIBILITY_KNOWN
	var who []string
	for _, id := range explorers(&c.View) {
		at := place(c.Character(id))
		if ablePC(c.Character(id)) && at != nil && (sameSquare(at, f.Square) || onMap && at.Floor == f.Square.Floor) {
			who = append(who, id)
		}
	}
	for _, k := range knowers(&c.View, who) {
		if len(who) > 0 {
			g.reveal(c, k, f, full(f), "PER-HID-02")
		}
	}
}

// placeItem lays treasure on a square; with auto also an item of the rank that the
// dungeon gives, each as likely as the other (PER-DUN-04).
func (g *game) placeItem(c *rule.Ctx, _ string, a *personav1.PlaceItem) {
	f := laid(c.State, a)
	if a.Auto {
		cond := tableDetails(c.State).GetConditions()
		items := g.dungeons.Obtained(cond.GetLevel(), cond.GetWeather())
		drawn := c.RollFor(rule.GM, "place_item", "", dice.Dice{Count: 1, Sides: int32(len(items))})[0]
		t := f.GetItem()
		t.Items = append(t.Items, &personav1.ItemCount{Item: items[drawn-1], Count: 1})
	}
	g.lay(c, f, "PER-DUN-04", "")
}

// laid is the feature that treasure becomes.
func laid(s *tablev1.State, a *personav1.PlaceItem) *personav1.Feature {
	t := &personav1.Treasure{}
	proto.Merge(t, a.Treasure)
	return &personav1.Feature{
		Id: nextFeature(s), Square: a.Square, Visibility: a.Visibility, Kind: &personav1.Feature_Item{Item: t},
	}
}

func (g *game) validPlaceItem(v *rule.View, _ string, a *personav1.PlaceItem) *rule.Refusal {
	const field = "action.persona.gm_place_item."
	if refusal := inDungeon(v); refusal != nil {
		return refusal
	}
	if a.Square == nil {
		return invalid(field + "square").Say("required")
	}
	if !a.Auto && len(a.Treasure.GetItems()) == 0 && a.Treasure.GetMacca() == 0 {
		return invalid(field + "treasure").Say("required")
	}
	if a.Auto && v.Waits() { // it throws a die
		return rule.Core(tablev1.Reason_REASON_PROMPT_PENDING, "")
	}
	return g.mayLie(v.State, laid(v.State, a), field+"square")
}

// validFeature refuses a feature that cannot be set. What somebody knows stays where
// and what it is: to change that it is taken away, and something else laid.
func (g *game) validFeature(v *rule.View, f *personav1.Feature, field string) *rule.Refusal {
	before := featureOf(v.State, f.Id)
	switch {
	case f.Square == nil:
		return invalid(field + ".square").Say("required")
	case f.Id != 0 && before == nil:
		return rule.Core(tablev1.Reason_REASON_NOT_FOUND, field+".id")
	case before != nil && len(table.DungeonFeature(v.State, f.Id).GetKnown()) > 0 &&
		(kindOf(before) != kindOf(f) || !sameSquare(before.Square, f.Square)):
		return invalid(field).Say("known_stays")
	}
	return g.mayLie(v.State, numbered(v.State, f), field)
}

// numbered is a feature as it is set: something new gets the next id, what was found
// stays found.
func numbered(s *tablev1.State, f *personav1.Feature) *personav1.Feature {
	f = proto.CloneOf(f)
	if f.Id == 0 {
		f.Id = nextFeature(s)
	}
	f.Discovered = featureOf(s, f.Id).GetDiscovered()
	return f
}

// validTerrain refuses a square that is on no floor, and a wall where something is, or
// a warp leads.
func validTerrain(v *rule.View, a *personav1.SetTerrain, field string) *rule.Refusal {
	if a.Square == nil {
		return invalid(field + ".square").Say("required")
	}
	if !floorMap(v.State, a.Square.Floor).Holds(cell(a.Square)) {
		return invalid(field + ".square").Say("off_floor")
	}
	if a.Passage {
		return nil
	}
	taken := len(featuresOn(v.State, a.Square)) > 0 || len(on(v, a.Square, func(*tablev1.Character) bool { return true })) > 0
	for _, f := range tableDetails(v.State).GetFeatures() {
		taken = taken || f.GetWarp() != nil && sameSquare(f.GetWarp().To, a.Square)
	}
	if taken {
		return invalid(field + ".passage").Say("square_taken")
	}
	return nil
}

// setTerrain makes a square a passage or a wall. Who knows the square is told.
func (g *game) setTerrain(c *rule.Ctx, a *personav1.SetTerrain, reason string) {
	is, sign := tablev1.Terrain_TERRAIN_WALL, byte('#')
	if a.Passage {
		is, sign = tablev1.Terrain_TERRAIN_PASSAGE, '.'
	}
	after := proto.CloneOf(c.State.Dungeon)
	for _, f := range after.Floors {
		if f.Number == a.Square.Floor {
			row := []byte(f.Rows[a.Square.Y])
			row[a.Square.X] = sign
			f.Rows[a.Square.Y] = string(row)
		}
	}
	known := slices.Clone(c.State.Dungeon.Squares)
	was := rule.Word(terrain(c.State, a.Square), "TERRAIN_")
	c.Emit(lever(c, "", "PER-SQ-01", reason, rule.GM, "terrain", was, rule.Word(is, "TERRAIN_")).For(rule.GM).
		Squares(fSquare, "", rule.GM, a.Square).
		Change(rule.SetDungeon(after)))
	for _, sq := range known {
		if !sameSquare(sq.Square, a.Square) || sq.Terrain == is {
			continue
		}
		c.Emit(c.Event(squareRevealed, "PER-SQ-01", sq.Of).For(sq.Audience).
			Number(fFloor, "", sq.Audience, a.Square.Floor).
			Squares(fSquare, "", sq.Audience, a.Square).
			Words(fTerrain, "", sq.Audience, rule.Word(is, "TERRAIN_")).
			Change(rule.SetSquare(&tablev1.DungeonSquare{Of: sq.Of, Square: a.Square, Terrain: is, Audience: sq.Audience})))
	}
}

// setConditions writes level, moon and weather of the dungeon, changed by f; nothing
// but this changes them once it is entered (PER-DUN-01).
func setConditions(s *tablev1.State, f func(*personav1.Conditions)) *tablev1.Change {
	after := &personav1.Conditions{}
	proto.Merge(after, tableDetails(s).GetConditions())
	f(after)
	return piece("", &personav1.Part{Part: &personav1.Part_Conditions{Conditions: after}})
}

// setWeather changes the weather, and with it the round limits that it has made: those
// that are a floor's own stay (PER-DUN-07).
func (g *game) setWeather(c *rule.Ctx, w personav1.Weather, reason string) {
	was := tableDetails(c.State).GetConditions().GetWeather()
	e := lever(c, "", "PER-DUN-01", reason, rule.Public, "weather", weatherWord(was), weatherWord(w)).
		Change(setConditions(c.State, func(cond *personav1.Conditions) { cond.Weather = w }))
	for _, f := range c.State.Dungeon.Floors {
		limit, made := limitOf(c.State, f.Number), &personav1.Floor{Number: f.Number, Rows: f.Rows}
		if now := g.dungeons.RoundLimit(made, w); limit.Limit == g.dungeons.RoundLimit(made, was) && limit.Limit != now {
			e.Change(piece("", &personav1.Part{Part: &personav1.Part_Limits{Limits: &personav1.RoundLimit{Floor: f.Number, Limit: now, Audience: limit.Audience}}}))
		}
	}
	c.Emit(e)
}

// setLevel changes the dungeon's level; what is known of traps tells it.
func (g *game) setLevel(c *rule.Ctx, level int32, reason string) {
	was := tableDetails(c.State).GetConditions().GetLevel()
	c.Change(setConditions(c.State, func(cond *personav1.Conditions) { cond.Level = level }))
	e := lever(c, "", "PER-DUN-01", reason, rule.Public, "dungeon_level", text(was), text(level))
	for _, f := range tableDetails(c.State).GetFeatures() {
		if f.GetTrap() != nil {
			e.Change(g.setFeature(c.State, f)...)
		}
	}
	c.Emit(e)
}
