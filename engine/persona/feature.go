package persona

import (
	"slices"

	"github.com/hantei/hantei/engine/persona/dungeon"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
)

// What lies in the dungeon stands twice in the state: with all that the rules need in
// the table's details, and in the core's words, with to whom it is known, in the
// dungeon that clients draw. The functions of this file write both.

// tableDetails are the details of the table.
func tableDetails(s *tablev1.State) *personav1.Details { return s.GetDetails().GetPersona() }

// featureOf is what lies in the dungeon under an id, or nil.
func featureOf(s *tablev1.State, id int32) *personav1.Feature {
	for _, f := range tableDetails(s).GetFeatures() {
		if f.Id == id {
			return f
		}
	}
	return nil
}

// featuresOn lists what lies on a square, by id.
func featuresOn(s *tablev1.State, at *typev1.Square) []*personav1.Feature {
	var out []*personav1.Feature
	for _, f := range tableDetails(s).GetFeatures() {
		if sameSquare(f.Square, at) {
			out = append(out, f)
		}
	}
	return out
}

func sameSquare(a, b *typev1.Square) bool {
	return a.GetX() == b.GetX() && a.GetY() == b.GetY() && a.GetFloor() == b.GetFloor()
}

// kindOf is the word for what a feature is.
func kindOf(f *personav1.Feature) string {
	switch f.Kind.(type) {
	case *personav1.Feature_Stairs:
		return kindStairs
	case *personav1.Feature_Warp:
		return kindWarp
	case *personav1.Feature_Item:
		return kindItem
	case *personav1.Feature_Enemy:
		return kindEnemy
	case *personav1.Feature_Trap:
		return kindTrap
	case *personav1.Feature_Event:
		return kindEvent
	}
	return ""
}

// hidden reports whether a feature does not show, and was not found yet.
func hidden(f *personav1.Feature) bool {
	return dungeon.Shows(f) == personav1.Visibility_VISIBILITY_HIDDEN && !f.Discovered
}

// row is a feature in the core's words, for the GM.
func (g *game) row(s *tablev1.State, f *personav1.Feature) *tablev1.DungeonFeature {
	out := &tablev1.DungeonFeature{
		Id: f.Id, Square: f.Square, Kind: kindOf(f), Hidden: dungeon.Shows(f) == personav1.Visibility_VISIBILITY_HIDDEN,
		Facts: g.data(s, f, rule.GM), Known: table.DungeonFeature(s, f.Id).GetKnown(),
	}
	if e := f.GetEvent(); e != nil {
		out.Facts = append(out.Facts, textFact(fEventKey, rule.GM, e.Key))
	}
	return out
}

// setFeature writes a feature, and what is known of it where that is its data.
func (g *game) setFeature(s *tablev1.State, f *personav1.Feature) []*tablev1.Change {
	row := g.row(s, f)
	out := []*tablev1.Change{
		piece("", &personav1.Part{Part: &personav1.Part_Features{Features: f}}),
		rule.SetFeature(row),
	}
	for _, k := range row.Known {
		if m := table.DungeonMark(s, k.Of, k.Number); m != nil && k.Detail == tablev1.MarkDetail_MARK_DETAIL_DATA {
			after := proto.CloneOf(m)
			after.Facts, after.Square = g.data(s, f, rule.Public), f.Square
			if !proto.Equal(m, after) {
				out = append(out, rule.SetMark(after))
			}
		}
	}
	return out
}

// takeFeature takes a feature away, but for its marks. To whom it was known stays, so
// that no number is given twice.
func takeFeature(s *tablev1.State, f *personav1.Feature) []*tablev1.Change {
	row := proto.CloneOf(table.DungeonFeature(s, f.Id))
	row.Gone = true
	return []*tablev1.Change{
		endPiece("", &personav1.Part{Part: &personav1.Part_Features{Features: &personav1.Feature{Id: f.Id}}}),
		rule.SetFeature(row),
	}
}

