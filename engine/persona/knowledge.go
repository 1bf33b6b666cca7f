package persona

import (
	"slices"

	"github.com/hantei/hantei/engine/grid"
	"github.com/hantei/hantei/engine/persona/dungeon"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
)

// codedKnowledge are the rules of hidden information that have code.
var codedKnowledge = []string{"PER-HID-01", "PER-HID-02", "PER-HID-03"}

const (
	presence = tablev1.MarkDetail_MARK_DETAIL_PRESENCE
	data     = tablev1.MarkDetail_MARK_DETAIL_DATA
)

// knower is whose knowledge something becomes (PER-HID-01).
type knower struct {
	// of is empty for the party's.
	of       string
	audience typev1.Audience
}

// party is the knowledge that all share.
var party = knower{audience: rule.Public}

// partyKnows reports whether what one finds out all know, by option knowledge_scope.
func partyKnows(v *rule.View) bool { return v.Option("knowledge_scope") == "party" }

// knowers are those to whom becomes known what these characters find out: the party,
// or with option knowledge_scope each PC among them.
func knowers(v *rule.View, who []string) []knower {
	if partyKnows(v) {
		return []knower{party}
	}
	var out []knower
	for _, id := range who {
		if isPC(v.Character(id)) {
			out = append(out, knower{id, rule.Owner})
		}
	}
	return out
}

// knowerOf is whose knowledge somebody acts by.
func knowerOf(v *rule.View, who string) knower {
	if partyKnows(v) || !isPC(v.Character(who)) {
		return party
	}
	return knower{who, rule.Owner}
}

// knownAs is under which number a feature is known, or nil.
func knownAs(s *tablev1.State, k knower, feature int32) *tablev1.KnownAs {
	for _, known := range table.DungeonFeature(s, feature).GetKnown() {
		if known.Of == k.of {
			return known
		}
	}
	return nil
}

// hiddenDecides says that what follows depends on what lies in the dungeon, of which the
// GM alone knows all: the odds of anybody else end there, whatever it is (PER-HID-01).
func hiddenDecides(c *rule.Ctx, what string) { c.Reads(what, "", rule.GM) }

// cell is a square within its floor.
func cell(s *typev1.Square) grid.Cell { return grid.Cell{X: s.GetX(), Y: s.GetY()} }

// square is a cell of a floor.
func square(c grid.Cell, floor int32) *typev1.Square {
	return &typev1.Square{X: c.X, Y: c.Y, Floor: floor}
}

// floorMap is a floor as it is.
func floorMap(s *tablev1.State, floor int32) grid.Map {
	return grid.NewMap(table.DungeonFloor(s, floor).GetRows())
}

// terrain is what a square is; what lies outside of a floor is wall (PER-SQ-01).
func terrain(s *tablev1.State, at *typev1.Square) tablev1.Terrain {
	if floorMap(s, at.Floor).Passage(cell(at)) {
		return tablev1.Terrain_TERRAIN_PASSAGE
	}
	return tablev1.Terrain_TERRAIN_WALL
}

// knownTerrain is what somebody knows a square to be; unspecified if he does not. NPCs
// go by what the GM knows where each PC knows by himself.
func knownTerrain(v *rule.View, who string, at *typev1.Square) tablev1.Terrain {
	if !partyKnows(v) && !isPC(v.Character(who)) {
		return terrain(v.State, at)
	}
	return table.DungeonSquare(v.State, knowerOf(v, who).of, at).GetTerrain()
}

// revealSquare discloses a square, unless it is known already.
func (g *game) revealSquare(c *rule.Ctx, k knower, at *typev1.Square, id string) {
	if table.DungeonSquare(c.State, k.of, at) != nil {
		return
	}
	is := terrain(c.State, at)
	c.Emit(c.Event(squareRevealed, id, k.of).For(k.audience).
		Number(fFloor, "", k.audience, at.Floor).
		Squares(fSquare, "", k.audience, at).
		Words(fTerrain, "", k.audience, rule.Word(is, "TERRAIN_")).
		Change(rule.SetSquare(&tablev1.DungeonSquare{Of: k.of, Square: at, Terrain: is, Audience: k.audience})))
}

