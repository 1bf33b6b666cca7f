package api

import (
	"context"
	"time"

	"github.com/hantei/hantei/engine/audit"
	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
	"github.com/hantei/hantei/server/host"
	"github.com/hantei/hantei/server/language"
	"google.golang.org/protobuf/types/known/timestamppb"
)

// tableService makes, lists, changes, copies and removes tables.
type tableService struct {
	hanteiv1.UnimplementedTableServiceServer
	*edge
	host *host.Host
}

// tablesPage is how many tables a page has unless the caller says otherwise;
// maxTables is the most.
const (
	tablesPage = 50
	maxTables  = 100
)

// CreateTable implements hanteiv1.TableServiceServer.
func (s *tableService) CreateTable(ctx context.Context, r *hanteiv1.CreateTableRequest) (*hanteiv1.CreateTableResponse, error) {
	by, refusal := anybody(ctx)
	if refusal != nil {
		return nil, s.fail(ctx, refusal)
	}
	key, refusal := request(r.GetRequestId(), r)
	if refusal != nil {
		return nil, s.fail(ctx, refusal)
	}
	made, err := s.host.CreateTable(ctx, by, host.NewTable{
		Request: key, Name: r.GetName(), Ruleset: r.GetRuleset(), Options: r.GetOptions(),
	})
	if err != nil {
		return nil, s.fail(ctx, err)
	}
	return &hanteiv1.CreateTableResponse{Table: tableOf(made.Table), GmSeat: made.Seat, GmToken: made.Token, GmPairingCode: pairingCode(made.Code)}, nil
}

// GetTable implements hanteiv1.TableServiceServer.
func (s *tableService) GetTable(ctx context.Context, r *hanteiv1.GetTableRequest) (*hanteiv1.GetTableResponse, error) {
	by, refusal := known(ctx, r.GetTableId())
	if refusal != nil {
		return nil, s.fail(ctx, refusal)
	}
	t, err := s.host.Table(ctx, by)
	if err != nil {
		return nil, s.fail(ctx, err)
	}
	return &hanteiv1.GetTableResponse{Table: tableOf(t)}, nil
}

// ListTables implements hanteiv1.TableServiceServer.
func (s *tableService) ListTables(ctx context.Context, r *hanteiv1.ListTablesRequest) (*hanteiv1.ListTablesResponse, error) {
	by, refusal := anybody(ctx)
	if refusal != nil {
		return nil, s.fail(ctx, refusal)
	}
	size, refusal := pageSize(r.GetPageSize(), tablesPage, maxTables)
	if refusal != nil {
		return nil, s.fail(ctx, refusal)
	}
	all, next, err := s.host.Tables(ctx, by, size, r.GetPageToken())
	if err != nil {
		return nil, s.fail(ctx, err)
	}
	out := &hanteiv1.ListTablesResponse{NextPageToken: next}
	for _, t := range all {
		out.Tables = append(out.Tables, tableOf(t))
	}
	return out, nil
}

// UpdateTable implements hanteiv1.TableServiceServer.
func (s *tableService) UpdateTable(ctx context.Context, r *hanteiv1.UpdateTableRequest) (*hanteiv1.UpdateTableResponse, error) {
	by, refusal := leader(ctx, r.GetTableId())
	if refusal != nil {
		return nil, s.fail(ctx, refusal)
	}
	t, err := s.host.UpdateTable(ctx, by, host.Update{Name: r.Name, Options: r.GetOptions(), Paused: r.Paused})
	if err != nil {
		return nil, s.fail(ctx, err)
	}
	return &hanteiv1.UpdateTableResponse{Table: tableOf(t)}, nil
}

// DeleteTable implements hanteiv1.TableServiceServer.
func (s *tableService) DeleteTable(ctx context.Context, r *hanteiv1.DeleteTableRequest) (*hanteiv1.DeleteTableResponse, error) {
	by, refusal := seated(ctx, r.GetTableId())
	if refusal != nil {
		return nil, s.fail(ctx, refusal)
	}
	if err := s.host.DeleteTable(ctx, by); err != nil {
		return nil, s.fail(ctx, err)
	}
	return &hanteiv1.DeleteTableResponse{}, nil
}

// ExportTable implements hanteiv1.TableServiceServer.
func (s *tableService) ExportTable(ctx context.Context, r *hanteiv1.ExportTableRequest) (*hanteiv1.ExportTableResponse, error) {
	by, refusal := seated(ctx, r.GetTableId())
	if refusal != nil {
		return nil, s.fail(ctx, refusal)
	}
	f, err := s.host.ExportTable(ctx, by)
	if err != nil {
		return nil, s.fail(ctx, err)
	}
	return &hanteiv1.ExportTableResponse{Content: f.Content, FileName: f.Name, Commits: f.Commits, StateHash: f.StateHash}, nil
}