// data are the facts of a feature that one knows who knows its data (PER-HID-03).
func (g *game) data(s *tablev1.State, f *personav1.Feature, a typev1.Audience) []*typev1.Fact {
	switch k := f.Kind.(type) {
	case *personav1.Feature_Stairs:
		return leads(s, k.Stairs, a)
	case *personav1.Feature_Warp:
		return []*typev1.Fact{
			{Key: fTo.String(), Squares: []*typev1.Square{k.Warp.To}, Audience: a},
			rule.WordFact(fMode, "", a, warpModeWord(k.Warp)),
		}
	case *personav1.Feature_Item:
		return treasure(k.Item, a)
	case *personav1.Feature_Enemy:
		return g.enemyData(k.Enemy, a)
	case *personav1.Feature_Trap:
		return g.trapData(s, k.Trap, a)
	}
	return nil // of an event only that it is there
}

// leads tells where stairs lead.
func leads(s *tablev1.State, st *personav1.Stairs, a typev1.Audience) []*typev1.Fact {
	floor := st.GetFloor()
	switch to := st.To.(type) {
	case *personav1.Stairs_Outside:
		return []*typev1.Fact{rule.WordFact(fLeads, "", a, "outside")}
	case *personav1.Stairs_Stairs:
		floor = featureOf(s, to.Stairs).GetSquare().GetFloor()
	}
	return []*typev1.Fact{rule.WordFact(fLeads, "", a, "floor"), numberFact(fToFloor, a, floor)}
}

// warpModeWord is whether a warp asks.
func warpModeWord(w *personav1.Warp) string {
	if w.Mode == personav1.WarpMode_WARP_MODE_FORCED {
		return "forced"
	}
	return "optional"
}

// treasure tells what lies there to be taken.
func treasure(t *personav1.Treasure, a typev1.Audience) []*typev1.Fact {
	var out []*typev1.Fact
	var items, counts []string
	for _, i := range t.Items {
		items, counts = append(items, i.Item), append(counts, text(i.Count))
	}
	if len(items) > 0 {
		out = append(out,
			&typev1.Fact{Key: fItems.String(), Words: items, Audience: a},
			&typev1.Fact{Key: fCounts.String(), Words: counts, Audience: a})
	}
	if t.Macca > 0 {
		out = append(out, numberFact(fMacca, a, t.Macca))
	}
	return out
}

// enemyData tells of an enemy what is told when a battle with it begins (PER-SB-01).
func (g *game) enemyData(e *personav1.Enemy, a typev1.Audience) []*typev1.Fact {
	name := rule.WordFact(fEnemy, "", a, e.Name)
	if g.pack.enemy(e.Name) == nil {
		name = textFact(fEnemyName, a, e.Name)
	}
	return []*typev1.Fact{
		name, numberFact(fLevel, a, e.Level), numberFact(fCount, a, e.Count),
		{Key: fSpecialties.String(), Words: slices.Clone(e.Specialties), Audience: a},
	}
}

// trapData tells kind, trigger and effect of a trap.
func (g *game) trapData(s *tablev1.State, t *personav1.Trap, a typev1.Audience) []*typev1.Fact {
	row := g.pack.trap(t.Kind)
	if row == nil {
		return []*typev1.Fact{rule.WordFact(fTrap, "", a, t.Kind)}
	}
	plus := tableDetails(s).GetConditions().GetLevel() / 10
	var effect []string
	for _, cost := range []struct{ word, dice string }{{kHP, row.HP}, {kMP, row.MP}} {
		if cost.dice == "" {
			continue
		}
		formula := cost.dice
		if row.PlusLevel == cost.word && plus > 0 {
			formula += "+" + text(plus)
		}
		effect = append(effect, cost.word, formula)
	}
	return []*typev1.Fact{
		rule.WordFact(fTrap, "", a, t.Kind), rule.WordFact(fTrigger, "", a, row.Trigger),
		{Key: fEffect.String(), Words: effect, Audience: a},
	}
}
