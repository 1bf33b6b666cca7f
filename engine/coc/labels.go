package coc

import (
	_ "embed" // labels.yaml

	"github.com/hantei/hantei/engine/foreign"
	"github.com/hantei/hantei/engine/pack"
)

//go:embed labels.yaml
var labelsFile []byte

// kDB is the damage bonus, which sheets show and which follows from the
// characteristics (COC-CRE-12): no stat of ours.
const kDB = "db"

// labelRow is a row of labels.yaml: what a value or a weapon is called elsewhere.
type labelRow struct {
	Key    string `yaml:"key"`
	Weapon string `yaml:"weapon"`
	// Write is what is written for other tools; empty for the locale's word.
	Write  string   `yaml:"write"`
	Labels []string `yaml:"labels"`
}

// labelRows are the rows of labels.yaml.
var labelRows = func() []labelRow {
	rows, errs := pack.Rows[labelRow](pack.File{Name: "labels.yaml", Text: labelsFile})
	if len(errs) > 0 {
		panic(errs) // It is embedded.
	}
	out := make([]labelRow, len(rows))
	for i, r := range rows {
		out[i] = r.Value
	}
	return out
}()

// labels finds what other tools' labels mean.
type labels struct{ values, weapons map[string]string }

// valueKeys are the keys of all values that a sheet of another tool may show.
func (g *game) valueKeys() []string {
	var keys []string
	for _, s := range g.layout.Stats {
		keys = append(keys, s.Key)
	}
	return append(keys, kDB)
}

// labels are the words of all languages and the labels of labels.yaml.
func (g *game) labels(texts func(key string) []string) labels {
	out := labels{make(map[string]string), make(map[string]string)}
	learn := func(all map[string]string, key string, names []string) {
		for _, name := range names {
			if name = foreign.Fold(name); all[name] == "" {
				all[name] = key
			}
		}
	}
	for _, k := range g.valueKeys() {
		learn(out.values, k, append(append(texts("stat."+k), texts("word."+k)...), k))
	}
	for _, w := range g.pack.weapons {
		learn(out.weapons, w.ID, append(append(texts("word."+w.ID), texts("stat."+w.ID)...), w.ID))
	}
	for _, row := range labelRows {
		learn(out.values, row.Key, append(row.Labels, row.Write))
		learn(out.weapons, row.Weapon, row.Labels)
	}
	return out
}

// find is the key of a label, and what of it the label says, such as "絵画" of
// "芸術（絵画）"; empty if there is none. Another name of the same in brackets says
// nothing: "こぶし（パンチ）".
func find(all map[string]string, label string) (key, of string) {
	for _, r := range foreign.Readings(label) {
		key := all[r.Name]
		switch {
		case r.Name == "" || key == "":
		case all[foreign.Fold(r.Speciality)] == key:
			return key, ""
		default:
			return key, r.Speciality
		}
	}
	return "", ""
}

// writtenLabel is what a value is called in another tool.
func writtenLabel(key string, text func(key string) string) string {
	for _, row := range labelRows {
		if row.Key == key && row.Write != "" {
			return row.Write
		}
	}
	if word := text("stat." + key); word != "" {
		return word
	}
	return key
}

// weaponLabel is what a weapon is called in another tool.
func weaponLabel(id string, text func(key string) string) string {
	for _, key := range []string{"word." + id, "stat." + id} {
		if word := text(key); word != "" {
			return word
		}
	}
	return id
}
