package pack

import (
	"fmt"

	"github.com/goccy/go-yaml"
)

// Merge returns the pack with rows of it replaced or added. The rows are a YAML
// map from a table's name, without ".yaml", to a list; a row with the id of
// another replaces it.
func Merge(files []File, rows []byte) ([]File, error) {
	var tables yaml.MapSlice
	if err := yaml.Unmarshal(rows, &tables); err != nil {
		return nil, err
	}
	out := append([]File(nil), files...)
	for _, t := range tables {
		i := indexOf(out, fmt.Sprint(t.Key)+".yaml")
		if i < 0 {
			return nil, fmt.Errorf("pack: no table %v", t.Key)
		}
		text, err := merged(out[i].Text, t.Value)
		if err != nil {
			return nil, fmt.Errorf("pack: table %v: %w", t.Key, err)
		}
		out[i].Text = text
	}
	return out, nil
}

func indexOf(files []File, name string) int {
	for i, f := range files {
		if f.Name == name {
			return i
		}
	}
	return -1
}

func merged(table []byte, value any) ([]byte, error) {
	added, err := yaml.Marshal(value)
	if err != nil {
		return nil, err
	}
	var old, fresh []yaml.MapSlice
	if err := yaml.Unmarshal(table, &old); err != nil {
		return nil, err
	}
	if err := yaml.Unmarshal(added, &fresh); err != nil {
		return nil, err
	}
	for _, row := range fresh {
		replaced := false
		for i := range old {
			if idOf(old[i]) == idOf(row) {
				old[i], replaced = row, true
			}
		}
		if !replaced {
			old = append(old, row)
		}
	}
	return yaml.Marshal(old)
}

func idOf(row yaml.MapSlice) string {
	for _, item := range row {
		if item.Key == "id" {
			return fmt.Sprint(item.Value)
		}
	}
	return ""
}
