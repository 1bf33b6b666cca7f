package api

import (
	"context"

	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
	"github.com/hantei/hantei/server/exchange"
	"github.com/hantei/hantei/server/host"
)

// ImportCharacter implements hanteiv1.CharacterServiceServer.
func (s *characterService) ImportCharacter(ctx context.Context, r *hanteiv1.ImportCharacterRequest) (*hanteiv1.ImportCharacterResponse, error) {
	by, refusal := player(ctx, r.GetTableId())
	if refusal != nil {
		return nil, s.fail(ctx, refusal)
	}
	key, refusal := request(r.GetRequestId(), r)
	if refusal != nil {
		return nil, s.fail(ctx, refusal)
	}
	n := host.Import{
		Request: key, File: []byte(r.GetContent()), Field: "content", Format: exchange.Format(r.GetFormat()), DryRun: r.GetDryRun(),
		Kind: r.GetKind(), ID: r.GetCharacterId(), Name: r.GetName(), Seat: r.GetSeatId(),
	}
	if _, ok := r.GetSource().(*hanteiv1.ImportCharacterRequest_File); ok {
		n.File, n.Field = r.GetFile(), "file"
	}
	made, err := s.host.ImportCharacter(ctx, by, n)
	if err != nil {
		return nil, s.fail(ctx, err)
	}
	out := &hanteiv1.ImportCharacterResponse{Character: made.Character, Format: hanteiv1.SheetFormat(made.Format)}
	for _, f := range made.Report {
		out.Report = append(out.Report, &hanteiv1.ImportedField{
			Label: f.Label, Written: f.Written, Outcome: hanteiv1.ImportOutcome(f.Outcome), Key: f.Key, Value: f.Value, Text: f.Text, Speciality: f.Speciality,
		})
	}
	return out, nil
}

// ExportCharacter implements hanteiv1.CharacterServiceServer.
func (s *characterService) ExportCharacter(ctx context.Context, r *hanteiv1.ExportCharacterRequest) (*hanteiv1.ExportCharacterResponse, error) {
	by, refusal := player(ctx, r.GetTableId())
	if refusal != nil {
		return nil, s.fail(ctx, refusal)
	}
	f, err := s.host.ExportCharacter(ctx, by, r.GetCharacterId(), exchange.Format(r.GetFormat()))
	if err != nil {
		return nil, s.fail(ctx, err)
	}
	return &hanteiv1.ExportCharacterResponse{Content: f.Content, MediaType: f.Media, FileName: r.GetCharacterId() + f.Ending}, nil
}
