package api

import (
	"context"
	"strings"

	"github.com/hantei/hantei/engine/pack"
	"github.com/hantei/hantei/engine/rule"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
	"github.com/hantei/hantei/server/host"
	"github.com/hantei/hantei/server/language"
)

// rulesetService describes the rulesets. Anybody may call it, and what it says
// changes only with the program, so it is made once for each language.
type rulesetService struct {
	hanteiv1.UnimplementedRulesetServiceServer
	*edge
	games []*host.Game
	// described are the rulesets by name and language.
	described map[described]*hanteiv1.Ruleset
}

type described struct{ name, lang string }

func newRulesetService(e *edge, games []*host.Game, requestBytes int) *rulesetService {
	s := &rulesetService{edge: e, games: games, described: make(map[described]*hanteiv1.Ruleset)}
	for _, g := range games {
		for _, lang := range language.Spoken {
			s.described[described{g.Rules.Name, lang}] = describe(g, lang, requestBytes)
		}
	}
	return s
}

// ListRulesets implements hanteiv1.RulesetServiceServer.
func (s *rulesetService) ListRulesets(ctx context.Context, _ *hanteiv1.ListRulesetsRequest) (*hanteiv1.ListRulesetsResponse, error) {
	out := &hanteiv1.ListRulesetsResponse{}
	lang := language.Of(ctx)
	for _, g := range s.games {
		r := s.described[described{g.Rules.Name, lang}]
		out.Rulesets = append(out.Rulesets, &hanteiv1.RulesetSummary{Name: r.Name, Title: r.Title, Rules: int32(len(g.Rules.Coded))})
	}
	return out, nil
}

// GetRuleset implements hanteiv1.RulesetServiceServer.
func (s *rulesetService) GetRuleset(ctx context.Context, r *hanteiv1.GetRulesetRequest) (*hanteiv1.GetRulesetResponse, error) {
	found, ok := s.described[described{r.GetRuleset(), language.Of(ctx)}]
	if !ok {
		return nil, s.fail(ctx, s.unknown(r.GetRuleset()))
	}
	return &hanteiv1.GetRulesetResponse{Ruleset: found}, nil
}

// ValidatePack implements hanteiv1.RulesetServiceServer.
func (s *rulesetService) ValidatePack(ctx context.Context, r *hanteiv1.ValidatePackRequest) (*hanteiv1.ValidatePackResponse, error) {
	var game *host.Game
	for _, g := range s.games {
		if g.Rules.Name == r.GetRuleset() {
			game = g
		}
	}
	if game == nil {
		return nil, s.fail(ctx, s.unknown(r.GetRuleset()))
	}
	files := make([]pack.File, len(r.GetFiles()))
	for i, f := range r.GetFiles() {
		files[i] = pack.File{Name: f.GetName(), Text: []byte(f.GetYaml())}
	}
	id, wrong, err := game.Validate(files)
	if err != nil {
		return nil, s.fail(ctx, err)
	}
	out := &hanteiv1.ValidatePackResponse{Pack: &hanteiv1.PackInfo{Name: id.Name, Hash: id.Hash, Tables: id.Tables}}
	for _, e := range wrong {
		out.Errors = append(out.Errors, &hanteiv1.PackError{
			File: strings.ToValidUTF8(e.File, "?"), Line: int32(e.Line), Message: strings.ToValidUTF8(e.Message, "?"),
		})
	}
	return out, nil
}

func (s *rulesetService) unknown(name string) *rule.Refusal {
	var names []string
	for _, g := range s.games {
		names = append(names, g.Rules.Name)
	}
	return rule.Core(tablev1.Reason_REASON_NOT_FOUND, "ruleset").Suggest(name, names)
}
