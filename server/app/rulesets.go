package app

import (
	"fmt"
	"strings"

	"github.com/hantei/hantei/engine/coc"
	"github.com/hantei/hantei/engine/pack"
	"github.com/hantei/hantei/engine/persona"
	"github.com/hantei/hantei/engine/rule"
)

// Ruleset is a ruleset that this program has.
type Ruleset struct {
	// Name of it, for example "coc".
	Name string
	// DefaultPack returns the tables that it plays with unless told otherwise.
	DefaultPack func() []pack.File
	// New makes it with a pack.
	New func([]pack.File) (*rule.Ruleset, error)
}

// Rulesets lists the rulesets of this program: registering one here gives it the
// server and the command line.
func Rulesets() []Ruleset {
	return []Ruleset{
		{Name: "coc", DefaultPack: coc.DefaultPack, New: coc.New},
		{Name: "persona", DefaultPack: persona.DefaultPack, New: persona.New},
	}
}

// FindRuleset returns a ruleset by its name, or an error that offers the nearest.
func FindRuleset(name string) (Ruleset, error) {
	var names []string
	for _, r := range Rulesets() {
		if r.Name == name {
			return r, nil
		}
		names = append(names, r.Name)
	}
	if near := rule.Nearest(name, names); near != "" {
		return Ruleset{}, fmt.Errorf("no ruleset %q; did you mean %q?", name, near)
	}
	return Ruleset{}, fmt.Errorf("no ruleset %q; there are: %s", name, strings.Join(names, ", "))
}

// MakeRuleset makes a ruleset with its own pack, of which rows are replaced or
// added (see pack.Merge); rows may be empty.
func MakeRuleset(name string, rows []byte) (*rule.Ruleset, error) {
	r, err := FindRuleset(name)
	if err != nil {
		return nil, err
	}
	files := r.DefaultPack()
	if len(rows) > 0 {
		if files, err = pack.Merge(files, rows); err != nil {
			return nil, err
		}
	}
	return r.New(files)
}
