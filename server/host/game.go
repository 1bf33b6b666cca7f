package host

import (
	"errors"
	"fmt"

	"github.com/hantei/hantei/engine/locale"
	"github.com/hantei/hantei/engine/pack"
	"github.com/hantei/hantei/engine/rule"
)

// Game is a ruleset as the server runs it.
type Game struct {
	// Rules are the rules, with their pack.
	Rules *rule.Ruleset
	// Texts are the words of the core and the ruleset.
	Texts *locale.Catalog

	build func([]pack.File) (*rule.Ruleset, error)
}

// NewGame makes a game of a ruleset's constructor and the pack to play with.
func NewGame(build func([]pack.File) (*rule.Ruleset, error), files []pack.File) (*Game, error) {
	rules, err := build(files)
	if err != nil {
		return nil, fmt.Errorf("host: ruleset: %w", err)
	}
	texts, err := locale.Load(locale.Core(), rules.Locale)
	if err != nil {
		return nil, fmt.Errorf("host: texts of %s: %w", rules.Name, err)
	}
	return &Game{Rules: rules, Texts: texts, build: build}, nil
}

// Validate checks a pack for the ruleset. It returns the pack's identity, or all
// that is wrong with it; the error is for what is not the pack's fault.
func (g *Game) Validate(files []pack.File) (rule.Pack, pack.Errors, error) {
	rules, err := g.build(files)
	var wrong pack.Errors
	switch {
	case errors.As(err, &wrong):
		return rule.Pack{}, wrong, nil
	case err != nil:
		return rule.Pack{}, nil, fmt.Errorf("host: validate pack: %w", err)
	}
	return rules.Pack, nil, nil
}

// domain is the domain of the ruleset's own reasons.
func (g *Game) domain() string { return "hantei/" + g.Rules.Name }
