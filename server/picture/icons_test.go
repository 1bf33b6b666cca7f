package picture

import (
	"maps"
	"os"
	"regexp"
	"testing"

	"github.com/hantei/hantei/engine/persona"
)

// The Foundry module draws the same icons, and each mark of a ruleset has one.
func TestIcons(t *testing.T) {
	script, err := os.ReadFile("../../plugin-foundry/scripts/dungeon/icons.mjs")
	if err != nil {
		t.Fatal(err)
	}
	there := make(map[string]string)
	for _, m := range regexp.MustCompile(`(?m)^  ([a-z]+): "(M[^"]+)",$`).FindAllStringSubmatch(string(script), -1) {
		there[m[1]] = m[2]
	}
	if !maps.Equal(there, icons) {
		t.Errorf("the module draws %v, and pictures %v", there, icons)
	}
	rules, err := persona.New(persona.DefaultPack())
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range rules.Marks {
		if icons[m.Icon] == "" {
			t.Errorf("the mark %s has the icon %q, which nobody draws", m.Kind, m.Icon)
		}
	}
}
