package api

import (
	"context"

	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
	"github.com/hantei/hantei/server/host"
)

// characterService keeps the sheets.
type characterService struct {
	hanteiv1.UnimplementedCharacterServiceServer
	*edge
	host *host.Host
}

// CreateCharacter implements hanteiv1.CharacterServiceServer.
func (s *characterService) CreateCharacter(ctx context.Context, r *hanteiv1.CreateCharacterRequest) (*hanteiv1.CreateCharacterResponse, error) {
	by, refusal := player(ctx, r.GetTableId())
	if refusal != nil {
		return nil, s.fail(ctx, refusal)
	}
	key, refusal := request(r.GetRequestId(), r)
	if refusal != nil {
		return nil, s.fail(ctx, refusal)
	}
	made, err := s.host.CreateCharacters(ctx, by, host.NewCharacters{
		Request: key, ID: r.GetCharacterId(), Name: r.GetName(), Sample: r.GetSample(), Sheet: r.GetSheet(),
		Draft: r.GetDraft() != nil, Count: int(r.GetCount()), Seat: r.GetSeatId(),
	})
	if err != nil {
		return nil, s.fail(ctx, err)
	}
	return &hanteiv1.CreateCharacterResponse{Characters: made}, nil
}

// GetCharacter implements hanteiv1.CharacterServiceServer.
func (s *characterService) GetCharacter(ctx context.Context, r *hanteiv1.GetCharacterRequest) (*hanteiv1.GetCharacterResponse, error) {
	by, refusal := player(ctx, r.GetTableId())
	if refusal != nil {
		return nil, s.fail(ctx, refusal)
	}
	c, err := s.host.Character(ctx, by, r.GetCharacterId())
	if err != nil {
		return nil, s.fail(ctx, err)
	}
	return &hanteiv1.GetCharacterResponse{Character: c}, nil
}

// ListCharacters implements hanteiv1.CharacterServiceServer.
func (s *characterService) ListCharacters(ctx context.Context, r *hanteiv1.ListCharactersRequest) (*hanteiv1.ListCharactersResponse, error) {
	by, refusal := player(ctx, r.GetTableId())
	if refusal != nil {
		return nil, s.fail(ctx, refusal)
	}
	all, err := s.host.Characters(ctx, by)
	if err != nil {
		return nil, s.fail(ctx, err)
	}
	return &hanteiv1.ListCharactersResponse{Characters: all}, nil
}

// UpdateCharacter implements hanteiv1.CharacterServiceServer.
func (s *characterService) UpdateCharacter(ctx context.Context, r *hanteiv1.UpdateCharacterRequest) (*hanteiv1.UpdateCharacterResponse, error) {
	by, refusal := player(ctx, r.GetTableId())
	if refusal != nil {
		return nil, s.fail(ctx, refusal)
	}
	key, refusal := request(r.GetRequestId(), r)
	if refusal != nil {
		return nil, s.fail(ctx, refusal)
	}
	c, err := s.host.UpdateCharacter(ctx, by, host.CharacterUpdate{
		Request: key, Character: r.GetCharacterId(), Name: r.GetName(), Sheet: r.GetSheet(), Review: r.GetReview(),
		Mask: r.GetUpdateMask().GetPaths(), Etag: r.GetEtag(),
	})
	if err != nil {
		return nil, s.fail(ctx, err)
	}
	return &hanteiv1.UpdateCharacterResponse{Character: c}, nil
}

// DeleteCharacter implements hanteiv1.CharacterServiceServer.
func (s *characterService) DeleteCharacter(ctx context.Context, r *hanteiv1.DeleteCharacterRequest) (*hanteiv1.DeleteCharacterResponse, error) {
	by, refusal := player(ctx, r.GetTableId())
	if refusal != nil {
		return nil, s.fail(ctx, refusal)
	}
	key, refusal := request(r.GetRequestId(), r)
	if refusal != nil {
		return nil, s.fail(ctx, refusal)
	}
	n := host.CharacterRemoval{Request: key, Character: r.GetCharacterId(), Etag: r.GetEtag()}
	if err := s.host.DeleteCharacter(ctx, by, n); err != nil {
		return nil, s.fail(ctx, err)
	}
	return &hanteiv1.DeleteCharacterResponse{}, nil
}