// ImportTable implements hanteiv1.TableServiceServer.
func (s *tableService) ImportTable(ctx context.Context, r *hanteiv1.ImportTableRequest) (*hanteiv1.ImportTableResponse, error) {
	by, refusal := anybody(ctx)
	if refusal != nil {
		return nil, s.fail(ctx, refusal)
	}
	made, err := s.host.ImportTable(ctx, by, host.Copy{Content: r.GetContent(), Name: r.GetName()})
	if err != nil {
		return nil, s.fail(ctx, err)
	}
	out := &hanteiv1.ImportTableResponse{Table: tableOf(made.Table), StateHash: made.StateHash}
	for i, seat := range made.Seats {
		out.Seats = append(out.Seats, &hanteiv1.ImportedSeat{Seat: seat, Token: made.Tokens[i]})
	}
	return out, nil
}

// ListDiceEpochs implements hanteiv1.TableServiceServer.
func (s *tableService) ListDiceEpochs(ctx context.Context, r *hanteiv1.ListDiceEpochsRequest) (*hanteiv1.ListDiceEpochsResponse, error) {
	by, refusal := known(ctx, r.GetTableId())
	if refusal != nil {
		return nil, s.fail(ctx, refusal)
	}
	epochs, err := s.host.DiceEpochs(ctx, by)
	if err != nil {
		return nil, s.fail(ctx, err)
	}
	return &hanteiv1.ListDiceEpochsResponse{Epochs: epochs}, nil
}

// GiveDiceShare implements hanteiv1.TableServiceServer.
func (s *tableService) GiveDiceShare(ctx context.Context, r *hanteiv1.GiveDiceShareRequest) (*hanteiv1.GiveDiceShareResponse, error) {
	by, refusal := player(ctx, r.GetTableId())
	if refusal != nil {
		return nil, s.fail(ctx, refusal)
	}
	epoch, err := s.host.GiveDiceShare(ctx, by, r.GetShare())
	if err != nil {
		return nil, s.fail(ctx, err)
	}
	return &hanteiv1.GiveDiceShareResponse{Epoch: epoch}, nil
}

// RotateSeed implements hanteiv1.TableServiceServer.
func (s *tableService) RotateSeed(ctx context.Context, r *hanteiv1.RotateSeedRequest) (*hanteiv1.RotateSeedResponse, error) {
	by, refusal := seated(ctx, r.GetTableId())
	if refusal != nil {
		return nil, s.fail(ctx, refusal)
	}
	epochs, err := s.host.RotateSeed(ctx, by, r.GetEpoch(), r.GetClose())
	if err != nil {
		return nil, s.fail(ctx, err)
	}
	return &hanteiv1.RotateSeedResponse{Epochs: epochs}, nil
}

// VerifyTable implements hanteiv1.TableServiceServer.
func (s *tableService) VerifyTable(ctx context.Context, r *hanteiv1.VerifyTableRequest) (*hanteiv1.VerifyTableResponse, error) {
	by, refusal := seated(ctx, r.GetTableId())
	if refusal != nil {
		return nil, s.fail(ctx, refusal)
	}
	report, err := s.host.Verify(ctx, by)
	if err != nil {
		return nil, s.fail(ctx, err)
	}
	return &hanteiv1.VerifyTableResponse{
		Sound: report.Sound(), Commits: report.Commits, Events: report.Events,
		Chain: checkOf(report.Chain, by.Lang), Fold: checkOf(report.Fold, by.Lang),
		Rules: checkOf(report.Rules, by.Lang), Dice: checkOf(report.Dice, by.Lang),
		TablePackHash: report.TablePack, ServerPackHash: report.ServerPack,
	}, nil
}

func checkOf(c audit.Check, lang string) *hanteiv1.VerifiedCheck {
	out := &hanteiv1.VerifiedCheck{Checked: c.Checked, Unchecked: c.Unchecked, Given: c.Given}
	if f := c.Fault; f != nil {
		out.Fault = &hanteiv1.VerifiedFault{
			Commit: f.Commit, Event: f.Event, Path: f.Path, Text: language.Texts().Text("verify."+f.Key, lang, f.Named),
		}
	}
	return out
}

func tableOf(t host.Table) *hanteiv1.Table {
	return &hanteiv1.Table{
		Id: t.ID, Name: t.Name, Ruleset: t.Ruleset, Options: t.Options, PackHash: t.PackHash, Paused: t.Paused,
		CreateTime: timestamppb.New(time.UnixMilli(t.CreateTimeMS)),
	}
}
