package persona_test

import (
	"slices"

	"github.com/hantei/hantei/engine/persona/dungeon"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	"github.com/hantei/hantei/engine/trial"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
)

// guess is a dungeon as it might be as well, as far as an onlooker knows: what he does
// not know of it is something else, elsewhere, or not there.
type guess struct {
	g *trial.Game
	o *trial.Onlooker
	s *tablev1.State
	// kept are squares that stay passages: somebody stands there, or something lies there.
	kept []*typev1.Square
	out  []*tablev1.Change
}

// otherwise makes whatever lies hidden from the onlooker another: features, Reapers, the
// squares that he has not seen, round limits that are not shown, and the dungeon that was
// made last.
func otherwise(g *trial.Game, o *trial.Onlooker) []*tablev1.Change {
	w := &guess{g: g, o: o, s: g.State()}
	d := w.s.Details.GetPersona()
	for _, c := range w.s.Characters {
		w.keep(c.Position.GetSquare())
	}
	for _, f := range d.GetFeatures() {
		w.keep(f.Square)
		w.keep(f.GetWarp().GetTo())
		if d.GetBattle() == nil {
			w.feature(f)
		}
	}
	for _, f := range w.s.Dungeon.GetFloors() {
		if g.Chance(3) {
			w.more(f.Number)
		}
	}
	for _, r := range d.GetReapers() {
		w.reaper(r)
	}
	for _, l := range d.GetLimits() {
		if !g.GM().Flag("show_round_limit") && l.Audience == rule.GM && g.Chance(2) {
			other := proto.CloneOf(l)
			other.Limit = max(1, l.Limit+g.Rand.Int32N(9)-4)
			w.set(setPart(&personav1.Part{Part: &personav1.Part_Limits{Limits: other}}))
		}
	}
	if b := d.GetBlueprint(); b != nil {
		w.blueprint(b)
	}
	if w.s.Dungeon != nil && g.Chance(2) {
		w.out = slices.Insert(w.out, 0, w.squares())
	}
	return w.out
}

func (w *guess) set(c ...*tablev1.Change) { w.out = append(w.out, c...) }

func (w *guess) keep(s *typev1.Square) {
	if s != nil {
		w.kept = append(w.kept, s)
	}
}

// knows reports whether the onlooker knows what somebody does: the party, or a PC of his.
func (w *guess) knows(of string) bool { return of == "" || w.o.Plays(of) }

// seen reports whether the onlooker knows a square.
func (w *guess) seen(at *typev1.Square) bool {
	return slices.ContainsFunc(w.s.Dungeon.GetSquares(), func(s *tablev1.DungeonSquare) bool {
		return w.knows(s.Of) && proto.Equal(s.Square, at)
	})
}

// feature makes one that the onlooker does not know another, or takes it away; of one of
// which he knows that it is there, what more there is to it.
func (w *guess) feature(f *personav1.Feature) {
	row := table.DungeonFeature(w.s, f.Id)
	known, others := tablev1.MarkDetail_MARK_DETAIL_UNSPECIFIED, false
	for _, k := range row.GetKnown() {
		if w.knows(k.Of) {
			known = max(known, k.Detail)
		} else {
			others = true
		}
	}
	switch {
	case row == nil, known == tablev1.MarkDetail_MARK_DETAIL_DATA, f.GetStairs() != nil && (others || known > 0), w.g.Chance(4):
	case known > 0:
		w.put(w.alike(f), row)
	case f.GetStairs() != nil: // where others lead to
		if moved := proto.CloneOf(f); w.g.Chance(3) {
			moved.Square = w.somewhere(f.Square)
			w.put(w.shown(moved, f), row)
		}
	case w.g.Chance(4):
		w.set(rule.EndPart("", setFeature(&personav1.Feature{Id: f.Id}).GetPart().After),
			rule.SetFeature(rule.WithFeature(row, func(r *tablev1.DungeonFeature) { r.Gone = true })))
		for _, m := range w.marks(row) {
			w.set(rule.EndMark(m))
		}
	case others:
		w.put(w.alike(f), row)
	default:
		other := w.any(f.Id, f.Square)
		if w.g.Chance(2) {
			other.Square = w.somewhere(f.Square)
		}
		w.put(w.shown(other, f), row)
	}
}

// any is something on a square; a warp leads to the same floor.
func (w *guess) any(id int32, at *typev1.Square) *personav1.Feature {
	f := anyFeature(w.g, id, at)
	if warp := f.GetWarp(); warp != nil {
		warp.To = w.somewhere(at)
	}
	return f
}

// shown is a feature in place of another one, that shows where the onlooker would not
// have seen it.
func (w *guess) shown(other, f *personav1.Feature) *personav1.Feature {
	switch {
	case proto.Equal(other.Square, f.Square):
		other.Visibility = dungeon.Shows(f)
	case w.seen(other.Square):
		other.Visibility = personav1.Visibility_VISIBILITY_HIDDEN
	}
	return other
}

// alike is a feature of the same kind, of which something else is true. What starts when
// somebody comes stays so for events, since that is no secret of its own.
func (w *guess) alike(f *personav1.Feature) *personav1.Feature {
	for {
		other := w.any(f.Id, f.Square)
		if kindOf(other) != kindOf(f) {
			continue
		}
		other.Visibility, other.Discovered = dungeon.Shows(f), f.Discovered
		return other
	}
}

