package scenario

import (
	"strconv"
	"strings"

	"github.com/hantei/hantei/engine/prompt"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

// dungeon reads the explored dungeon: its floors, numbered as they stand, and what is
// known of them. What lies there the ruleset knows, from the details of the table;
// here stands which of it is known, by id.
func (l *loader) dungeon(n *node) *tablev1.Dungeon {
	d := &tablev1.Dungeon{}
	l.fields(n, "the dungeon", []field{
		needed("floors", func(n *node, _ int) {
			l.list(n, "floors", func(n *node) { l.floor(d, n) })
		}),
		optional("marks", func(n *node, _ int) {
			l.list(n, "marks", func(n *node) { l.mark(d, n) })
		}),
	})
	return d
}

// floor reads a floor: its rows, and which of its squares the party knows, or each
// of several characters.
func (l *loader) floor(d *tablev1.Dungeon, n *node) {
	f := &tablev1.DungeonFloor{Number: int32(len(d.Floors) + 1)}
	d.Floors = append(d.Floors, f)
	var known *node
	l.fields(n, "a floor", []field{
		needed("rows", func(n *node, _ int) { f.Rows = l.texts(n, "rows") }),
		optional("known", keep(&known)),
	})
	switch {
	case known == nil:
	case known.kind != mapNode:
		l.knownOf(d, f, "", rule.Public, known)
	default:
		for _, kv := range known.pairs {
			l.known(kv.line, kv.key)
			l.knownOf(d, f, kv.key, rule.Owner, kv.value)
		}
	}
}

// unseen is the sign of a square that is not known, in rows of what is.
const unseen = '?'

// knownOf reads what of a floor is known: true for all squares with those around
// them, or rows in which the squares that are not known have the sign of the unseen.
func (l *loader) knownOf(d *tablev1.Dungeon, f *tablev1.DungeonFloor, of string, a typev1.Audience, n *node) {
	put := func(x, y int, sign byte) {
		terrain := tablev1.Terrain_TERRAIN_WALL
		if sign == '.' {
			terrain = tablev1.Terrain_TERRAIN_PASSAGE
		}
		at := &typev1.Square{X: int32(x), Y: int32(y), Floor: f.Number}
		d.Squares = append(d.Squares, &tablev1.DungeonSquare{Of: of, Square: at, Terrain: terrain, Audience: a})
	}
	if n.kind != scalarNode {
		for y, row := range l.texts(n, "known") {
			for x := range len(row) {
				if row[x] != unseen {
					put(x, y, row[x])
				}
			}
		}
		return
	}
	if !l.flag(n, "known") {
		return
	}
	for y := -1; y <= len(f.Rows); y++ {
		width := 0
		for _, row := range f.Rows {
			width = max(width, len(row))
		}
		for x := -1; x <= width; x++ {
			sign := byte('#')
			if y >= 0 && y < len(f.Rows) && x >= 0 && x < len(f.Rows[y]) {
				sign = f.Rows[y][x]
			}
			put(x, y, sign)
		}
	}
}

// mark reads that something is known. The marks get their numbers as they stand.
func (l *loader) mark(d *tablev1.Dungeon, n *node) {
	k := &tablev1.KnownAs{Detail: tablev1.MarkDetail_MARK_DETAIL_PRESENCE}
	feature := &tablev1.DungeonFeature{}
	l.fields(n, "a mark", []field{
		needed("feature", func(n *node, _ int) { feature.Id = l.whole(n, "feature") }),
		optional("of", l.who(&k.Of, "of")),
		optional("detail", func(n *node, _ int) {
			v, ok := enumNumber(k.Detail.Descriptor(), l.text(n, "detail"))
			if !ok {
				l.unknown(n.line, "detail", n.text, enumWords(k.Detail.Descriptor()))
			}
			k.Detail = tablev1.MarkDetail(v)
		}),
	})
	k.Number = 1
	for _, f := range d.Features {
		for _, other := range f.Known {
			if other.Of == k.Of {
				k.Number++
			}
		}
	}
	feature.Known = []*tablev1.KnownAs{k}
	for _, f := range d.Features {
		if f.Id == feature.Id {
			f.Known = append(f.Known, k)
			return
		}
	}
	d.Features = append(d.Features, feature)
}

// explore puts the table into a dungeon, with the details that the case gives the
// table, and what follows from them.
func (s *session) explore() []*tablev1.Change {
	g := &s.c.given
	var out []*tablev1.Change
	if g.table != nil {
		after := &tablev1.Details{}
		p := &problems{file: s.file.Name} // what is wrong was found when the file was read
		p.merge(g.table, details(after, s.rules.Name))
		out = append(out, table.TableChanges(s.r.State().Details, after)...)
	}
	if g.dungeon != nil {
		out = append(out, rule.SetDungeon(&tablev1.Dungeon{Floors: g.dungeon.Floors}))
		for _, sq := range g.dungeon.Squares {
			out = append(out, rule.SetSquare(sq))
		}
		for _, f := range g.dungeon.Features {
			out = append(out, rule.SetFeature(f))
		}
	}
	return out
}

// dungeon takes the explored dungeon: the squares and marks that are known by
// themselves, since a file lists what becomes known.
func (s *Snapshot) dungeon(d *tablev1.Dungeon) {
	if d == nil {
		return
	}
	s.object("dungeon", func(o *object) { o.add("", Word("true"), true, Value{}) })
	for _, f := range d.Floors {
		s.object("dungeon.floor."+strconv.Itoa(int(f.Number)), func(o *object) { o.add("", Words(f.Rows...), true, Value{}) })
	}
	for _, sq := range d.Squares {
		s.object("dungeon.square."+knower(sq.Of)+prompt.SquareText(sq.Square), func(o *object) {
			o.add("", Word(enumWord(sq.Terrain.Descriptor(), sq.Terrain.Number())), true, Value{})
		})
	}
	for _, m := range d.Marks {
		s.object("dungeon.mark."+knower(m.Of)+strconv.Itoa(int(m.Number)), func(o *object) {
			words := []string{m.Kind, enumWord(m.Detail.Descriptor(), m.Detail.Number()), prompt.SquareText(m.Square)}
			for _, f := range m.Facts {
				words = append(words, f.Key+"="+strings.Join(factValue(f).Words, " "))
			}
			o.add("", Words(words...), true, Value{})
		})
	}
	for _, f := range d.Features {
		s.object("dungeon.feature."+strconv.Itoa(int(f.Id)), func(o *object) {
			o.add("", Words(f.Kind, prompt.SquareText(f.Square)), true, Value{})
			o.add("gone", Word(strconv.FormatBool(f.Gone)), f.Gone, Word("false"))
			var known []string
			for _, k := range f.Known {
				known = append(known, knower(k.Of)+strconv.Itoa(int(k.Number))+" "+enumWord(k.Detail.Descriptor(), k.Detail.Number()))
			}
			o.words("known", known)
		})
	}
}

// knower is whose knowledge it is, in a path; nothing for the party's.
func knower(of string) string {
	if of == "" {
		return ""
	}
	return of + "."
}
