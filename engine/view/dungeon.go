package view

import (
	"github.com/hantei/hantei/engine/locale"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

// Dungeon returns what the viewer may see of the explored dungeon, or nil.
func Dungeon(d *tablev1.Dungeon, v Viewer, vis *tablev1.Visibility) *tablev1.DungeonView {
	g := newGaze(v, vis)
	left := knownDungeon(&g, d)
	if left == nil {
		return nil
	}
	out := &tablev1.DungeonView{Floors: left.Floors, Squares: left.Squares}
	for _, m := range left.Marks {
		out.Marks = append(out.Marks, &tablev1.MarkView{Mark: m})
	}
	for _, f := range left.Features {
		out.Features = append(out.Features, &tablev1.FeatureView{Feature: f})
	}
	return out
}

// RenderDungeon writes the words of what lies in the dungeon in the language: the
// text mark.<kind> of the catalog, which may ask for each fact by its key, made of
// what is left in the view.
func RenderDungeon(d *tablev1.DungeonView, lang string, catalog *locale.Catalog, name func(id string) string) {
	w := words{lang, catalog, name}
	for _, m := range d.GetMarks() {
		m.Text = w.mark(m.Mark.Kind, m.Mark.Facts)
	}
	for _, f := range d.GetFeatures() {
		f.Text = w.mark(f.Feature.Kind, f.Feature.Facts)
	}
}

func (w words) mark(kind string, facts []*typev1.Fact) *typev1.Text {
	key := "mark." + kind
	text := w.catalog.Text(key, w.lang, func(value string) (string, bool) { return w.fact(facts, value, "") })
	return &typev1.Text{Key: key, Text: text}
}
