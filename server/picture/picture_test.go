package picture_test

import (
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"strconv"
	"strings"
	"testing"

	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"github.com/hantei/hantei/server/picture"
)

var update = flag.Bool("update", false, "write the pictures in testdata")

var words = picture.Words{
	Floor:  func(n int32) string { return "Floor " + strconv.Itoa(int(n)) },
	Untold: "not known",
}

func icon(kind string) string {
	return map[string]string{"stairs": "stairs", "enemy": "enemy", "trap": "trap", "item": "chest"}[kind]
}

func at(x, y int32) *typev1.Square { return &typev1.Square{X: x, Y: y, Floor: 1} }

// known are squares of a map, as the party knows them; a blank is not known.
func known(rows ...string) []*tablev1.DungeonSquare {
	var out []*tablev1.DungeonSquare
	for y, row := range rows {
		for x, sign := range row {
			terrain := map[rune]tablev1.Terrain{'#': tablev1.Terrain_TERRAIN_WALL, '.': tablev1.Terrain_TERRAIN_PASSAGE}[sign]
			if terrain != 0 {
				out = append(out, &tablev1.DungeonSquare{Square: at(int32(x), int32(y)), Terrain: terrain})
			}
		}
	}
	return out
}

func mark(number int32, kind, text string, s *typev1.Square) *tablev1.MarkView {
	return &tablev1.MarkView{Mark: &tablev1.DungeonMark{Number: number, Kind: kind, Square: s}, Text: &typev1.Text{Text: text}}
}

func feature(kind, text string, hidden bool, s *typev1.Square, known ...int32) *tablev1.FeatureView {
	f := &tablev1.DungeonFeature{Kind: kind, Square: s, Hidden: hidden}
	for _, n := range known {
		f.Known = append(f.Known, &tablev1.KnownAs{Number: n})
	}
	return &tablev1.FeatureView{Feature: f, Text: &typev1.Text{Text: text}}
}

// player sees a corner of a floor, gm the whole of it.
func player() *tablev1.TableView {
	return &tablev1.TableView{
		Dungeon: &tablev1.DungeonView{
			Squares: known("  .", "#..", " .#"),
			Marks:   []*tablev1.MarkView{mark(1, "stairs", "Stairs, outside", at(1, 2)), mark(2, "enemy", "Enemies", at(2, 1))},
		},
		Characters: []*tablev1.CharacterView{
			{Name: "Aki", Side: "pc", Position: at(1, 1)}, {Name: "B & <Ko>", Side: "pc", Position: at(1, 1)}, {Name: "far", Position: &typev1.Square{Floor: 2}}, {Name: "nowhere"},
		},
	}
}

func gm() *tablev1.TableView {
	v := player()
	v.Dungeon.Floors = []*tablev1.DungeonFloor{{Number: 1, Rows: []string{"#...", "#...", "..#.", "####"}}}
	v.Dungeon.Features = []*tablev1.FeatureView{
		feature("stairs", "Stairs, outside", false, at(1, 2), 1), feature("enemy", "3 rust hounds, level 24", false, at(2, 1), 2),
		feature("trap", "A dart trap", true, at(3, 0)), feature("item", "40 macca", false, at(3, 0)),
		{Feature: &tablev1.DungeonFeature{Kind: "item", Square: at(0, 2), Gone: true}},
	}
	return v
}

func TestPictures(t *testing.T) {
	for name, v := range map[string]*tablev1.TableView{"player": player(), "gm": gm()} {
		t.Run(name, func(t *testing.T) {
			p := picture.Draw(v.Dungeon, v.Characters, 1, icon)
			golden(t, name+".txt", p.Text(words))
			svg := p.SVG(words)
			wellFormed(t, svg)
			golden(t, name+".svg", svg)
		})
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := "testdata/" + name
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s is another one; go test ./server/picture -update writes it:\n%s", name, got)
	}
}

func wellFormed(t *testing.T, svg string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

// A player's picture has no more columns and rows than are known, and where
// nothing is known there is none.
func TestOnlyWhatIsKnown(t *testing.T) {
	p := picture.Draw(player().Dungeon, nil, 1, icon)
	if p.Left != 0 || p.Top != 0 || p.Width != 3 || p.Height != 3 {
		t.Errorf("%+v", p)
	}
	v := player()
	v.Dungeon.Squares = known("", "", "    ..")
	if p := picture.Draw(v.Dungeon, v.Characters, 1, icon); p.Left != 4 || p.Top != 2 || p.Width != 2 || p.Height != 1 {
		t.Errorf("%+v", p)
	}
	for _, floor := range []int32{0, 2} {
		if p := picture.Draw(player().Dungeon, nil, floor, icon); p != nil {
			t.Errorf("floor %d: %+v", floor, p)
		}
	}
	if p := picture.Draw(nil, nil, 1, icon); p != nil {
		t.Errorf("without a dungeon: %+v", p)
	}
	if f := picture.Floors(gm().Dungeon); len(f) != 1 || f[0] != 1 {
		t.Errorf("floors %v", f)
	}
}