// put writes a feature, and what others than the onlooker know of it.
func (w *guess) put(other *personav1.Feature, row *tablev1.DungeonFeature) {
	w.keep(other.Square)
	w.keep(other.GetWarp().GetTo())
	w.set(setFeature(other), rule.SetFeature(rule.WithFeature(row, func(r *tablev1.DungeonFeature) {
		r.Square, r.Kind, r.Facts = other.Square, kindOf(other), nil
		r.Hidden = dungeon.Shows(other) == personav1.Visibility_VISIBILITY_HIDDEN
	})))
	for _, m := range w.marks(row) {
		after := proto.CloneOf(m)
		after.Facts = nil
		w.set(rule.SetMark(after))
	}
}

// marks are those by which others than the onlooker know a feature.
func (w *guess) marks(row *tablev1.DungeonFeature) []*tablev1.DungeonMark {
	var out []*tablev1.DungeonMark
	for _, k := range row.Known {
		if m := table.DungeonMark(w.s, k.Of, k.Number); m != nil && !w.knows(k.Of) {
			out = append(out, m)
		}
	}
	return out
}

// more lays something that is not there.
func (w *guess) more(floor int32) {
	id := int32(0)
	for _, f := range w.s.Dungeon.Features {
		id = max(id, f.Id)
	}
	f := w.any(id+floor, trial.Pick(w.g, passages(w.s, floor)))
	if w.seen(f.Square) {
		f.Visibility = personav1.Visibility_VISIBILITY_HIDDEN
	}
	w.put(f, &tablev1.DungeonFeature{Id: f.Id})
}

// somewhere is a square on the floor of another.
func (w *guess) somewhere(at *typev1.Square) *typev1.Square {
	return trial.Pick(w.g, passages(w.s, at.Floor))
}

// reaper has one whose place the onlooker does not know walk elsewhere.
func (w *guess) reaper(r *personav1.Reaper) {
	w.keep(r.Square)
	var marks []*tablev1.DungeonMark
	for _, m := range w.s.Dungeon.GetMarks() {
		if m.Kind == "reaper" && m.Square.Floor == r.Floor {
			marks = append(marks, m)
		}
	}
	if r.Square == nil || r.Defeated || slices.ContainsFunc(marks, func(m *tablev1.DungeonMark) bool { return w.knows(m.Of) }) {
		return
	}
	other := proto.CloneOf(r)
	other.Square = w.somewhere(r.Square)
	w.keep(other.Square)
	w.set(setPart(&personav1.Part{Part: &personav1.Part_Reapers{Reapers: other}}))
	for _, m := range marks {
		after := proto.CloneOf(m)
		after.Square = other.Square
		w.set(rule.SetMark(after))
	}
}

// blueprint makes what lies in the dungeon that is explored next something else, but for
// the stairs.
func (w *guess) blueprint(b *personav1.Dungeon) {
	other := proto.CloneOf(b)
	other.Features = nil
	for _, f := range b.Features {
		switch {
		case f.GetStairs() != nil:
			other.Features = append(other.Features, f)
		case w.g.Chance(2):
			instead := anyFeature(w.g, f.Id, f.Square)
			if warp := instead.GetWarp(); warp != nil {
				warp.To = f.Square
			}
			other.Features = append(other.Features, instead)
		}
	}
	w.set(setPart(&personav1.Part{Part: &personav1.Part_Blueprint{Blueprint: other}}))
}

// squares is the dungeon with walls and passages changed where the onlooker has not been,
// and floors that are larger. It is written before what lies there.
func (w *guess) squares() *tablev1.Change {
	out := proto.CloneOf(w.s.Dungeon)
	for _, f := range out.Floors {
		if w.g.Chance(2) {
			f.Rows = append(f.Rows, f.Rows[0])
		}
		for y, row := range f.Rows {
			signs := []byte(row)
			for x := range signs {
				at := square(int32(x), int32(y), f.Number)
				beyond := y >= len(table.DungeonFloor(w.s, f.Number).Rows)
				switch {
				case w.seen(at):
					if beyond {
						signs[x] = '#' // he knows what lies outside as wall
					}
				case !w.g.Chance(4) || slices.ContainsFunc(w.kept, func(k *typev1.Square) bool { return proto.Equal(k, at) }):
				case signs[x] == '.':
					signs[x] = '#'
				default:
					signs[x] = '.'
				}
			}
			f.Rows[y] = string(signs)
		}
	}
	for _, s := range out.Squares {
		if !w.knows(s.Of) {
			s.Terrain = tablev1.Terrain_TERRAIN_WALL
			rows := table.DungeonFloor(&tablev1.State{Dungeon: out}, s.Square.Floor).GetRows()
			if x, y := s.Square.X, s.Square.Y; y >= 0 && int(y) < len(rows) && x >= 0 && int(x) < len(rows[y]) && rows[y][x] == '.' {
				s.Terrain = tablev1.Terrain_TERRAIN_PASSAGE
			}
		}
	}
	return rule.SetDungeon(out)
}

// kindOf is the word for what a feature is.
func kindOf(f *personav1.Feature) string {
	m := f.ProtoReflect()
	return string(m.WhichOneof(m.Descriptor().Oneofs().ByName("kind")).Name())
}

// passages are the squares of a floor on which one can stand.
func passages(s *tablev1.State, floor int32) []*typev1.Square {
	var out []*typev1.Square
	for y, row := range table.DungeonFloor(s, floor).GetRows() {
		for x, sign := range row {
			if sign == '.' {
				out = append(out, square(int32(x), int32(y), floor))
			}
		}
	}
	return out
}

// passage reports whether one can stand on a square.
func passage(s *tablev1.State, at *typev1.Square) bool {
	return slices.ContainsFunc(passages(s, at.Floor), func(p *typev1.Square) bool { return proto.Equal(p, at) })
}