// reveal discloses a feature, unless as much of it is known already. Its square is
// known as a passage with it, and what was hidden is not any more (PER-HID-02).
func (g *game) reveal(c *rule.Ctx, k knower, f *personav1.Feature, detail tablev1.MarkDetail, id string) {
	if before := knownAs(c.State, k, f.Id); before != nil && before.Detail >= detail {
		return
	}
	g.revealSquare(c, k, f.Square, id)
	mark, changes := g.disclosure(c.State, k, f, detail)
	e := c.Event(featureRevealed, id, k.of).For(k.audience).
		Number(fFeature, "", k.audience, mark.Number).
		Number(fID, "", rule.GM, f.Id).
		Words(fKind, "", k.audience, mark.Kind).
		Words(fDetail, "", k.audience, rule.Word(detail, "MARK_DETAIL_")).
		Squares(fSquare, "", k.audience, f.Square)
	addFacts(e, mark.Facts)
	c.Emit(e.Change(changes...))
}

// disclosure is what a feature's becoming known writes, and the mark that it gets.
func (g *game) disclosure(s *tablev1.State, k knower, f *personav1.Feature, detail tablev1.MarkDetail) (*tablev1.DungeonMark, []*tablev1.Change) {
	before := knownAs(s, k, f.Id)
	mark := &tablev1.DungeonMark{
		Of: k.of, Number: before.GetNumber(), Square: f.Square, Kind: kindOf(f), Detail: detail, Audience: k.audience,
	}
	if before == nil {
		mark.Number = nextNumber(s, k)
	}
	if detail == data {
		mark.Facts = g.data(s, f, k.audience)
	}
	known := proto.CloneOf(f)
	known.Discovered = f.Discovered || hidden(f)
	row := rule.WithFeature(g.row(s, known), func(d *tablev1.DungeonFeature) { d.Known = withKnown(d.Known, mark) })
	var changes []*tablev1.Change
	if known.Discovered != f.Discovered {
		changes = append(changes, piece("", &personav1.Part{Part: &personav1.Part_Features{Features: known}}))
	}
	return mark, append(changes, rule.SetFeature(row), rule.SetMark(mark))
}

// addFacts has an event tell what a mark does.
func addFacts(e *rule.Event, facts []*typev1.Fact) {
	m := e.Message()
	m.Facts = append(m.Facts, facts...)
}

// nextNumber is the number under which the next thing becomes known: numbers are
// given in the order of disclosure, and none twice (PER-HID-01).
func nextNumber(s *tablev1.State, k knower) int32 {
	last := int32(0)
	for _, f := range s.GetDungeon().GetFeatures() {
		for _, known := range f.Known {
			if known.Of == k.of {
				last = max(last, known.Number)
			}
		}
	}
	for _, r := range tableDetails(s).GetReapers() {
		for _, n := range r.Numbers {
			if n.Of == k.of {
				last = max(last, n.Number)
			}
		}
	}
	return last + 1
}

// withKnown adds to whom something is known, in the order of whose knowledge it is.
func withKnown(all []*tablev1.KnownAs, m *tablev1.DungeonMark) []*tablev1.KnownAs {
	out := slices.Clone(all)
	putRow(&out, &tablev1.KnownAs{Of: m.Of, Number: m.Number, Detail: m.Detail}, (*tablev1.KnownAs).GetOf)
	return out
}

// learn has these know of a feature, as much as an event tells that follows, without an
// event of its own (PER-HID-03).
func (g *game) learn(c *rule.Ctx, ks []knower, f *personav1.Feature, detail tablev1.MarkDetail, id string) {
	for _, k := range ks {
		if knownAs(c.State, k, f.Id).GetDetail() < detail {
			g.revealSquare(c, k, f.Square, id)
			_, changes := g.disclosure(c.State, k, featureOf(c.State, f.Id), detail)
			c.Change(changes...)
		}
	}
}

// tellOf has an event name a feature, to each who knows of it by his own number.
func (g *game) tellOf(c *rule.Ctx, e *rule.Event, ks []knower, f *personav1.Feature) {
	for _, k := range ks {
		e.Number(fFeature, k.of, k.audience, knownAs(c.State, k, f.Id).GetNumber())
	}
	e.Number(fID, "", rule.GM, f.Id)
}

// markHere is what of a kind somebody knows to lie on his square: the mark that he
// learned of first, or nil.
func markHere(v *rule.View, who, kind string) *tablev1.DungeonMark {
	at, of := place(v.Character(who)), knowerOf(v, who).of
	for _, m := range v.State.GetDungeon().GetMarks() {
		if at != nil && m.Of == of && m.Kind == kind && sameSquare(m.Square, at) {
			return m
		}
	}
	return nil
}

