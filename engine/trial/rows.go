package trial

import (
	"fmt"

	"github.com/goccy/go-yaml"
	"github.com/hantei/hantei/engine/pack"
)

// Row is the id of any row of a table of the pack, mostly of one that games are led to.
func (g *Game) Row(file string) string {
	var all, led []string
	for _, f := range g.setup.Pack {
		if f.Name != file {
			continue
		}
		ids, err := rows(f)
		g.check(err)
		all = append(all, ids...)
	}
	for _, id := range all {
		if g.Led("row " + file + " " + id) {
			led = append(led, id)
		}
	}
	if len(led) > 0 && !g.Chance(3) {
		return Pick(g, led)
	}
	return Pick(g, all)
}

// rows are the ids of a table's rows.
func rows(f pack.File) ([]string, error) {
	var all []struct {
		ID string `yaml:"id"`
	}
	if err := yaml.Unmarshal(f.Text, &all); err != nil {
		return nil, fmt.Errorf("%s: %w", f.Name, err)
	}
	var out []string
	for _, r := range all {
		if r.ID != "" {
			out = append(out, r.ID)
		}
	}
	return out, nil
}