// marked is the feature that a mark is of.
func marked(s *tablev1.State, m *tablev1.DungeonMark) *personav1.Feature {
	for _, f := range s.GetDungeon().GetFeatures() {
		for _, k := range f.Known {
			if k.Of == m.Of && k.Number == m.Number {
				return featureOf(s, f.Id)
			}
		}
	}
	return nil
}

// shows reports whether a feature shows to whoever stands on its square.
func shows(f *personav1.Feature) bool { return !hidden(f) }

// seeHere discloses what a square has openly, and its contents: step 2 of a move
// (PER-HID-03, PER-MOVE-01).
func (g *game) seeHere(c *rule.Ctx, k knower, at *typev1.Square, id string) {
	g.revealSquare(c, k, at, id)
	for _, f := range featuresOn(c.State, at) {
		if shows(f) && kindOf(f) != kindEnemy { // an enemy is met, and told of then
			g.reveal(c, k, f, full(f), id)
		}
	}
}

// full is how much there is to know of a feature that one comes to: of an event that it
// is there, and of an enemy too, who is told of when a battle begins.
func full(f *personav1.Feature) tablev1.MarkDetail {
	if k := kindOf(f); k == kindEvent || k == kindEnemy {
		return presence
	}
	return data
}

// seeAround discloses the terrain of the four neighbours, and of each the open
// enemies: step 3 of a move (PER-HID-03, PER-MOVE-01).
func (g *game) seeAround(c *rule.Ctx, k knower, at *typev1.Square, id string) {
	for _, n := range cell(at).Neighbours() {
		beside := square(n, at.Floor)
		g.revealSquare(c, k, beside, id)
		if c.Option("open_enemies_seen_from") != "contact" {
			g.seeEnemies(c, k, beside)
		}
	}
}

// seeFloor discloses what is known when somebody comes to a floor: what was on the
// map before, and with option open_enemies_seen_from all open enemies (PER-HID-02).
func (g *game) seeFloor(c *rule.Ctx, k knower, floor int32) {
	for _, f := range tableDetails(c.State).GetFeatures() {
		if f.Square.GetFloor() != floor {
			continue
		}
		switch {
		case dungeon.Shows(f) == personav1.Visibility_VISIBILITY_KNOWN:
			g.reveal(c, k, f, full(f), "PER-HID-02")
		case kindOf(f) == kindEnemy && shows(f) && c.Option("open_enemies_seen_from") == "floor":
			g.reveal(c, k, f, presence, "PER-HID-02")
		}
	}
}

// seeArrival discloses what there is to see when these characters begin on a square,
// or come to its floor (PER-HID-03).
func (g *game) seeArrival(c *rule.Ctx, who []string, at *typev1.Square) {
	for _, k := range knowers(&c.View, who) {
		g.seeFloor(c, k, at.Floor)
		g.seeHere(c, k, at, "PER-HID-03")
		g.seeEnemies(c, k, at) // whom nobody meets by arriving so
		g.seeAround(c, k, at, "PER-HID-03")
	}
}

// seeEnemies discloses the open enemies of a square, without meeting them (PER-HID-02).
func (g *game) seeEnemies(c *rule.Ctx, k knower, at *typev1.Square) {
	for _, f := range featuresOn(c.State, at) {
		if shows(f) && kindOf(f) == kindEnemy {
			g.reveal(c, k, f, presence, "PER-HID-02")
		}
	}
}

// remove takes a feature away and tells those who know of it (PER-HID-01): the GM
// hears of it in any case.
func (g *game) remove(c *rule.Ctx, f *personav1.Feature, id, reason string) {
	changes := takeFeature(c.State, f)
	known := table.DungeonFeature(c.State, f.Id).GetKnown()
	if len(known) == 0 {
		c.Emit(c.Event(featureRemoved, id, "").For(rule.GM).
			Number(fID, "", rule.GM, f.Id).Words(fReason, "", rule.GM, reason).Change(changes...))
		return
	}
	for i, k := range known {
		a := rule.Public
		if k.Of != "" {
			a = rule.Owner
		}
		e := c.Event(featureRemoved, id, k.Of).For(a).
			Number(fFeature, "", a, k.Number).
			Number(fID, "", rule.GM, f.Id).
			Words(fKind, "", a, kindOf(f)).
			Words(fReason, "", a, reason)
		if i == 0 {
			e.Change(changes...)
		}
		if m := table.DungeonMark(c.State, k.Of, k.Number); m != nil {
			e.Change(rule.EndMark(m)) // whose mark it is must be told of it
		}
		c.Emit(e)
	}
}
